/**
 * Figures that the server adds to operations, by the object that contains them. Rules as data; figures without a rule
 * are left out.
 */
export type DetailUnit = 'bytes' | 'count' | 'pages-8k' | 'blocks-4k'

export interface DetailField {
  readonly group: string
  readonly name: string
  readonly unit: DetailUnit
  /** Whether the server writes 0 if it measured nothing. */
  readonly zeroIsUnmeasured: boolean
}

const memory = (group: string, ...names: string[]): DetailField[] =>
  names.map((name) => ({ group, name, unit: 'bytes', zeroIsUnmeasured: true }))
const counts = (group: string, ...names: string[]): DetailField[] =>
  names.map((name) => ({ group, name, unit: 'count', zeroIsUnmeasured: false }))

const BUDGET = ['CurrentlyAllocated', 'AllocationBudget', 'ProcessPrivateMemory', 'ProcessWorkingSet'] as const

/** The position of a field is its id. `TreesReduceDetails` lies inside `ReduceDetails`. */
export const DETAIL_FIELDS: readonly DetailField[] = [
  ...memory('MapDetails', ...BUDGET),
  ...counts('ReferenceDetails', 'ReferenceAttempts', 'ReferenceSuccesses', 'ReferenceErrors'),
  ...memory('ReferenceDetails', ...BUDGET),
  ...counts('ReduceDetails', 'ReduceAttempts', 'ReduceSuccesses', 'ReduceErrors'),
  ...memory('ReduceDetails', 'CurrentlyAllocated', 'ProcessPrivateMemory', 'ProcessWorkingSet'),
  ...counts('TreesReduceDetails', 'NumberOfModifiedLeafs', 'NumberOfModifiedBranches', 'NumberOfCompressedLeafs'),
  { group: 'CommitDetails', name: 'NumberOfModifiedPages', unit: 'pages-8k', zeroIsUnmeasured: false },
  { group: 'CommitDetails', name: 'NumberOf4KbsWrittenToDisk', unit: 'blocks-4k', zeroIsUnmeasured: false },
  ...counts(
    'LuceneMergeDetails',
    'TotalMergesCount',
    'ExecutedMergesCount',
    'MergedFilesCount',
    'MergedDocumentsCount',
  ),
  ...counts('CleanupDetails', 'DeleteSuccesses'),
]

export const DETAIL_GROUPS: readonly string[] = [...new Set(DETAIL_FIELDS.map(({ group }) => group))]

/** Id of a figure by group and name; −1: the figure is not kept. */
export const detailId = (group: string, name: string): number =>
  DETAIL_FIELDS.findIndex((field) => field.group === group && field.name === name)

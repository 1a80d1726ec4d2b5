import { timesIn } from '../../../capture/client/times.ts'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatOrdinal,
  formatPlural,
  formatRate,
  formatShare,
  UNKNOWN,
  type Clock,
} from '../../../base/text/format.ts'
import { listNames } from '../../../base/text/list-names.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { visibleText } from '../../../base/text/visible.ts'
import { parseSourceId, sourceLabel, type Gap } from '../../../capture/client/state.ts'
import type { FactLine } from '../../../ui/FactLines.tsx'
import type { BatchCard, MapMemory } from '../../../feeds/indexing/contract/batch-card.ts'
import type { BatchRow, ReasonCode, StopReason } from '../../../feeds/indexing/contract/batches.ts'
import type { BudgetFinding, FindingKind } from '../../../feeds/indexing/contract/findings.ts'
import type { IndexInfo } from '../../../feeds/indexing/contract/indexes.ts'
import {
  FURTHER_INDEXES,
  INDEX_LIMITS,
  FURTHER_OPERATIONS,
  MOST_NODES,
} from '../../../feeds/indexing/contract/limits.ts'
import type { OperationTotal } from '../../../feeds/indexing/contract/operations.ts'
import type { IndexingSummaryResponse, IndexSummary } from '../../../feeds/indexing/contract/summary.ts'
import { STATE_LOOKS } from './states.ts'

/** Text for a figure that the server did not measure; must never be "0". */
export const NOT_MEASURED = 'not measured'

export const bytesOrNot = (bytes: number | null): string =>
  bytes === null || Number.isNaN(bytes) ? NOT_MEASURED : formatBytes(bytes)

/** Name of the index of a batch; with several databases also its database. */
export function indexName(of: { readonly source: string; readonly indexName: string }, manySources: boolean): string {
  const ref = parseSourceId(of.source)
  return manySources && ref !== null ? `${of.indexName} of ${sourceLabel(ref)}` : of.indexName
}

export const FINDING_TITLES: Record<FindingKind, string> = {
  'budget-held': 'Budget not lowered after memory was released',
  'grew-unasked': 'Index exceeded its budget',
  'over-promised': 'Memory overcommitted',
}

/** Reason in plain words, with the server's own text if that contains more. */
export const reasonText = (reason: StopReason): string =>
  reason.text === null || reason.text === reason.words ? reason.words : `${reason.words} (server: “${reason.text}”)`

const when = (at: BatchRow['startTicks'], clock: Clock): string =>
  `${formatDateTime(at, clock, 7)}${clock === 'utc' ? ' UTC' : ''}`

const memoryLines = (label: string, memory: MapMemory): FactLine[] => [
  [`${label} at last check`, bytesOrNot(memory.allocatedBytes)],
  [
    `${label} granted`,
    memory.budgetBytes === null ? `${NOT_MEASURED}: it asked for nothing` : formatBytes(memory.budgetBytes),
  ],
  ...(memory.processPrivateBytes === null
    ? []
    : [
        [
          `Process then`,
          `${formatBytes(memory.processPrivateBytes)} private, ${bytesOrNot(memory.processWorkingSetBytes)} working set`,
        ] as const,
      ]),
]

/** All lines of a card, as label and text, each figure with its unit. */
export function cardLines(card: BatchCard, clock: Clock): readonly FactLine[] {
  const done = card.state !== 'running' && card.state !== 'waiting'
  return [
    ['Index', `${card.indexName} (${card.source.replace(/^(db|file):/, '')})`],
    ['Batch', `${formatCount(card.id)}, ${STATE_LOOKS[card.state].title.toLowerCase()}`],
    ['Started', when(card.startTicks, clock)],
    ['Completed', card.endTicks === null ? 'not yet' : when(card.endTicks, clock)],
    ['Duration', `${formatDuration(card.durationTicks)}${done ? '' : ' so far'}`],
    ...(card.waitTicks > 0
      ? [['Waited to run', `${formatDuration(card.waitTicks)} for the limit of indexes that may run at once`] as const]
      : []),
    card.state === 'training'
      ? ['Documents', `${formatCount(card.documentsIn)} read to train the dictionary, none indexed`]
      : [
          'Documents',
          `${formatCount(card.documentsIn)} in, ${formatCount(card.documentsOut)} out, ${formatCount(card.documentsFailed)} failed`,
        ],
    ...(card.tombstones === null || card.tombstones === 0
      ? []
      : [['Deletions', formatPlural(card.tombstones, 'tombstone')] as const]),
    [
      'Size',
      `${formatBytes(card.bytes)} (${formatCount(card.bytes)} B)${card.averageDocumentBytes === null ? '' : `, ${formatBytes(card.averageDocumentBytes)} a document`}`,
    ],
    ['Rate', `${formatRate(card.documentsPerSecond)} documents, ${formatByteRate(card.bytesPerSecond ?? Number.NaN)}`],
    ['Stopped', done ? reasonText(card.reason) : 'still under way'],
    ['Allocated', `${bytesOrNot(card.managedBytes)} managed, ${bytesOrNot(card.unmanagedBytes)} unmanaged`],
    ...memoryLines('Map', card.memory),
    ...(card.referencesMemory === null ? [] : memoryLines('References', card.referencesMemory)),
    [
      'Commit',
      card.commitPages === null
        ? NOT_MEASURED
        : `${formatPlural(card.commitPages, 'page')} changed (8 KiB each), ${bytesOrNot(card.commitBytes)} written`,
    ],
    ...(card.merges === null
      ? []
      : [
          [
            'Lucene merges',
            `${formatCount(card.merges.executed)} of ${formatCount(card.merges.total)} made, ${formatPlural(card.merges.files, 'file')}, ${formatPlural(card.merges.documents, 'document')}`,
          ] as const,
        ]),
    [
      'Rank',
      card.rankOf > 0
        ? `${card.rank === 1 ? 'longest' : `${formatOrdinal(card.rank)} longest`} of ${formatPlural(card.rankOf, 'batch', 'batches')} of this index that worked`
        : UNKNOWN,
    ],
  ]
}

/** Text about operations that were left out because a batch has too many. */
export const leftOutText = (count: number): string =>
  `${formatPlural(count, 'operation')} ${count === 1 ? 'is' : 'are'} counted as “${FURTHER_OPERATIONS}”: of each batch ${formatCount(MOST_NODES)} are kept apart.`

/** Text of a card, for pasting into a ticket. */
export const cardText = (card: BatchCard, clock: Clock): string =>
  [
    'Index batch',
    ...cardLines(card, clock).map(([label, text]) => `${label}: ${text}`),
    ...card.operations.map((node) => `${'  '.repeat(node.depth)}${node.name}: ${formatDuration(node.durationTicks)}`),
  ]
    .map(visibleText)
    .join('\n')

function describeGaps(gaps: readonly Gap[], range: TimeRange): string {
  const inView = gaps.filter(
    (gap) => gap.startTicks < range.endTicks && gap.endTicks > range.startTicks && gap.endTicks > gap.startTicks,
  )
  if (inView.length === 0) return ''
  const length = (gap: Gap): number =>
    Math.min(gap.endTicks, range.endTicks) - Math.max(gap.startTicks, range.startTicks)
  return ` Not all of this view is known: ${formatPlural(inView.length, 'gap')}, the longest ${formatDuration(Math.max(...inView.map(length)))}.`
}

function describeTrouble(indexes: readonly IndexInfo[]): string {
  const broken = indexes.filter((index) => index.trouble === 'faulty' || index.trouble === 'error')
  if (broken.length === 0) return ''
  return ` ${listNames(broken.map((index) => index.name))} ${broken.length === 1 ? 'is' : 'are'} faulty.`
}

/** Reasons for the end of a batch that the index did not choose itself, phrased to follow “because”. */
const CUT_WORDS: Partial<Record<ReasonCode, string>> = {
  'low-memory': 'memory was low',
  'no-budget': 'no more memory was granted',
  'pending-flush': 'a flush was due',
  'flush-waiting': 'a flush was waiting for them',
  'cpu-credits': 'CPU credits ran out',
  'managed-limit': 'they reached the limit of managed memory',
  'unmanaged-limit': 'they reached the limit of unmanaged memory',
  'scratch-limit': 'they reached the limit of scratch space',
  'global-scratch-limit': 'all indexes together reached the limit of scratch space',
  'concurrency-halt': 'too many indexes ran at once',
}

/** Number of batches that were stopped early, with the reasons; empty if there are none. */
export function describeCuts(reasons: IndexingSummaryResponse['total']['reasons']): string {
  const cut = reasons.filter((reason) => reason.weight === 'pressure')
  if (cut.length === 0) return ''
  const count = cut.reduce((sum, reason) => sum + reason.count, 0)
  const parts = cut.map(
    (reason) =>
      `${CUT_WORDS[reason.code] ?? reason.words.replace(/\.$/, '')}${cut.length > 1 ? ` (${formatCount(reason.count)})` : ''}`,
  )
  return ` ${formatPlural(count, 'batch was', 'batches were')} stopped early, because ${parts.slice(0, 3).join(', ')}.`
}

/** Describes passes that train the dictionary of a new Corax index, which are not indexing; empty: there were none. */
export const describeTraining = ({ training }: Pick<IndexSummary, 'training'>): string =>
  training.batches === 0
    ? ''
    : ` Dictionary training: ${formatPlural(training.documents, 'document')}, ${formatDuration(training.busyTicks)}.`

/** Operation with the most self time; null: none is known. */
export function longestOperation(operations: readonly OperationTotal[]): OperationTotal | null {
  let best: OperationTotal | null = null
  for (const each of operations) if (best === null || each.selfTicks > best.selfTicks) best = each
  return best
}

export interface ViewFacts {
  readonly indexes: readonly IndexInfo[]
  readonly summary: IndexingSummaryResponse
  /** Operations of all indexes in view; empty if they are not computed. */
  readonly operations: readonly OperationTotal[]
  readonly findings: readonly BudgetFinding[]
  readonly range: TimeRange
  /** Range from the first data to the newest; null: no data. */
  readonly known: TimeRange | null
  readonly gaps: readonly Gap[]
  readonly clock: Clock
  readonly manySources: boolean
}

/**
 * Sums up the view, worst first: violated budget rules, faulty indexes, batches that were stopped early, and then the
 * index that took the most time, and the operation with the most self time.
 */
export function describeView(facts: ViewFacts): string {
  const { summary, range, known, manySources } = facts
  const trouble = describeTrouble(facts.indexes)
  const [finding] = facts.findings.toSorted((a, b) => b.excessBytes - a.excessBytes)
  const found =
    finding === undefined
      ? ''
      : `${FINDING_TITLES[finding.kind]} since ${timesIn(facts.range, facts.clock)(finding.atTicks, 0)}: ${finding.words}${facts.findings.length > 1 ? ` (${formatPlural(facts.findings.length - 1, 'more finding')})` : ''} `
  if (known !== null && range.startTicks >= known.endTicks)
    return `${found}No data for this view yet: it lies after the newest data.${trouble}`
  if (known !== null && range.endTicks <= known.startTicks)
    return `${found}No data for this view: it lies before the first data.${trouble}`
  const missing = describeGaps(facts.gaps, range)
  const [first] = summary.indexes.toSorted((a, b) => b.busyShare - a.busyShare || b.busyTicks - a.busyTicks)
  if (first === undefined || summary.total.counts.batches === 0) {
    const running = summary.total.running
    const state =
      summary.total.counts.training > 0
        ? `No batch indexed anything`
        : running > 0
          ? `${formatPlural(running, 'batch', 'batches')} under way, none completed`
          : 'No batch was seen'
    return `${found}${state} in the ${formatDuration(range.endTicks - range.startTicks)} in view.${describeTraining(summary.total)}${trouble}${missing}`
  }
  const throttled = describeCuts(summary.total.reasons)
  const failed = summary.total.documentsFailed
  const training = describeTraining(summary.total)
  const failures = failed === 0 ? '' : ` ${formatPlural(failed, 'document')} failed.`
  const operation = longestOperation(facts.operations)
  const went =
    operation === null || summary.total.busyTicks === 0
      ? ''
      : ` Most self time of all indexes: ${operation.path}, ${formatDuration(operation.selfTicks)} (${formatShare(operation.selfTicks / summary.total.busyTicks)}).`
  const info = facts.indexes.find((index) => index.key === first.index)
  const name = info === undefined ? 'One index' : indexName({ source: info.source, indexName: info.name }, manySources)
  const took =
    first.busyTicks === 0
      ? 'All batches in view took no measurable time.'
      : `Busiest index: ${name}, ${formatDuration(first.busyTicks)}, ${formatShare(first.busyShare)} of ${isKnownWhole(first, range) ? 'the time in view' : `the ${formatDuration(first.knownTicks)} of it that are known`}, in ${formatPlural(first.counts.batches, 'batch', 'batches')}.`
  return `${found}${took}${went}${throttled}${failures}${training}${trouble}${missing}`
}

/** Whether the batches of an index are known for all of the range. */
export const isKnownWhole = ({ knownTicks }: Pick<IndexSummary, 'knownTicks'>, range: TimeRange): boolean =>
  knownTicks >= range.endTicks - range.startTicks

/** Describes indexes of a hostile or huge file that are not stored separately; empty: all are. */
export const describeFurther = (further: number): string =>
  further === 0
    ? ''
    : `${formatPlural(further, 'index', 'indexes')} beyond the first ${formatCount(INDEX_LIMITS.indexes)} ${further === 1 ? 'is' : 'are'} shown as “${FURTHER_INDEXES}”. Their batches count in every figure.`

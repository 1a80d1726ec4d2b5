import { seededRandom } from '../../base/random.ts'
import { addSpan, formatTicks, parseTicks, spanFromMs, type Ticks } from '../../base/ticks.ts'

/** An operation as the server's document has it. */
export interface WireOperation {
  readonly Name: string
  readonly DurationInMs: number
  readonly Operations: readonly WireOperation[]
  readonly [details: string]: unknown
}

export const GENERATED_BEGIN = parseTicks('2026-11-20T04:00:00Z')

/** The server's time `ms` after the beginning of every generated document. */
export const generatedTime = (ms: number): Ticks => addSpan(GENERATED_BEGIN, spanFromMs(ms))
export const wireTime = (ms: number): string => formatTicks(generatedTime(ms))

const two = (value: number): number => Math.round(value * 100) / 100

export const operation = (
  Name: string,
  ms: number,
  Operations: readonly WireOperation[] = [],
  details: object = {},
): WireOperation => ({
  Name,
  DurationInMs: two(ms),
  ReduceDetails: null,
  MapDetails: null,
  CleanupDetails: null,
  LuceneMergeDetails: null,
  CommitDetails: null,
  ReferenceDetails: null,
  ...details,
  Operations,
})

export interface BatchParts {
  readonly id: number
  /** ms after the beginning. */
  readonly atMs: number
  readonly ms: number
  readonly documents: number
  readonly failed?: number
  readonly isOpen?: boolean
  readonly reason?: string | null
  /** Allocation of MapDetails; 0: not measured, as the server writes it. */
  readonly allocated?: number
  readonly budget?: number
  readonly details?: WireOperation | null
  /** Fields instead of those. */
  readonly also?: object
}

/** A batch as the server's document has it. */
export function wireBatch({ id, atMs, ms, documents, ...rest }: BatchParts): object {
  const { failed = 0, isOpen = false, reason = 'No more documents to index', allocated = 0, budget = 0 } = rest
  const map = {
    MapDetails: {
      BatchCompleteReason: reason,
      ProcessPrivateMemory: budget === 0 ? 0 : 300_000_000,
      ProcessWorkingSet: budget === 0 ? 0 : 900_000_000,
      CurrentlyAllocated: allocated,
      AllocationBudget: budget,
    },
  }
  return {
    Id: id,
    Completed: isOpen ? null : wireTime(atMs + ms),
    Details: rest.details ?? operation('Indexing', ms, [operation('Map', ms * 0.75, [], map)]),
    InputCount: documents,
    FailedCount: failed,
    OutputCount: documents - failed,
    SuccessCount: documents - failed,
    Started: wireTime(atMs),
    DurationInMs: two(ms),
    AllocatedManagedBytes: { SizeInBytes: documents * 100, HumaneSize: '' },
    AllocatedUnmanagedBytes: null,
    DocumentsSize: { SizeInBytes: documents * 300, HumaneSize: '' },
    TombstoneDeleteSuccesses: 0,
    ...rest.also,
  }
}

export const wireDocument = (indexes: Readonly<Record<string, readonly object[]>>): { readonly Results: object[] } => ({
  Results: Object.entries(indexes).map(([Name, Performance]) => ({ Name, Performance })),
})

/**
 * A Corax index of ten fields as servers trace it: about 10 KB of JSON and 48 operations a batch. Same seed, same batch.
 * `map`: other values of its MapDetails.
 */
export function coraxTree(seed: number, ms: number, fields = 10, map: object = {}): WireOperation {
  const chance = seededRandom(seed)
  const share = (): number => ms * 0.02 * chance()
  return operation('Indexing', ms, [
    operation('DocumentsCleanup', share(), [operation('Collection_Orders', share())]),
    operation(
      'Map',
      ms * 0.6,
      [
        operation('Collection_Orders', ms * 0.6, [
          operation('Storage/DocumentRead', share()),
          operation('Linq', ms * 0.2 * chance(), [operation('LoadDocument', share())]),
          operation('Bloom', share()),
          operation('Corax/Convert', share()),
          operation('Corax/AddDocument', share()),
        ]),
      ],
      {
        MapDetails: {
          BatchCompleteReason: 'No more documents to index',
          ProcessPrivateMemory: 0,
          ProcessWorkingSet: 0,
          CurrentlyAllocated: Math.floor(chance() * 3e7),
          AllocationBudget: 0,
          ...map,
        },
      },
    ),
    operation('Corax/Commit', ms * 0.25, [
      ...Array.from({ length: fields }, (_, i) =>
        operation(`Field_Field${i}`, share(), [
          operation('TextualValues', share()),
          operation('IntegerValues', share()),
          operation('FloatingValues', share()),
        ]),
      ),
      operation('StoredValues', share()),
    ]),
    operation('Storage/Commit', ms * 0.1, [], {
      CommitDetails: {
        NumberOfModifiedPages: Math.floor(chance() * 900),
        NumberOf4KbsWrittenToDisk: Math.floor(chance() * 400),
      },
    }),
    operation('Lucene/RecreateSearcher', share()),
  ])
}

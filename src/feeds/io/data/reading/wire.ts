import type { EventBatch } from '../../../../base/columns/event-table.ts'
import type { ReadProblems } from '../../../../base/json/read-whole.ts'

/** Columns of an I/O event after start, duration and size. −1: not reported. */
export const FILE = 3
export const FILE_SIZE = 4
export const COMPRESSED = 5
export const ACCELERATION = 6
export const IO_COLUMNS = 7

/**
 * FILE_SIZE of an event whose own size is invalid: it is kept, counts as 0 bytes in every sum, and is shown without a
 * size.
 */
export const NO_SIZE = -2

/** Roll-up that the server folded of one file and kind (its `History`). Times in ticks, sizes in bytes. NaN: not known. */
export interface IoRollUpRow {
  readonly startTicks: number
  readonly endTicks: number
  readonly sizeBytes: number
  readonly busyTicks: number
  readonly minTicks: number
  readonly maxTicks: number
}

/** Name of a journal file that is zeroed for its next use; newer servers report that as journal writes of this file. */
const RECYCLED_JOURNAL = 'recyclable-journal'

/**
 * Kind under which a row is stored. Preparing a journal is not a commit, so it is a separate kind that is not included
 * in the figures of journal writes.
 */
export const trackKind = (file: string, kind: string): string =>
  kind === 'JournalWrite' && file.startsWith(RECYCLED_JOURNAL) ? 'JournalPreparation' : kind

/** The kind as the server reports it. */
export const wireKind = (kind: string): string => (kind === 'JournalPreparation' ? 'JournalWrite' : kind)

export interface IoKindRows {
  readonly kind: string
  /** Columns as above, in the order of the document; FILE stays 0 and is set by the table. */
  readonly events: EventBatch
  readonly rollUps: readonly IoRollUpRow[]
}

export interface IoFileRows {
  readonly name: string
  readonly status: string | null
  readonly kinds: readonly IoKindRows[]
}

export interface IoEnvironmentRows {
  readonly path: string
  readonly type: string
  readonly files: readonly IoFileRows[]
}

export interface IoDocument {
  readonly environments: readonly IoEnvironmentRows[]
  readonly problems: ReadProblems
}

/** Maximum plausible span: ten years. A longer one is a broken number, not a slow disk. */
export const MAX_SPAN_MS = 10 * 365 * 86_400_000

import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { IoEventRow, IoFilter, IoRows } from './rows.ts'
import type { LaneId } from './lanes.ts'

/**
 * Number of cells in a chart of size against duration: for each factor of ten of the duration, and for each factor of
 * two of the size.
 */
export const CELLS_PER_DECADE = 8
export const CELLS_PER_DOUBLING = 2

export interface IoSizesParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  /** Maximum number of slowest events per kind. */
  readonly slowestLimit: number
}

/**
 * Events of one kind that start in the range, by size and duration. Columns; cells without events are left out. Cell
 * `i` begins at 10^(i / `CELLS_PER_DECADE`) ticks and at 2^(i / `CELLS_PER_DOUBLING`) bytes; cell 0 also contains
 * smaller values.
 */
export interface IoKindSizes {
  readonly kind: string
  readonly size: Uint16Array
  readonly duration: Uint16Array
  readonly count: Uint32Array
  /** Single events, slowest first. */
  readonly slowest: readonly IoEventRow[]
}

export interface IoSizesResponse {
  readonly version: number
  /** Kinds that have events in the range. */
  readonly kinds: readonly IoKindSizes[]
}

export interface IoJournalsParams {
  readonly lane: LaneId
  /** Maximum number of journals; the newest are returned. */
  readonly limit: number
  /** Time ranges in which events of a kind are not known; kind null: events of all kinds. */
  readonly unknown: readonly (TimeRange & { readonly kind: string | null })[]
}

/** A journal file, as derived from its recorded I/O. */
export interface IoJournal {
  readonly name: string
  readonly number: number
  /** Known lifetime of the file: start of the first journal write, end of the last one. */
  readonly firstTicks: Ticks
  readonly endTicks: Ticks
  /** Number of single journal writes, and of roll-ups of further ones. */
  readonly writes: number
  readonly rollUps: number
  /** Bytes written to the file. */
  readonly bytes: Bytes
  /** Length of the file; null: not reported. */
  readonly fileBytes: Bytes | null
  /** `InUse` or `Closed`, as reported by the last whole document; null: not reported. */
  readonly status: string | null
  /**
   * First data flush that began after the end of the last write; no earlier flush can include all of the journal. Null:
   * none is known, the journal may still be written to, or a write or an earlier flush may lie in a time range without
   * data.
   */
  readonly flush: TimeRange | null
  /**
   * First data sync that began after that flush; no earlier sync can have made the journal durable. Null: as for the
   * flush.
   */
  readonly sync: TimeRange | null
}

export interface IoJournalsResponse {
  readonly version: number
  /** Newest first. */
  readonly journals: readonly IoJournal[]
  /** Number of older journals that are left out. */
  readonly older: number
}

export interface IoCommitsParams {
  /** Lane of the environment of a database's documents. */
  readonly lane: LaneId
  /** Start of the journal write of the selected commit. */
  readonly journalStartTicks: Ticks
  /** Range of the commits to sum up. */
  readonly range: TimeRange
}

/**
 * Transaction of the transaction merger with the steps before and after it. A step that is null is not known, or did
 * not happen.
 */
export interface IoCommit {
  /** Start of the transaction. */
  readonly startTicks: Ticks
  /** Time for which the merger waited for work; 0 if work was available; null: not known. */
  readonly waitTicks: TickSpan | null
  /** Time of executing operations; includes waiting for the journal write of the previous commit. */
  readonly transactionTicks: TickSpan
  /** Number of client operations in the transaction; each waits for its commit. */
  readonly writers: number
  readonly commands: number | null
  readonly compressionTicks: TickSpan | null
  /**
   * Time from the end of the transaction to the end of the journal write that is neither compression nor journal write.
   */
  readonly otherTicks: TickSpan
  readonly journalTicks: TickSpan | null
  readonly journalStartTicks: Ticks | null
  readonly nextStartTicks: Ticks | null
}

export interface IoCommitSums {
  readonly commits: number
  /** Number of further commits in the range whose wait or journal write is not known. */
  readonly leftOut: number
  /** Starts of the first and of the last transaction. */
  readonly firstTicks: Ticks
  readonly lastTicks: Ticks
  readonly waitTicks: TickSpan
  readonly transactionTicks: TickSpan
  readonly otherTicks: TickSpan
  readonly compressionTicks: TickSpan
  readonly journalTicks: TickSpan
  readonly writers: number
  readonly mostWriters: number
}

/** `unloaded`: the database is not loaded, so no request was sent to it. */
export type IoCommitsResponse =
  | { readonly known: false; readonly why: 'unloaded' | 'not-in-file' }
  | {
      readonly known: true
      /** Transaction of the selected journal write; null: not reported, or no longer. */
      readonly commit: IoCommit | null
      /** Sums over the commits in the range that are completely known; null: there are none. */
      readonly sums: IoCommitSums | null
      /** Start of the oldest transaction that is reported individually; null: none. */
      readonly sinceTicks: Ticks | null
    }

/** Requests of the I/O panel for details. */
export interface IoDetailRequests {
  /** Journals of one environment. */
  'io.journals': { params: IoJournalsParams; response: IoJournalsResponse }
  /**
   * Transactions of a database. From a file: as it reports them. From a server: the last 256 of a loaded database,
   * which costs it 2.7 ms, so only on a click.
   */
  'io.commits': { params: IoCommitsParams; response: IoCommitsResponse }
  'io.sizes': { params: IoSizesParams; response: IoSizesResponse }
}

declare module '../../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends IoDetailRequests {}
}

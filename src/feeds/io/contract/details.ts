import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { IoEventRow, IoFilter, IoRows } from './rows.ts'
import type { LaneId } from './lanes.ts'

/** Cells of a chart of size against duration, for each factor of ten of the duration and of two of the size. */
export const CELLS_PER_DECADE = 8
export const CELLS_PER_DOUBLING = 2

export interface IoSizesParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  /** Slowest events per kind, at most. */
  readonly slowestLimit: number
}

/**
 * Events of one kind that start in the range, by size and duration; columns, cells without an event are left out. Cell `i`
 * begins at 10^(i / `CELLS_PER_DECADE`) ticks, and at 2^(i / `CELLS_PER_DOUBLING`) bytes; 0 holds what is smaller, too.
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
  /** The newest so many. */
  readonly limit: number
  /** Spans of which events of a kind are not known; kind null: of none. */
  readonly unknown: readonly (TimeRange & { readonly kind: string | null })[]
}

/** A journal file by the I/O that was recorded of it. */
export interface IoJournal {
  readonly name: string
  readonly number: number
  /** First and last thing known of it: start of the first journal write, end of the last one. */
  readonly firstTicks: Ticks
  readonly endTicks: Ticks
  /** Single journal writes, and roll-ups of further ones. */
  readonly writes: number
  readonly rollUps: number
  /** Written to it. */
  readonly bytes: Bytes
  /** Length of the file; null: not reported. */
  readonly fileBytes: Bytes | null
  /** `InUse`, `Closed`, as the last whole document reported; null: none did. */
  readonly status: string | null
  /**
   * The first data flush that began when the last write had ended: no earlier one can hold all of it. Null: none is known, more
   * may be written to it, or a write or an earlier flush may be in a span of which nothing is known.
   */
  readonly flush: TimeRange | null
  /** The first data sync that began after that flush: no earlier one can have made it durable. Null: as for the flush. */
  readonly sync: TimeRange | null
}

export interface IoJournalsResponse {
  readonly version: number
  /** Newest first. */
  readonly journals: readonly IoJournal[]
  /** Further ones, which are older. */
  readonly older: number
}

export interface IoCommitsParams {
  /** The environment of the documents of a database. */
  readonly lane: LaneId
  /** Start of the journal write of the selected commit. */
  readonly journalStartTicks: Ticks
  /** Range of the commits that are summed up. */
  readonly range: TimeRange
}

/** Transaction of the merger with the steps before and after it. Null: not known, or it had none. */
export interface IoCommit {
  /** Start of the transaction. */
  readonly startTicks: Ticks
  /** The merger had waited for work, 0 where work was there; null: not known. */
  readonly waitTicks: TickSpan | null
  /** Executing operations; holds waiting for the journal write of the commit before. */
  readonly transactionTicks: TickSpan
  /** Operations of clients in it, each of which waits for its commit. */
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
  /** Further ones in the range, of which the wait or the journal write is not known. */
  readonly leftOut: number
  /** Start of the first and of the last transaction. */
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

/** `unloaded`: the database is not loaded, so that no request was sent to it. */
export type IoCommitsResponse =
  | { readonly known: false; readonly why: 'unloaded' | 'not-in-file' }
  | {
      readonly known: true
      /** Transaction of the selected journal write; null: it is not reported (any more). */
      readonly commit: IoCommit | null
      /** Sums over the commits in the range that are wholly known; null: there is none. */
      readonly sums: IoCommitSums | null
      /** The oldest transaction that is reported one by one; null: none. */
      readonly sinceTicks: Ticks | null
    }

/** Requests of the I/O panel for details. */
export interface IoDetailRequests {
  /** Journals of one environment. */
  'io.journals': { params: IoJournalsParams; response: IoJournalsResponse }
  /**
   * Transactions of a database: of a file as it reports them; of a server, the last 256 of a loaded database (costs it
   * 2.7 ms), never without a click.
   */
  'io.commits': { params: IoCommitsParams; response: IoCommitsResponse }
  'io.sizes': { params: IoSizesParams; response: IoSizesResponse }
}

declare module '../../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends IoDetailRequests {}
}

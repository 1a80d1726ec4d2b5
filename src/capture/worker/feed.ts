import type { Extent } from '../../base/far-events.ts'
import type { Ticks } from '../../base/ticks.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import type { SocketPhase } from '../../ravendb/sockets/socket-events.ts'
import type { TableRows } from '../archive/tables.ts'
import type { Exporters } from '../exporting/exporter.ts'
import type { GapLog } from './gap-log.ts'
import type { DocumentReader } from '../reading/document.ts'
import type { Listed } from '../reading/package-entries.ts'
import type { Handlers } from './handlers.ts'
import type { ServerClock } from './server-clock.ts'
import type { Gap, SourceId, SourceRef } from '../client/state.ts'
import type { FeedSummaryRow } from '../client/summary.ts'

/**
 * `rows`: rows arrived, or gaps began or ended. `samples`: only data that arrives steadily without any event, such as
 * free memory.
 */
export type TableChange = 'rows' | 'samples'

/** Context in which a feed watches a source. */
export interface WatchContext {
  readonly source: SourceId
  readonly ref: SourceRef
  readonly governor: Governor
  readonly gapLog: GapLog
  readonly clock: ServerClock
  /** Start of the recording of this source in a worker that is gone; null: none. */
  readonly lostFromTicks: Ticks | null
  /** Why the source was not watched since then; undefined: no recorder ran. */
  readonly lostGap?: Pick<Gap, 'reason' | 'detail'> | undefined
  /** Reports the state of the connection, which the source shows. */
  readonly report: (phase: SocketPhase) => void
  /** Records that something arrived (a heartbeat has 0 bytes and is not a frame). */
  readonly received: (atMs: number, bytes: number, isFrame: boolean) => void
  /** Called when tables have changed, by rows if left out. */
  readonly changed: (by?: TableChange) => void
}

export interface FeedWatch {
  /** Stops watching; collected data stays. */
  readonly close: () => void
  /** Loads the unloaded database, at the explicit request of the user. */
  readonly loadNow: () => void
  readonly retryNow: () => void
}

/** First start and last end of a source's data, ms since 1970, without far events. */
export interface FeedSpan {
  readonly source: SourceId
  readonly firstMs: number
  readonly endMs: number
}

export interface LaterPart {
  /** As `Responder.responses`. */
  readonly responses: Responder['responses']
  /** Exporters by format; left out: none. */
  readonly exporters?: Partial<Exporters>
}

/**
 * Has a feed watch a source that is not open, in place of the last one; null: none. Such a source has no state, and
 * panels show it only once it is opened. An open one is left as it is.
 */
export type WatchUnopened = (feed: SourceWatcher, ref: SourceRef | null) => void

/** Handles requests of panels; every feed does. */
export interface Responder {
  readonly name: string
  /** Called when a server answers for the first time: starts watching everything that all panels show of it. */
  readonly begin?: (governor: Governor, watchUnopened: WatchUnopened) => void
  /** Called before anything is watched: a recording that began at `sinceMs`, wall clock, is gone with its worker. */
  readonly lost?: (sinceMs: number) => void
  /** Its part of `WorkerRequests`, checked with `satisfies Handlers<…>`. */
  readonly responses: Partial<Handlers>
  /** Part that no panel requests in the first seconds, loaded after the rest. Rejects if it cannot be. */
  readonly later?: () => Promise<LaterPart>
}

/** Watches live sources. */
export interface SourceWatcher {
  /** Starts to watch; null: such a source has no data of this kind. */
  readonly watch: (context: WatchContext) => FeedWatch | null
}

/** Reads documents of files. */
export interface FileReader {
  /** Whether a document belongs to this feed, by the paths at its beginning (`$.Environments`). */
  readonly recognises: (paths: ReadonlySet<string>) => boolean
  /** Must be awaited before `reader` is called: loads its code. Rejects if it cannot be loaded. */
  readonly prepare?: () => Promise<void>
  /**
   * Reads such a document into `source`. `problem` takes invalid values: byte (−1: not known) and expectation. `paths`
   * are those by which it was recognised, for a feed with several kinds of documents. `note` takes further remarks
   * about the document, in whole sentences.
   */
  readonly reader: (
    source: SourceId,
    gapLog: GapLog,
    problem: (at: number, expected: string) => void,
    paths: ReadonlySet<string>,
    note: (sentence: string) => void,
  ) => DocumentReader
}

/** A package whose entries are listed but not read yet. */
export interface ListedPackage {
  /** Name of the file, as in the ids of its sources. */
  readonly name: string
  readonly listed: readonly Listed[]
  /** Must be called regularly to let other work run. Rejects when the file is not wanted any more. */
  readonly step: () => Promise<void>
}

/** Handles debug packages as servers. */
export interface PackageTaker {
  /** Reads the responses of its servers; resolves to their number. */
  readonly takePackage: (opened: ListedPackage) => Promise<number>
}

/** Takes rows of archives. */
export interface TableTaker {
  /** Returns false if rows of this table belong to another feed. `sourceOf` maps a source in a row to its id here. */
  readonly takeRows: (rows: TableRows, sourceOf: (own: SourceId) => SourceId) => Promise<boolean>
}

/** Holds rows of sources over time. */
export interface RowHolder {
  readonly extent: () => Extent | null
  readonly summary: () => FeedSummaryRow[]
  /** Range of each source's data; cheap enough to be called repeatedly while a file is read. */
  readonly spans: () => FeedSpan[]
}

/** Holds what grows with data. */
export interface ByteHolder {
  /** Bytes of tables with their pyramids, bytes of everything else that grows with data, and number of rows. */
  readonly byteLength: () => { readonly tables: number; readonly other: number; readonly rows: number }
}

/** A feed of sources, live and in files, with all of its parts. */
export interface SourceFeed extends Responder, SourceWatcher, FileReader, RowHolder, ByteHolder {}

type OrNone<Part> = Part | { readonly [Name in keyof Part]?: never }

/** A kind of data with all ways to get it: handlers for requests, and the parts that apply. */
export type Feed = Responder &
  OrNone<SourceWatcher> &
  OrNone<FileReader> &
  OrNone<PackageTaker> &
  OrNone<TableTaker> &
  OrNone<RowHolder> &
  OrNone<ByteHolder>

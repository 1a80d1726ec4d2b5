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
import type { SourceId, SourceRef } from '../client/state.ts'
import type { FeedSummaryRow } from '../client/summary.ts'

/** Rows arrived, gaps began or ended; or only what arrives at a steady pace although nothing happens, such as the free memory. */
export type TableChange = 'rows' | 'samples'

/** Context in which a feed watches one source. */
export interface WatchContext {
  readonly source: SourceId
  readonly ref: SourceRef
  readonly governor: Governor
  readonly gapLog: GapLog
  readonly clock: ServerClock
  /** From when on a worker that is gone had recorded this source; null: none had. */
  readonly lostFromTicks: Ticks | null
  /** How the way to the data is; the source shows it. */
  readonly report: (phase: SocketPhase) => void
  /** Something arrived (a heartbeat has 0 bytes of payload and is no frame). */
  readonly received: (atMs: number, bytes: number, isFrame: boolean) => void
  /** Tables changed, by default by rows. */
  readonly changed: (by?: TableChange) => void
}

export interface FeedWatch {
  /** Stops; what was collected stays. */
  readonly close: () => void
  /** Loads the unloaded database, at the explicit request of the user. */
  readonly loadNow: () => void
  readonly retryNow: () => void
}

/** When a source's data begins and when the last of it ends, ms since 1970, without what lies far from nearly all of it. */
export interface FeedSpan {
  readonly source: SourceId
  readonly firstMs: number
  readonly endMs: number
}

export interface LaterPart {
  /** As `Responder.responses`. */
  readonly responses: Responder['responses']
  /** Ways out: one for each format; none where it is left out. */
  readonly exporters?: Partial<Exporters>
}

/** Responds to what panels request; every feed does. */
export interface Responder {
  readonly name: string
  /**
   * A server answers for the first time: what is watched of it on every panel begins. `lostSinceMs`: from when on a worker
   * that is gone had watched it, wall clock; null: none had.
   */
  readonly begin?: (governor: Governor, lostSinceMs: number | null) => void
  /** Its part of `WorkerRequests`, which it checks with `satisfies Handlers<…>`. */
  readonly responses: Partial<Handlers>
  /**
   * Part that no panel requests in the first seconds; its code is fetched after the rest. Rejects where that cannot be
   * had.
   */
  readonly later?: () => Promise<LaterPart>
}

/** Watches live sources. */
export interface SourceWatcher {
  /** Begins to watch; null: there is nothing of this kind in such a source. */
  readonly watch: (context: WatchContext) => FeedWatch | null
}

/** Reads documents of files. */
export interface FileReader {
  /** Whether a document is of this feed, by the paths that its beginning has (`$.Environments`). */
  readonly recognises: (paths: ReadonlySet<string>) => boolean
  /** To be awaited before `reader` is called: fetches its code, where that is not here. Rejects where it cannot be had. */
  readonly prepare?: () => Promise<void>
  /**
   * Reads such a document into `source`. `problem` takes what made no sense: the byte (−1: not known) and what was
   * expected. `paths` are those by which it was recognised, for a feed that knows several kinds of documents. `note`
   * takes what else is to be said of the document, in whole sentences.
   */
  readonly reader: (
    source: SourceId,
    gapLog: GapLog,
    problem: (at: number, expected: string) => void,
    paths: ReadonlySet<string>,
    note: (sentence: string) => void,
  ) => DocumentReader
}

/** A package whose entries are listed, and not read yet. */
export interface ListedPackage {
  /** Name of the file, as sources have it. */
  readonly name: string
  readonly listed: readonly Listed[]
  /** To be called now and then: others get their turn. Rejects when the file is not wanted any more. */
  readonly step: () => Promise<void>
}

/** Takes debug packages as the servers whose responses they hold. */
export interface PackageTaker {
  /** Reads what there is of them; how many there are. */
  readonly takePackage: (opened: ListedPackage) => Promise<number>
}

/** Takes rows of archives. */
export interface TableTaker {
  /** Responds false where rows of this table are not its own. `sourceOf`: the source that stands for the one that a row names. */
  readonly takeRows: (rows: TableRows, sourceOf: (own: SourceId) => SourceId) => Promise<boolean>
}

/** Holds rows of sources over time. */
export interface RowHolder {
  readonly extent: () => Extent | null
  readonly summary: () => FeedSummaryRow[]
  /** From when to when each source has data, cheap enough to be requested again and again while a file is read. */
  readonly spans: () => FeedSpan[]
}

/** Holds what grows with data. */
export interface ByteHolder {
  /** Bytes held: by tables with their pyramids, and by everything else that grows with data. */
  readonly byteLength: () => { readonly tables: number; readonly other: number; readonly rows: number }
}

/** A feed of sources, live and in files, with all of its parts. */
export interface SourceFeed extends Responder, SourceWatcher, FileReader, RowHolder, ByteHolder {}

type OrNone<Part> = Part | { readonly [Name in keyof Part]?: never }

/** Kind of data and all ways to get it: it responds, and has the parts that apply to it. */
export type Feed = Responder &
  OrNone<SourceWatcher> &
  OrNone<FileReader> &
  OrNone<PackageTaker> &
  OrNone<TableTaker> &
  OrNone<RowHolder> &
  OrNone<ByteHolder>

import type { Bytes } from '../../base/brand.ts'
import { databaseKey } from '../../base/text/database-key.ts'
import type { Extent } from '../../base/far-events.ts'
import type { Ticks, TimeRange } from '../../base/ticks.ts'
import type { RavenErrorKind } from '../../ravendb/errors/errors.ts'
import type { Meter, MeterCost } from '../../ravendb/budget/meter.ts'
import { DEFAULT_LIMITS } from '../../ravendb/budget/plan.ts'

export type { Meter, MeterCost } from '../../ravendb/budget/meter.ts'

/** A source of data. The server's own storage is a source beside its databases. */
export type SourceRef =
  | { readonly kind: 'server' }
  | { readonly kind: 'database'; readonly name: string }
  | { readonly kind: 'file'; readonly name: string }

/** Maximum number of sources, each a socket; more would be a mistake or a hostile link. */
export const MAX_SOURCES = 50

/** `server`, `db:<name>` or `file:<name>`; stable, and part of the URL. */
export type SourceId = string

/** Phase of a source on its way to data; only `live` and `read` mean complete data. */
export type SourcePhase =
  | 'checking' // finding out whether the database is loaded
  | 'unloaded' // the server has unloaded it; watching waits, and loads nothing
  | 'compacting' // the server does it just now: it is offline until it is done
  | 'loading' // the server loads it just now, for some client
  | 'connecting'
  | 'live'
  | 'waiting' // the socket closed; tried again at retryAtMs
  | 'refused' // the certificate lacks a right
  | 'disabled'
  | 'faulted'
  | 'gone' // deleted, or never existed
  | 'paused' // the tab is hidden
  | 'paused-by-rookery' // by the overhead limit, until retryAtMs
  | 'reading' // a file
  | 'read'
  | 'broken' // a file whose rest could not be read

/** An error as data that can be sent between threads and shown: what failed, where, the response, and what to do. */
export interface ErrorInfo {
  /** Kind of the error of a request to a server; left out for other errors. */
  readonly kind?: RavenErrorKind
  readonly endpoint: string
  /** HTTP status; null: no response, or a response that could not be used. */
  readonly status: number | null
  readonly message: string
  readonly serverMessage: string | null
  readonly hint: string
}

/** Range for which a source has data of one feed, ms since 1970: the first start and the latest end. */
export interface SourceSpan {
  readonly feed: string
  readonly firstMs: number
  readonly endMs: number
}

export interface SourceState {
  readonly id: SourceId
  readonly ref: SourceRef
  readonly phase: SourcePhase
  /** Wall clock of this browser at the start of the phase, ms since 1970. */
  readonly sinceMs: number
  /** Plain sentence about the phase; may be empty. */
  readonly message: string
  readonly retryAtMs: number | null
  readonly error: ErrorInfo | null
  /** Wall clock of this browser, ms since 1970, when the last frame arrived, heartbeats included. */
  readonly lastReceivedMs: number | null
  readonly frames: number
  readonly bytes: Bytes
  /** Ranges of a file's data at its last change; empty for a live source, whose end is now. */
  readonly spans: readonly SourceSpan[]
}

/** Why data is missing. */
export type GapReason =
  | 'socket-closed'
  | 'server-stopped'
  | 'server-unresponsive' // it sent nothing at all, and went on later; a notice where nothing is missing
  | 'tab-hidden'
  | 'database-unloaded'
  | 'database-disabled'
  | 'database-deleted'
  | 'database-restarted' // the rings started again: what they held is lost
  | 'worker-restarted' // the recording was in a worker of the page that stopped
  | 'ring-lapped'
  | 'index-changed' // deleted, reset or replaced: its list of batches went with it
  | 'not-watched'
  | 'paused-by-rookery' // by the overhead limit: no fault of the server
  | 'malformed' // rows or a frame that could not be read
  | 'clock-jumped' // the server's clock went back; a notice, nothing is missing
  | 'not-sent' // a recorder had rows, and its folder was full before a database took them

export interface Gap extends TimeRange {
  readonly id: number
  readonly source: SourceId
  /** Lane that it is limited to; null: the whole source. */
  readonly lane: string | null
  readonly kind: string | null
  readonly reason: GapReason
  /** Whether the gap is still open: its end moves with the time. */
  readonly isOpen?: true
  /** Number of missing rows; null: not known. */
  readonly missingCount: number | null
  readonly missingBytes: Bytes | null
  readonly detail: string
}

/**
 * Lane of gaps that concern every index of a source (`Gap.lane`); gaps of one index have its key. Gaps without a lane
 * belong to the source's I/O feed and do not concern batches.
 */
export const allIndexesLane = (source: SourceId): string => `indexes:${source}`

/** Cost before the worker has reported any. */
export const NO_COST: MeterCost = {
  limits: DEFAULT_LIMITS,
  isAttended: false,
  shareOfCore: 0,
  onceMs: 0,
  serverMs: 0,
  shareOfRequests: null,
  databasesLoaded: 0,
  slowedPolls: [],
  pausedSockets: [],
  otherPages: { pages: 0, shareOfCore: 0, requestsPerMinute: 0, bytesPerMinute: 0 as Bytes },
}

/** View with which a capture was saved. */
export interface SavedPicture {
  /** Address of the view, with sources of a file called `SAVED_NAME` of `capture/archive/saved-capture.ts`. */
  readonly address: string
  /** Named lists of lanes, as Timeline exports them. */
  readonly presets: string
}

/** A file that was opened, or an entry of a package. */
export interface FileState {
  readonly id: number
  readonly name: string
  /** `duplicate`: an equal file is open already. */
  readonly phase: 'listing' | 'reading' | 'read' | 'broken' | 'refused' | 'cancelled' | 'duplicate'
  /** Size of the file itself, compressed if it is. */
  readonly totalBytes: Bytes
  readonly readBytes: Bytes
  readonly startedMs: number
  /** Wall clock of this browser at the end, ms; null: not ended. */
  readonly endedMs: number | null
  /** Sentence with expectation, finding and byte, or the number of invalid rows; may be empty. */
  readonly message: string
  /** Byte at which the readable part of the document ends, or else of the first value that was left out; null: none. */
  readonly faultAt: number | null
  /** Sources with its rows. */
  readonly sources: readonly SourceId[]
  /** Number of servers with responses in it: one for a debug package, one a node for that of a cluster. */
  readonly servers: number
  /** Entries of a package, in its order; empty for a single document. */
  readonly entries: readonly FileEntry[]
  /** View of a saved capture; left out for other files. */
  readonly picture?: SavedPicture
}

export interface FileEntry {
  /** Path in the package; for a nested package, after that one's path and `/`. */
  readonly path: string
  readonly bytes: Bytes
  /** Feed that read it; null: no feed does, and it can be read as text. */
  readonly feed: string | null
  /** Further feeds that have rows of it, as of a journal. */
  readonly otherFeeds?: readonly string[]
  /** `not-gathered`: the server wrote here why it could not get the data. */
  readonly phase: 'listed' | 'reading' | 'read' | 'broken' | 'refused' | 'not-gathered' | 'empty'
  readonly message: string
  /** Number of rows of a recording that only a later version of Rookery knows; they were skipped. */
  readonly newerRows?: number
}

export interface ServerInfo {
  readonly url: string
  readonly productVersion: string
  readonly fullVersion: string
}

/** State of the worker that has the capture. */
export interface WorkerState {
  readonly phase:
    | 'running'
    | 'silent' // it does not answer, and is restarted if that lasts
    | 'restarted' // it was gone, and another one has begun
    | 'failed' // it cannot be made, or does not live
  /** Start of the state, wall clock, ms since 1970; 0 while it runs. */
  readonly atMs: number
  /** Cause, or the browser's own words; may be empty. */
  readonly message: string
  /** Number of workers that this page has started: a new one knows nothing of earlier commands. */
  readonly lives: number
}

/** Knowledge of the main thread about a capture: small, replaced as a whole, at most ten times a second. */
export interface CaptureState {
  /** Increases with each change of the data. */
  readonly version: number
  readonly sources: readonly SourceState[]
  /** From the first to the last data of any source, without a few far events; null: no data. */
  readonly extent: Extent | null
  /** Server time of the newest row or frame, which defines "live"; null: nothing was received. */
  readonly nowTicks: Ticks | null
  /** Time by which this computer's clock is ahead of the server's, ms; negative: behind; 0 if not known. */
  readonly clockAheadMs: number
  readonly gaps: readonly Gap[]
  readonly files: readonly FileState[]
  readonly meter: Meter
  readonly server: ServerInfo | null
  readonly serverError: ErrorInfo | null
  /**
   * Nothing has arrived from the server since `sinceMs` (wall clock of this browser), for more than two heartbeats;
   * null: data is current, or the server is not watched. `isUnresponsive`: a request was not answered either.
   */
  readonly silence: { readonly sinceMs: number; readonly isUnresponsive: boolean } | null
  readonly worker: WorkerState
}

export const sourceId = (ref: SourceRef): SourceId =>
  ref.kind === 'server' ? 'server' : ref.kind === 'database' ? `db:${ref.name}` : `file:${ref.name}`

export const isFileSource = (id: SourceId): boolean => id.startsWith('file:')

/** Key of a source id; equal for different spellings of the database name. */
export const sourceKey = (id: SourceId): string => (id.startsWith('db:') ? `db:${databaseKey(id.slice(3))}` : id)

/** Each source once, in its first spelling. */
export function distinctSources(ids: readonly SourceId[]): readonly SourceId[] {
  const byKey = new Map<string, SourceId>()
  for (const id of ids) if (!byKey.has(sourceKey(id))) byKey.set(sourceKey(id), id)
  return byKey.size === ids.length ? ids : [...byKey.values()]
}

/** Parses a source from a URL; null: not a source. */
export function parseSourceId(id: SourceId): SourceRef | null {
  if (id === 'server') return { kind: 'server' }
  if (id.startsWith('db:') && id.length > 3) return { kind: 'database', name: id.slice(3) }
  if (id.startsWith('file:') && id.length > 5) return { kind: 'file', name: id.slice(5) }
  return null
}

/** Folder of one node in the package of a cluster. */
export interface NodeFolder {
  readonly file: string
  readonly tag: string
  /** Folder of a database; `server-wide` for the server itself. */
  readonly folder: string
}

/** Node in the name of a source, `… - Node - [A].zip`; null: not in a package of a cluster. */
export function nodeFolderOf(name: string): NodeFolder | null {
  const [, file, tag, folder] = /^(.+?)\/[^/]*Node - \[([^\]/]{1,8})\]\.zip\/([^/]+)$/su.exec(name) ?? []
  return file === undefined || tag === undefined || folder === undefined ? null : { file, tag, folder }
}

/** Name of a source on screen: `Server`, `Orders`, `day.zip/Orders`, `Orders on A · cluster.zip`. */
export function sourceLabel(ref: SourceRef): string {
  if (ref.kind === 'server') return 'Server'
  const node = ref.kind === 'file' ? nodeFolderOf(ref.name) : null
  if (node === null) return ref.name
  return `${node.folder === 'server-wide' ? 'Server' : node.folder} on ${node.tag} · ${node.file}`
}

import type { Bytes } from '../../base/brand.ts'
import { databaseKey } from '../../base/text/database-key.ts'
import type { Extent } from '../../base/far-events.ts'
import type { Ticks, TimeRange } from '../../base/ticks.ts'
import type { RavenErrorKind } from '../../ravendb/http/errors.ts'
import type { Meter, MeterCost } from '../../ravendb/budget/meter.ts'
import { DEFAULT_LIMITS } from '../../ravendb/budget/plan.ts'

export type { Meter, MeterCost } from '../../ravendb/budget/meter.ts'

/** Who is looked at. The server's own storage is a source of its own beside its databases. */
export type SourceRef =
  | { readonly kind: 'server' }
  | { readonly kind: 'database'; readonly name: string }
  | { readonly kind: 'file'; readonly name: string }

/** Each is a socket of the browser and of the server; more at once is a mistake or a hostile link. */
export const MAX_SOURCES = 50

/** `server`, `db:<name>` or `file:<name>`; stable, and what the URL carries. */
export type SourceId = string

/**
 * Where a source is on its way to data. Only `live` and `read` speak of complete data; every other phase
 * is said on screen with its message.
 */
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

/** An error as data, made to cross threads and to be shown: what, where, what came, what to do. */
export interface ErrorInfo {
  /** Kind of the error of a request to a server; left out: no request to a server. */
  readonly kind?: RavenErrorKind
  readonly endpoint: string
  /** HTTP status; null: none came, or the response was not refused but could not be used. */
  readonly status: number | null
  readonly message: string
  readonly serverMessage: string | null
  readonly hint: string
}

/** From when to when a source has data of one feed, ms since 1970: the first start and the latest end. */
export interface SourceSpan {
  readonly feed: string
  readonly firstMs: number
  readonly endMs: number
}

export interface SourceState {
  readonly id: SourceId
  readonly ref: SourceRef
  readonly phase: SourcePhase
  /** Wall clock of this browser, ms since 1970, when the phase began. */
  readonly sinceMs: number
  /** Plain sentence about the phase; empty when there is nothing to say. */
  readonly message: string
  readonly retryAtMs: number | null
  readonly error: ErrorInfo | null
  /** Wall clock of this browser, ms since 1970, of the last frame that arrived, heartbeats included. */
  readonly lastReceivedMs: number | null
  readonly frames: number
  readonly bytes: Bytes
  /** Spans of a file, as of its last change; empty for a live source, whose end is now. */
  readonly spans: readonly SourceSpan[]
}

/** Why nothing is known of a span. */
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
  /** The lane it is limited to; null: the whole source. */
  readonly lane: string | null
  readonly kind: string | null
  readonly reason: GapReason
  /** Whether the gap goes on: its end is now, and will be later. */
  readonly isOpen?: true
  /** Number of rows that are missing; null: not known. */
  readonly missingCount: number | null
  readonly missingBytes: Bytes | null
  readonly detail: string
}

/**
 * Lane of gaps that concern every index of a source (`Gap.lane`); gaps of one index carry its key. Gaps without a lane are
 * those of the source's I/O feed: they say nothing of batches.
 */
export const allIndexesLane = (source: SourceId): string => `indexes:${source}`

/** Before the worker reported anything. */
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

/** Picture that a capture was saved with. */
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
  /** `duplicate`: the same file is open already. */
  readonly phase: 'listing' | 'reading' | 'read' | 'broken' | 'refused' | 'cancelled' | 'duplicate'
  /** Size of the file itself, packed where it is packed. */
  readonly totalBytes: Bytes
  readonly readBytes: Bytes
  readonly startedMs: number
  /** Null while it goes on. */
  readonly endedMs: number | null
  /** Sentence: expectation, finding and byte; or the number of rows that made no sense. Empty: nothing to say. */
  readonly message: string
  /** Byte of the document at which its readable part ends, else of the first value that was left out; null: none is known. */
  readonly faultAt: number | null
  /** Sources that it filled. */
  readonly sources: readonly SourceId[]
  /** How many servers' responses it holds: a debug package has one, that of a cluster one for each node. */
  readonly servers: number
  /** Entries of a package, in its order; empty for a single document. */
  readonly entries: readonly FileEntry[]
  /** Picture of a saved capture; left out: the file is none. */
  readonly picture?: SavedPicture
}

export interface FileEntry {
  /** Path in the package; inside a nested package behind that one's path and `/`. */
  readonly path: string
  readonly bytes: Bytes
  /** Which feed read it; null: none knows it, and it can be read as text. */
  readonly feed: string | null
  /** `not-gathered`: the server wrote here why it could not get the data. */
  readonly phase: 'listed' | 'reading' | 'read' | 'broken' | 'refused' | 'not-gathered' | 'empty'
  readonly message: string
}

export interface ServerInfo {
  readonly url: string
  readonly productVersion: string
  readonly fullVersion: string
}

/** How the worker fares that holds the capture. */
export interface WorkerState {
  readonly phase:
    | 'running'
    | 'silent' // it does not answer, and is restarted if that lasts
    | 'restarted' // it was gone, and another one has begun
    | 'failed' // it cannot be made, or does not live
  /** Since when, wall clock, ms since 1970; 0 while it runs. */
  readonly atMs: number
  /** Cause, or the browser's own words; empty where there is nothing to say. */
  readonly message: string
  /** How many this page has made: one that is new knows of nothing that was said to those before. */
  readonly lives: number
}

/** Knowledge of the main thread about a capture: small, replaced as a whole, at most ten times a second. */
export interface CaptureState {
  /** Grows with each change of the data. */
  readonly version: number
  readonly sources: readonly SourceState[]
  /** From the first to the end of the last thing seen, in any source, without few that lie far from there; null while empty. */
  readonly extent: Extent | null
  /** The server's clock at the newest row or frame: what "live" means. Null while nothing was received. */
  readonly nowTicks: Ticks | null
  /** How far the clock of this computer is ahead of the server's, ms; negative: behind; 0 while it is not known. */
  readonly clockAheadMs: number
  readonly gaps: readonly Gap[]
  readonly files: readonly FileState[]
  readonly meter: Meter
  readonly server: ServerInfo | null
  readonly serverError: ErrorInfo | null
  /**
   * Nothing arrived from the server since `sinceMs` (wall clock of this browser), which is more than two heartbeats ago;
   * null: data is current, or nothing of the server is watched. `isUnresponsive`: a request was not answered either.
   */
  readonly silence: { readonly sinceMs: number; readonly isUnresponsive: boolean } | null
  readonly worker: WorkerState
}

export const sourceId = (ref: SourceRef): SourceId =>
  ref.kind === 'server' ? 'server' : ref.kind === 'database' ? `db:${ref.name}` : `file:${ref.name}`

export const isFileSource = (id: SourceId): boolean => id.startsWith('file:')

/** The same for ids of one source, however the name of its database is spelled. */
export const sourceKey = (id: SourceId): string => (id.startsWith('db:') ? `db:${databaseKey(id.slice(3))}` : id)

/** Each source once, as it is spelled first. */
export function distinctSources(ids: readonly SourceId[]): readonly SourceId[] {
  const byKey = new Map<string, SourceId>()
  for (const id of ids) if (!byKey.has(sourceKey(id))) byKey.set(sourceKey(id), id)
  return byKey.size === ids.length ? ids : [...byKey.values()]
}

/** Text of a URL → source; null for what is not one. */
export function parseSourceId(id: SourceId): SourceRef | null {
  if (id === 'server') return { kind: 'server' }
  if (id.startsWith('db:') && id.length > 3) return { kind: 'database', name: id.slice(3) }
  if (id.startsWith('file:') && id.length > 5) return { kind: 'file', name: id.slice(5) }
  return null
}

/** A folder of one node in the package of a cluster. */
export interface NodeFolder {
  readonly file: string
  readonly tag: string
  /** Folder of a database; `server-wide`: of the server itself. */
  readonly folder: string
}

/** Node of a source's name; null: it is of no package of a cluster. The packages of its nodes are named `… - Node - [A].zip`. */
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

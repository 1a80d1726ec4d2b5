import type { DatabaseCounts } from '../../../ravendb/databases/counts.ts'
import type { OverheadLimits } from '../../../ravendb/budget/plan.ts'
import type {
  Detail,
  DetailParams,
  DatabaseNotices,
  IndexErrors,
  IndexState,
} from '../../../ravendb/databases/database-details.ts'
import type { JournalReport } from '../../../ravendb/databases/journals.ts'
import type { StorageEnvironment } from '../../../ravendb/databases/environments.ts'
import type { FoundIndexNames } from '../../../ravendb/databases/index-names.ts'
import type { IndexMerges } from '../../../ravendb/databases/index-merge.ts'
import type { OngoingTasks } from '../../../ravendb/databases/ongoing-tasks.ts'
import type { LoadStory } from '../../../ravendb/databases/databases.ts'
import type { ExportBeginParams, ExportBegun, ExportNextParams, ExportPiece } from '../../exporting/exporter.ts'
import type { RawRequests } from '../../raw/queries.ts'
import type { ListedDatabases } from '../../worker/database-lists.ts'
import type { CaptureMemory, CaptureSummary } from '../summary.ts'

/**
 * Everything that the main thread may request of the worker: name → parameters and response. Each feature adds its own
 * in its `contract.ts` by declaration merging:
 *
 *     declare module '../../capture/client/requests/requests.ts' {
 *       interface WorkerRequests extends IoRequests {}
 *     }
 *
 * `CaptureClient.request`, the hooks and the handlers of the feeds take their types from here. Parameters and responses
 * are cloned between the threads; typed arrays in a response are transferred.
 */
export interface WorkerRequests extends HostRequests, RawRequests {}

/** Requests that the host itself handles. */
export interface HostRequests {
  'host.summary': { params: null; response: CaptureSummary }
  'host.memory': { params: null; response: CaptureMemory }
  /** Responds when every file received has been read: whether it had to wait. */
  'host.idle': { params: null; response: boolean }
  'host.export.begin': { params: ExportBeginParams; response: ExportBegun }
  'host.export.next': { params: ExportNextParams; response: ExportPiece }
  'host.export.cancel': { params: ExportNextParams; response: null }
  /** Resumes, on all pages of this browser, what the overhead limit has paused. */
  'governor.resume': { params: null; response: null }
  /** Sets the overhead limits; the response has those that apply. */
  'governor.limits': { params: OverheadLimits; response: OverheadLimits }
  /** `have`: version of the page's list. Null: there is no newer one. */
  'databases.list': { params: { readonly have: number | null }; response: ListedDatabases | null }
  /** Requests the server's list now, for a click. */
  'databases.renew': { params: null; response: ListedDatabases }
  /** The server's spelling of a database name; null: no such database. */
  'databases.spelling': { params: { readonly name: string }; response: string | null }
  /**
   * Reason why a database takes no requests: there is none (`isGone`), or it is disabled, being compacted or faulted; null:
   * none. Loads nothing.
   */
  'databases.closure': {
    params: { readonly name: string }
    response: { readonly reason: string | null; readonly isGone: boolean }
  }
  /** Loads a watched database; the user knows that. Rejects if it is not watched. */
  'databases.load': { params: { readonly name: string }; response: null }
  /** Progress of a database load. Waits for it, 30 s by default. */
  'databases.loadStory': { params: { readonly name: string }; response: LoadStory }
  /** Names of the indexes of these databases; loads none and keeps none loaded. */
  'databases.indexNames': { params: { readonly databases: readonly string[] }; response: FoundIndexNames }
  'databases.indexErrors': { params: DetailParams; response: Detail<IndexErrors> }
  'databases.indexStates': { params: DetailParams; response: Detail<{ readonly indexes: readonly IndexState[] }> }
  'databases.notices': { params: DetailParams; response: Detail<DatabaseNotices> }
  'databases.counts': { params: DetailParams; response: Detail<DatabaseCounts> }
  'databases.tasks': { params: DetailParams; response: Detail<OngoingTasks> }
  'databases.indexMerges': { params: DetailParams; response: Detail<IndexMerges> }
  'databases.environments': {
    params: DetailParams
    response: Detail<{ readonly environments: readonly StorageEnvironment[] }>
  }
  'databases.journals': { params: DetailParams; response: Detail<{ readonly report: JournalReport }> }
  /** Id of the server; null: not reported. */
  'host.serverId': { params: null; response: string | null }
  /**
   * Difference to the server's clock, measured now or within the last minute; `measured` null: nothing that this client
   * may read has a time.
   */
  'host.clock': { params: null; response: { readonly measured: MeasuredClock | null } }
}

/** Difference between two clocks, bounded by round trips. */
export interface MeasuredClock {
  /** Time by which this computer's clock is ahead of the server's, ms. */
  readonly aheadMs: number
  /** Uncertainty of the difference, ± ms. */
  readonly plusMinusMs: number
}

export type RequestName = keyof WorkerRequests
export type ParamsOf<Name extends RequestName> = WorkerRequests[Name]['params']
export type ResponseOf<Name extends RequestName> = WorkerRequests[Name]['response']

/** Names of the requests with such parameters and responses, for components that serve several features. */
export type RequestsLike<Params, Response> = {
  [Name in RequestName]: [Params, ResponseOf<Name>] extends [ParamsOf<Name>, Response] ? Name : never
}[RequestName]

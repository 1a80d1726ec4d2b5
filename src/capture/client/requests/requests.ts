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

/** Requests to which the host itself responds. */
export interface HostRequests {
  'host.summary': { params: null; response: CaptureSummary }
  'host.memory': { params: null; response: CaptureMemory }
  /** Responds when every file handed over has been read: whether that had to be waited for. */
  'host.idle': { params: null; response: boolean }
  'host.export.begin': { params: ExportBeginParams; response: ExportBegun }
  'host.export.next': { params: ExportNextParams; response: ExportPiece }
  'host.export.cancel': { params: ExportNextParams; response: null }
  /** Opens what the overhead limit has paused, on all pages of this browser. */
  'governor.resume': { params: null; response: null }
  /** Sets the limits of overhead; responds with those that hold. */
  'governor.limits': { params: OverheadLimits; response: OverheadLimits }
  /** `have`: version of the list that the page has. Null: there is none newer. */
  'databases.list': { params: { readonly have: number | null }; response: ListedDatabases | null }
  /** Requests the list of the server now, for a click. */
  'databases.renew': { params: null; response: ListedDatabases }
  /** How the server spells the name of a database; null: it has none of that name. */
  'databases.spelling': { params: { readonly name: string }; response: string | null }
  /** Loads a database that is watched; the user knows that this does so. Rejects where it is not watched. */
  'databases.load': { params: { readonly name: string }; response: null }
  /** How far the load of a database is. Waits for it, by default for 30 s. */
  'databases.loadStory': { params: { readonly name: string }; response: LoadStory }
  /** Names of the indexes of these databases; loads none, and keeps none loaded. */
  'databases.indexNames': { params: { readonly databases: readonly string[] }; response: FoundIndexNames }
  'databases.indexErrors': { params: DetailParams; response: Detail<IndexErrors> }
  'databases.indexStates': { params: DetailParams; response: Detail<{ readonly indexes: readonly IndexState[] }> }
  'databases.notices': { params: DetailParams; response: Detail<DatabaseNotices> }
  'databases.tasks': { params: DetailParams; response: Detail<OngoingTasks> }
  'databases.indexMerges': { params: DetailParams; response: Detail<IndexMerges> }
  'databases.environments': {
    params: DetailParams
    response: Detail<{ readonly environments: readonly StorageEnvironment[] }>
  }
  'databases.journals': { params: DetailParams; response: Detail<{ readonly report: JournalReport }> }
  /** Id of the server; null: it reports none. */
  'host.serverId': { params: null; response: string | null }
  /** Difference to the server's clock, measured now or within the last minute; `measured` null: the server stamps nothing that this client may read. */
  'host.clock': { params: null; response: { readonly measured: MeasuredClock | null } }
}

/** Difference of two clocks, as round trips bound it. */
export interface MeasuredClock {
  /** How far the clock of this computer is ahead of the server's, ms. */
  readonly aheadMs: number
  /** The true difference lies within so much of it, ms. */
  readonly plusMinusMs: number
}

export type RequestName = keyof WorkerRequests
export type ParamsOf<Name extends RequestName> = WorkerRequests[Name]['params']
export type ResponseOf<Name extends RequestName> = WorkerRequests[Name]['response']

/** Names of the requests that take such parameters and respond so: for components that serve several features. */
export type RequestsLike<Params, Response> = {
  [Name in RequestName]: [Params, ResponseOf<Name>] extends [ParamsOf<Name>, Response] ? Name : never
}[RequestName]

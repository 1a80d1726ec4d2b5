import type { Operation } from '../../ravendb/operations-wire.ts'

declare module '../../capture/client/panel-id.ts' {
  interface PanelIds {
    activity: true
  }
}

declare module '../../capture/client/requests.ts' {
  interface WorkerRequests extends ActivityRequests {}
}

export type { Operation } from '../../ravendb/operations-wire.ts'

export interface OperationsResponse {
  /** Running ones first, then those that ended, each newest first; at most 200. */
  readonly operations: readonly Operation[]
  /** How many ended ones are left out. */
  readonly more: number
  /** Loaded databases; null: not known yet. */
  readonly loaded: number | null
  /** Of those, how many have reported their operations since the list was opened. */
  readonly answered: number
  /** Databases that did not, and why. */
  readonly failed: readonly { readonly database: string; readonly message: string }[]
}

export interface ActivityRequests {
  /**
   * Long operations of the server and of loaded databases, by any client; loads none. A database is asked once for each
   * `round`, and again while something runs in it, while other clients use it, or when it is in `also`: each request
   * keeps a database loaded, so that idle ones are left alone.
   */
  'activity.operations': {
    params: { readonly round: number; readonly also: readonly string[] }
    response: OperationsResponse
  }
}

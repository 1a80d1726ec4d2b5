import type { Operation } from '../../ravendb/operations-wire.ts'

/**
 * Views of the panel: what is running on the server (the default), queries or operations including ended ones, or what
 * was done from this browser.
 */
export type ActivityView = 'running' | 'operations' | 'queries' | 'done'

export interface ActivityLinkParams {
  readonly view: Exclude<ActivityView, 'running'>
  /** Key of a running query (`queryKey`). */
  readonly show: string
  /** Filters of operations: name of a database, task as the server names it, part of any text. */
  readonly database: string
  readonly task: string
  readonly find: string
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    activity: ActivityLinkParams
  }
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends ActivityRequests {}
}

export type { Operation } from '../../ravendb/operations-wire.ts'

export interface OperationsResponse {
  /** Operations, running ones first, then ended ones, each newest first; at most 200. */
  readonly operations: readonly Operation[]
  /** Number of ended operations that are left out. */
  readonly more: number
  /** Loaded databases; null: not known yet. */
  readonly loaded: number | null
  /** Loaded databases that have reported their operations since the list was opened. */
  readonly answered: number
  /** Loaded databases without other clients since this page opened. They get no request, which would keep them. */
  readonly resting: number
  /** Whether this certificate cannot see work of databases, so that later operations are found only by a new round. */
  readonly isBlind: boolean
  /** Databases that did not report their operations, and why. */
  readonly failed: readonly { readonly database: string; readonly message: string }[]
}

export interface ActivityRequests {
  /**
   * Long operations of the server and of loaded databases, by any client; loads none. A database gets a request once
   * for each new `round`, and again while something runs in it, while other clients use it, or if it is in `also`. Each
   * request keeps a database loaded, so idle ones get none. `all`: the user wants idle ones included.
   */
  'activity.operations': {
    params: { readonly round: number; readonly also: readonly string[]; readonly all?: boolean }
    response: OperationsResponse
  }
}

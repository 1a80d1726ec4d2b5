/** Columns by which the list can be sorted. */
export type DatabaseSort =
  | 'name'
  | 'state'
  | 'documents'
  | 'indexes'
  | 'size'
  | 'temp'
  | 'upTime'
  | 'errors'
  | 'alerts'
  | 'hints'
  | 'idle'
  | 'unloads'
  | 'requests'
  | 'writes'
  | 'indexing'
  | 'stale'

export interface DatabasesLinkParams {
  readonly filter: string
  /** `-`: descending. */
  readonly sort: `${DatabaseSort}${'' | '-'}`
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    databases: DatabasesLinkParams
    /** The page of the database in scope. */
    database: NoLinkParams
  }
}

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
  /** The database whose page is shown. */
  readonly open: string
  readonly filter: string
  /** `-`: descending. */
  readonly sort: `${DatabaseSort}${'' | '-'}`
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    databases: DatabasesLinkParams
  }
}

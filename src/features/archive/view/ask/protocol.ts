import type { TimeRange } from '../../../../base/ticks.ts'
import type { TableName } from '../../../../capture/archive/manifest.ts'
import type { Asked } from '../asked.ts'

export interface ReadJournals {
  readonly rows: number
  /** End of the last complete block; of a tar, 0. */
  readonly goodBytes: number
  /** Sentences on what cannot be read; null: all can. */
  readonly broken: string | null
}

export interface TableCount {
  readonly table: TableName
  /** Rows that SQL sees. */
  readonly rows: number
  /** Rows in memory: those of a file also outside of the range. */
  readonly held: number
}

/** Orders to the worker of the engine, each with its result. They are carried out one after the other. */
export interface DuckOrders {
  /** Starts the engine. `module`: of an earlier worker of this page; null: it is fetched. */
  start: { params: { readonly url: string; readonly module: WebAssembly.Module | null }; result: WebAssembly.Module }
  /** Tables that a statement names. */
  tables: { params: { readonly sql: string }; result: readonly TableName[] }
  clear: { params: { readonly tables: readonly TableName[] }; result: null }
  /** Reads row groups of a file of an archive, and returns the number of rows. */
  parquet: {
    params: {
      readonly table: TableName
      readonly node: string
      readonly blob: Blob
      readonly groups: { readonly first: number; readonly last: number } | null
    }
    result: number
  }
  /** Reads journals, of which those of a capture are in a tar. `node` null: a tar. It ends above `most` rows. */
  journals: {
    params: {
      readonly node: string | null
      readonly blob: Blob
      readonly tables: readonly TableName[]
      readonly most: number
    }
    result: ReadJournals
  }
  /** Ends the loading of tables, limits them to a range, and counts their rows. */
  show: {
    params: { readonly tables: readonly TableName[]; readonly range: TimeRange | null }
    result: readonly TableCount[]
  }
  run: { params: { readonly sql: string }; result: Asked }
}

export type DuckOrderName = keyof DuckOrders

export type DuckOrder = {
  readonly [Name in DuckOrderName]: {
    readonly id: number
    readonly name: Name
    readonly params: DuckOrders[Name]['params']
  }
}[DuckOrderName]

export type DuckReply =
  | { readonly id: number; readonly result: DuckOrders[DuckOrderName]['result'] }
  | { readonly id: number; readonly error: string }

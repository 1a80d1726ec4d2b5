import type { TimeRange } from '../../../../base/ticks.ts'
import type { TableName } from '../../../../capture/archive/manifest.ts'
import type { Asked } from '../asked.ts'

/** Orders to the worker of the engine, each with its result. They are carried out one after the other. */
export interface DuckOrders {
  /** Starts the engine. `module`: of an earlier worker of this page; null: it is fetched. */
  start: { params: { readonly url: string; readonly module: WebAssembly.Module | null }; result: WebAssembly.Module }
  /** Tables that a statement names. */
  tables: { params: { readonly sql: string }; result: readonly TableName[] }
  clear: { params: { readonly tables: readonly TableName[] }; result: null }
  /** Reads row groups of a file of an archive. */
  parquet: {
    params: {
      readonly table: TableName
      readonly node: string
      readonly blob: Blob
      readonly groups: { readonly first: number; readonly last: number } | null
    }
    result: null
  }
  /** Reads journals, of which those of a capture are in a tar. `node` null: a tar. */
  journals: {
    params: { readonly node: string | null; readonly blob: Blob; readonly tables: readonly TableName[] }
    result: null
  }
  /** Ends the loading of tables, and limits them to a range. */
  show: { params: { readonly tables: readonly TableName[]; readonly range: TimeRange | null }; result: null }
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

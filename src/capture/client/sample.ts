import type { TimeRange } from '../../base/ticks.ts'
import type { RequestName } from './requests/requests.ts'
import type { SourceId } from './state.ts'

/** Page → worker, over the port of a `sample` command: a request about the worker's own small sample. */
export interface SampleRequest {
  readonly id: number
  readonly name: RequestName
  readonly params: unknown
}

/** Worker → page, over that port. `ready` is the first, once the sample has been read. */
export type SampleReport =
  | { readonly type: 'ready'; readonly source: SourceId; readonly extent: TimeRange }
  | { readonly type: 'response'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly message: string }

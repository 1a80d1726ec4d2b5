import type { TimeRange } from '../../../base/ticks.ts'
import type { PanelId, ViewParams } from '../panels.ts'
import type { ParamsOf, RequestName, ResponseOf } from './requests.ts'
import type { Gap, SourceId } from '../state.ts'

/** Sizes of the parts of a panel with lanes, CSS pixels. */
export interface PanelSizes {
  readonly plotWidthPx: number
  readonly plotHeightPx: number
  readonly bodyPx: number
  readonly overviewPx: number
}

/** View that the page will show for files opened while nothing else is open, fitted to them. */
export interface ExpectedView {
  readonly params: ViewParams
  /** Last known sizes; missing for a panel that was never laid out. */
  readonly sizes: ReadonlyMap<PanelId, PanelSizes>
}

/** Expected view once the files have rows. */
export interface FirstView extends ExpectedView {
  readonly sources: readonly SourceId[]
  /** Range to which the view is fitted. */
  readonly range: TimeRange
  /** Range of all data. */
  readonly known: TimeRange
  readonly gaps: readonly Gap[]
}

/** Handles a request as if the page had sent it. */
export type Request = <Name extends RequestName>(name: Name, params: ParamsOf<Name>) => Promise<ResponseOf<Name>>

/** Requests what a panel will request for its first picture. */
export type FirstPicture = (request: Request, view: FirstView) => Promise<void>

/** A response that is pushed, with the request that it belongs to. */
export type PushedResponse = {
  readonly [Name in RequestName]: {
    readonly name: Name
    readonly params: ParamsOf<Name>
    readonly response: ResponseOf<Name>
  }
}[RequestName]

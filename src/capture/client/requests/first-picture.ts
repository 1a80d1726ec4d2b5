import type { TimeRange } from '../../../base/ticks.ts'
import type { PanelId, ViewParams } from '../panels.ts'
import type { ParamsOf, RequestName, ResponseOf } from './requests.ts'
import type { Gap, SourceId } from '../state.ts'

/** How large the parts of a panel with lanes are, CSS pixels. */
export interface PanelSizes {
  readonly plotWidthPx: number
  readonly plotHeightPx: number
  readonly bodyPx: number
  readonly overviewPx: number
}

/** View that the page will show of files that it hands over while nothing else is open, fitted to them. */
export interface ExpectedView {
  readonly params: ViewParams
  /** As they were laid out last; a panel that never was has none. */
  readonly sizes: ReadonlyMap<PanelId, PanelSizes>
}

/** Expected view once the files have rows. */
export interface FirstView extends ExpectedView {
  readonly sources: readonly SourceId[]
  /** Range to which the view is fitted. */
  readonly range: TimeRange
  /** Everything seen. */
  readonly known: TimeRange
  readonly gaps: readonly Gap[]
}

/** Responds as if the page had requested it. */
export type Request = <Name extends RequestName>(name: Name, params: ParamsOf<Name>) => Promise<ResponseOf<Name>>

/** Requests what a panel will request for its first picture. */
export type FirstPicture = (request: Request, view: FirstView) => Promise<void>

/** A response that comes without having been requested, with the request that it responds to. */
export type PushedResponse = {
  readonly [Name in RequestName]: {
    readonly name: Name
    readonly params: ParamsOf<Name>
    readonly response: ResponseOf<Name>
  }
}[RequestName]

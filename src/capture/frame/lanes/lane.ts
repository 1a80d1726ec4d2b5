import { createContext } from 'react'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { Clock } from '../../../base/text/format.ts'
import type { CanvasTokens } from '../../../charts/canvas/tokens.ts'
import type { TimeScale } from '../../../charts/scale.ts'
import type { TimeMarker } from '../../../charts/timeline/markers.ts'
import type { MarksWindow } from '../../../charts/timeline/marks-window.ts'
import type { Indexed, MarkColumns } from '../../../charts/timeline/marks.ts'
import type { FactLine } from '../../../ui/FactLines.tsx'
import type { PanelId, ViewParams } from '../../client/panels.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../../client/requests/requests.ts'
import type { Gap, SourceId } from '../../client/state.ts'
import type { ViewParts } from '../../client/view.ts'
import type { OtherServers } from './servers/other-servers.ts'

/** Feature and name, `io.journals`, as in the URL and in presets. The feature is that of its feed. */
export type LaneId = `${string}.${string}`

/** Definition of a lane that a feature publishes, the only part that other features know. */
export interface LaneDefinition {
  readonly id: LaneId
  readonly title: string
  /** A sentence about what the lane shows and how to read it. */
  readonly explains: string
  /** Subject of the lane: the whole server, or the chosen sources. */
  readonly scope: 'server' | 'sources'
  /** Whether a recording has it too, for a lane of a whole server; any of its sources will do. */
  readonly isRecorded?: boolean
  /** Lists the objects of a source of which each has a lane of its own; left out: a lane shows whole sources. */
  readonly objects?: (request: LaneRequest, source: SourceId, signal: AbortSignal) => Promise<readonly string[]>
  /** Default height, CSS pixels. */
  readonly heightPx: number
  readonly load: () => Promise<{ readonly default: LaneModule }>
}

/** Loads the lanes of all features and the servers other than the page's, when a timeline needs them. */
export type LoadLanes = () => Promise<{ readonly LANES: readonly LaneDefinition[]; readonly SERVERS?: OtherServers }>

/** Provided by the app; null: not available. */
export const LanesContext = createContext<LoadLanes | null>(null)

/** Sends requests to the worker, by name. */
export type LaneRequest = <Name extends RequestName>(
  name: Name,
  params: ParamsOf<Name>,
  signal?: AbortSignal,
) => Promise<ResponseOf<Name>>

/** View for which a lane is read. */
export interface LaneView {
  readonly sources: readonly SourceId[]
  /** Object of the one source, for a lane with `objects`. */
  readonly object?: string | undefined
  /** Window to read, wider than the view and aligned, so that a small move needs no new response. */
  readonly window: MarksWindow
  /** Settings of panels that apply to their lanes as well. */
  readonly params: ViewParams
  /** Actions of this browser. */
  readonly markers: readonly TimeMarker[]
  readonly clock: Clock
}

/** Code of a lane, loaded when the lane is shown. */
export interface LaneModule {
  /** Minimum interval of readings while data arrives, ms. */
  readonly everyMs: number
  /** For data that is collected only on request: requested every 10 s while the lane is shown. */
  readonly want?: (request: LaneRequest, sources: readonly SourceId[], params: ViewParams) => Promise<unknown>
  readonly read: (request: LaneRequest, view: LaneView, signal: AbortSignal) => Promise<LaneData>
}

/** Content of a lane for a view. */
export interface LaneData {
  /** Tracks from top to bottom; they share the height of the lane. */
  readonly tracks: readonly LaneTrack[]
  /** Summarizes a range within the window in a few words: `31 writes, the longest 61 ms`; empty: no marks. */
  readonly summarize: (range: TimeRange) => string
  /** Why there can be no marks; shown in their place. */
  readonly nothing?: string
  /** Legend of the colours; empty: all marks have the same colour, or each mark has a label. */
  readonly legend: readonly LaneLook[]
  /** Rules by which the marks were judged, in order of precedence. */
  readonly rules?: readonly { readonly title: string; readonly reason: string }[]
  /** Whether a gap of the capture affects the lane. */
  readonly hasGap: (gap: Gap) => boolean
  /** Gaps of this lane only. */
  readonly gaps: readonly Gap[]
}

/** Style of a mark: hue and pattern, so that hue is never the only difference. */
export interface LaneLook {
  readonly title: string
  /** Custom property of the hue, one of those that canvases know. */
  readonly token: string
  readonly pattern: 'solid' | 'hatched' | 'low' | 'faint'
}

export interface LaneTrack {
  readonly key: string
  /** Shown after the name of the lane; empty: the lane has one track. */
  readonly title: string
  readonly marks: Indexed<MarkColumns>
  /** Whether marks tile the time, so that the nearest one is hit wherever the pointer is. */
  readonly isTiled: boolean
  readonly itemAt: (mark: number) => LaneItem
  readonly draw: (context: CanvasRenderingContext2D, frame: LaneFrame, box: TrackBox) => void
}

export interface LaneFrame {
  readonly scale: TimeScale
  readonly tokens: CanvasTokens
}

export interface TrackBox {
  readonly yPx: number
  readonly heightPx: number
}

/** A mark in words, for its card, its table row and screen readers. */
export interface LaneItem {
  readonly startTicks: Ticks
  readonly durationTicks: number
  readonly title: string
  /** Facts other than time and duration. */
  readonly facts: readonly FactLine[]
  /** Whole sentences. */
  readonly evidence: readonly string[]
  readonly of: LaneRelations
  /** Link to where the feature shows it; null: none. */
  readonly link: LaneLink | null
}

/** Time and relations of the selected mark, by which related marks are found. */
export type LaneSubject = Pick<LaneItem, 'startTicks' | 'durationTicks' | 'of'>

/** Known objects that a mark belongs to; marks of the same object are related. */
export interface LaneRelations {
  /** Index with its source, since two databases may have an index of the same name. */
  readonly index?: string
  /** Storage environment, by its id in I/O. */
  readonly storage?: string
  readonly transaction?: string
  readonly thread?: string
  readonly operation?: string
}

export interface LaneLink {
  readonly text: string
  readonly panel: PanelId
  readonly parts: ViewParts
  /** Name of the server whose studio has it; left out: the page's own. */
  readonly server?: string
}

export const endOf = ({ startTicks, durationTicks }: Pick<LaneItem, 'startTicks' | 'durationTicks'>): number =>
  startTicks + durationTicks

/** Settings of panels for their lanes, without the lists of lanes, whose changes would only cause readings. */
export const paramsForLanes = (params: ViewParams): ViewParams =>
  Object.fromEntries(Object.entries(params).filter(([key]) => !key.endsWith('.composed')))

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

/** Feature and name, `io.journals`: in the URL and in presets. The feature is the feed that it shows. */
export type LaneId = `${string}.${string}`

/** A lane as a feature publishes it: all that others know of it. */
export interface LaneDefinition {
  readonly id: LaneId
  readonly title: string
  /** A sentence on what the lane shows and how to read it. */
  readonly explains: string
  /** Subject of the lane: the whole server, or the chosen sources. */
  readonly scope: 'server' | 'sources'
  /** A lane of a whole server that a recording has as well, by any of its sources. */
  readonly isRecorded?: boolean
  /** Height at first, CSS pixels. */
  readonly heightPx: number
  readonly load: () => Promise<{ readonly default: LaneModule }>
}

/** Lanes of all features, and the servers beside that of the page; loaded when a timeline composes lanes. */
export type LoadLanes = () => Promise<{ readonly LANES: readonly LaneDefinition[]; readonly SERVERS?: OtherServers }>

/** Provided by the app; null: it has none. */
export const LanesContext = createContext<LoadLanes | null>(null)

/** Requests of the worker, by name. */
export type LaneRequest = <Name extends RequestName>(
  name: Name,
  params: ParamsOf<Name>,
  signal?: AbortSignal,
) => Promise<ResponseOf<Name>>

/** For which view a lane is read. */
export interface LaneView {
  readonly sources: readonly SourceId[]
  /** Wider than what is in sight, and snapped, so that a small move needs no new response. */
  readonly window: MarksWindow
  /** Settings of panels that hold for their lanes as well. */
  readonly params: ViewParams
  /** Actions of this browser. */
  readonly markers: readonly TimeMarker[]
  readonly clock: Clock
}

/** The code of a lane. */
export interface LaneModule {
  /** Read again at most so often while data arrive, ms. */
  readonly everyMs: number
  /** Where data are only collected while a client wants them: requested every 10 s while the lane is shown. */
  readonly want?: (request: LaneRequest, sources: readonly SourceId[], params: ViewParams) => Promise<unknown>
  readonly read: (request: LaneRequest, view: LaneView, signal: AbortSignal) => Promise<LaneData>
}

/** Contents of a lane for a view. */
export interface LaneData {
  /** From top to bottom; they share the height of the lane. */
  readonly tracks: readonly LaneTrack[]
  /** Summarizes a range inside of the window in a few words: `31 writes, the longest 61 ms`; empty: nothing is in it. */
  readonly summarize: (range: TimeRange) => string
  /** In place of marks, where there can be none: why. */
  readonly nothing?: string
  /** Meaning of the colours; empty: all marks have the same colour, or each mark is labelled. */
  readonly legend: readonly LaneLook[]
  /** Rules by which the marks were judged, in the order in which they win. */
  readonly rules?: readonly { readonly title: string; readonly reason: string }[]
  /** Whether a gap of the capture concerns the lane. */
  readonly hasGap: (gap: Gap) => boolean
  /** Gaps that only the lane knows. */
  readonly gaps: readonly Gap[]
}

/** How a mark looks: hue and pattern, so that hue is never alone. */
export interface LaneLook {
  readonly title: string
  /** Custom property of the hue, one of those that canvases know. */
  readonly token: string
  readonly pattern: 'solid' | 'hatched' | 'low' | 'faint'
}

export interface LaneTrack {
  readonly key: string
  /** Beside the name of the lane; empty: the lane has one track. */
  readonly title: string
  readonly marks: Indexed<MarkColumns>
  /** Marks tile the time: the nearest one is hit, wherever the pointer is. */
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

/** A mark in words: its card, its line in the table, and what is read out. */
export interface LaneItem {
  readonly startTicks: Ticks
  readonly durationTicks: number
  readonly title: string
  /** Beside time and duration. */
  readonly facts: readonly FactLine[]
  /** Whole sentences. */
  readonly evidence: readonly string[]
  readonly of: LaneRelations
  /** Where the feature shows it; null: nowhere else. */
  readonly link: LaneLink | null
}

/** Time and relations of the selected mark, by which other marks belong to it. */
export type LaneSubject = Pick<LaneItem, 'startTicks' | 'durationTicks' | 'of'>

/** Things that a mark belongs to, as far as they are known: marks of the same thing belong together. */
export interface LaneRelations {
  /** With its source: two databases may each have one of the same name. */
  readonly index?: string
  /** A storage environment, by its id of I/O. */
  readonly storage?: string
  readonly transaction?: string
  readonly thread?: string
  readonly operation?: string
}

export interface LaneLink {
  readonly text: string
  readonly panel: PanelId
  readonly parts: ViewParts
  /** Name of the server whose studio has it; left out: that of the page. */
  readonly server?: string
}

export const endOf = ({ startTicks, durationTicks }: Pick<LaneItem, 'startTicks' | 'durationTicks'>): number =>
  startTicks + durationTicks

/** Settings of panels hold for their lanes, too; which lanes stand where would only have them read again. */
export const paramsForLanes = (params: ViewParams): ViewParams =>
  Object.fromEntries(Object.entries(params).filter(([key]) => !key.endsWith('.composed')))

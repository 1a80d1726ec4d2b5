import { DURATION_STEPS } from '../../../../base/columns/duration-steps.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import type { IoEventRef, IoRowRef } from '../../../../feeds/io/contract/rows.ts'
import type { IoLane } from '../../../../feeds/io/contract/lanes.ts'
import type { IoSettings } from '../params.ts'
import { layoutRows, rowKey, type LaneRows } from '../timeline/layout.ts'

/** Place of the heat map of one or several rows of data. */
export interface HeatTrack {
  readonly key: string
  /** Rows counted in the heat map: all kinds of a collapsed lane, else one row. */
  readonly refs: readonly IoRowRef[]
  readonly lane: IoLane
  readonly topPx: number
  readonly heightPx: number
}

export type HeatLayout = LaneRows<HeatTrack>

const HEAT_PAD_PX = 3
/** Minimum and maximum height of a duration step. */
const STEP_PX = [2, 3] as const

/** Height of a step at which that number of lanes fills the height without scrolling, within readable limits. */
export function chooseStepPx(lanes: number, heightPx: number): number {
  const fitting = Math.floor((heightPx / Math.max(1, lanes) - HEAT_PAD_PX * 2) / DURATION_STEPS)
  return Math.max(STEP_PX[0], Math.min(STEP_PX[1], fitting))
}

/** Lays out the rows of the timeline with heat maps: all kinds of a closed lane, one of an open one. */
export function layoutHeat(
  lanes: readonly IoLane[],
  sources: readonly SourceId[],
  settings: IoSettings,
  stepPx: number,
): HeatLayout {
  const heightPx = stepPx * DURATION_STEPS
  const rowPx = heightPx + HEAT_PAD_PX * 2
  return layoutRows<HeatTrack>(lanes, sources, settings, {
    lanePx: () => rowPx,
    kindPx: rowPx,
    filePx: rowPx,
    laneTracks: (lane, kinds, topPx) =>
      kinds.length === 0
        ? []
        : [
            {
              key: lane.id,
              refs: kinds.map((kind) => ({ lane: lane.id, kind, file: null })),
              lane,
              topPx: topPx + HEAT_PAD_PX,
              heightPx,
            },
          ],
    rowTrack: (lane, kind, file, topPx) => {
      const ref = { lane: lane.id, kind, file }
      return { key: rowKey(ref), refs: [ref], lane, topPx: topPx + HEAT_PAD_PX, heightPx }
    },
  })
}

/** Track in which an event of a whole kind is drawn; null: the kind is hidden, or the lane is not shown. */
export const trackOfEvent = ({ tracks }: HeatLayout, event: Pick<IoEventRef, 'lane' | 'kind'>): HeatTrack | null =>
  tracks.find(({ refs }) =>
    refs.some(({ lane, kind, file }) => lane === event.lane && kind === event.kind && file === null),
  ) ?? null

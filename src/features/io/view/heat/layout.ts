import { DURATION_STEPS } from '../../../../base/columns/duration-steps.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import type { IoEventRef, IoRowRef } from '../../../../feeds/io/contract/rows.ts'
import type { IoLane } from '../../../../feeds/io/contract/lanes.ts'
import type { IoSettings } from '../params.ts'
import { layoutRows, rowKey, type LaneRows } from '../timeline/layout.ts'

/** Where the heat map of one or several rows of data is drawn. */
export interface HeatTrack {
  readonly key: string
  /** Rows that are counted in it: the kinds of a collapsed lane together, else one. */
  readonly refs: readonly IoRowRef[]
  readonly lane: IoLane
  readonly topPx: number
  readonly heightPx: number
}

export type HeatLayout = LaneRows<HeatTrack>

const HEAT_PAD_PX = 3
/** Least and most height of a step of the duration. */
const STEP_PX = [2, 3] as const

/** The height of a step at which so many lanes fill a height without scrolling, within what is readable. */
export function chooseStepPx(lanes: number, heightPx: number): number {
  const fitting = Math.floor((heightPx / Math.max(1, lanes) - HEAT_PAD_PX * 2) / DURATION_STEPS)
  return Math.max(STEP_PX[0], Math.min(STEP_PX[1], fitting))
}

/** The same rows with a heat map in each: of all kinds in a collapsed lane, of one where it is expanded. */
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

/** Where an event of a whole kind is drawn; null: it is hidden, or its lane is not there. */
export const trackOfEvent = ({ tracks }: HeatLayout, event: Pick<IoEventRef, 'lane' | 'kind'>): HeatTrack | null =>
  tracks.find(({ refs }) =>
    refs.some(({ lane, kind, file }) => lane === event.lane && kind === event.kind && file === null),
  ) ?? null

import type { ErrorInfo } from '../../../../capture/client/state.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import type { FoldRule, TimeScale } from '../../../../charts/scale.ts'
import { marksWindow } from '../../../../charts/timeline/marks-window.ts'
import type { IoFilter } from '../../../../feeds/io/contract/rows.ts'
import type { IoHeatParams, IoRowHeat } from '../../../../feeds/io/contract/density.ts'
import { rowKey } from '../timeline/layout.ts'
import { useHeldRows } from '../useIoData.ts'
import { joinRows, type RowHeat, type TrackHeat } from './heat.ts'
import type { HeatTrack } from './layout.ts'

/** Width in pixels of a requested column, which is drawn between half and the whole of this width. */
const COLUMN_PX = 6
/** Minimum time between two requests while data arrives, ms. */
const EVERY_MS = 250

const withWidth = (row: IoRowHeat, { columnTicks, pieces }: IoHeatParams): RowHeat => ({
  ...row,
  widthTicks: columnTicks,
  pieces,
})

/** Heat maps of the tracks near the view, by key. Old ones stay, at the new scale, until the next. */
export function useHeat(
  tracks: readonly HeatTrack[],
  scale: TimeScale,
  rule: FoldRule,
  filter: IoFilter,
  version: number,
): { readonly heats: ReadonlyMap<string, TrackHeat>; readonly error: ErrorInfo | null } {
  const { pieces, resolutionTicks } = marksWindow(scale, rule)
  const params =
    tracks.length === 0
      ? undefined
      : {
          rows: tracks.flatMap(({ refs }) => refs),
          pieces: pieces.map(({ startTicks, endTicks }) => ({ startTicks, endTicks })),
          columnTicks: resolutionTicks * COLUMN_PX,
          filter,
        }
  const requested = useRequest('io.heat', params, { version, everyMs: EVERY_MS })
  const rows = useHeldRows(requested, withWidth)
  const heats = new Map(
    tracks.flatMap(({ key, refs }) => {
      const heat = joined(refs.map((ref) => rows.get(rowKey(ref))))
      return heat === null ? [] : [[key, heat] as const]
    }),
  )
  return { heats, error: requested.error }
}

/** Joined heat by its first row, with the rows that were joined, so that not every frame joins again. */
const lastJoined = new WeakMap<RowHeat, { readonly rows: readonly (RowHeat | undefined)[]; readonly heat: TrackHeat }>()

function joined(rows: readonly (RowHeat | undefined)[]): TrackHeat | null {
  const first = rows.find((row) => row !== undefined)
  if (first === undefined) return null
  const last = lastJoined.get(first)
  if (last?.rows.length === rows.length && last.rows.every((row, i) => row === rows[i])) return last.heat
  const heat = joinRows(rows)
  if (heat !== null) lastJoined.set(first, { rows, heat })
  return heat
}

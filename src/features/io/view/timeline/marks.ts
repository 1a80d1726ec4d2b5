import { markSpan, type Indexed } from '../../../../charts/timeline/marks.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import type { IoRollUps, IoRowMarks } from '../../../../feeds/io/contract/marks.ts'

/** Marks of a row as received, with an index for fast lookup. */
export type RowMarks = Indexed<IoRowMarks>

/** Roll-up at `xPx`, the shortest if several overlap; −1: none. A linear search: there are few per row. */
export function hitRollUp(rollUps: IoRollUps, scale: TimeScale, xPx: number): number {
  let best = -1
  for (let i = 0; i < rollUps.length; i++) {
    const [start, end] = [rollUps.startTicks[i] ?? 0, rollUps.endTicks[i] ?? 0]
    const span = markSpan(scale, start, end - start)
    if (xPx < span.startPx || xPx >= span.endPx) continue
    if (best < 0 || end - start < (rollUps.endTicks[best] ?? 0) - (rollUps.startTicks[best] ?? 0)) best = i
  }
  return best
}

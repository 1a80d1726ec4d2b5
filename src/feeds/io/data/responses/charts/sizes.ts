import { DURATION, SIZE } from '../../../../../base/columns/event-chunk.ts'
import { groupBy } from '../../../../../base/columns/group-by.ts'
import { Pace } from '../../../../../capture/worker/turns.ts'
import {
  CELLS_PER_DECADE,
  CELLS_PER_DOUBLING,
  type IoKindSizes,
  type IoSizesParams,
} from '../../../contract/details.ts'
import type { IoSizesResponse } from '../../../contract/details.ts'
import type { IoStore } from '../../table.ts'
import { extremes } from '../first-rows.ts'
import type { LaneNames } from '../lane-names.ts'
import { partsOf, type Part } from '../parts.ts'
import { forEachMatching } from '../scan.ts'
import { eventRow } from '../summary.ts'

/** Number of rows visited between two checks of the clock. */
const SLICE_ROWS = 1 << 16
/** Number of duration cells: up to 10^13 ticks, about twelve days; longer durations are in the last cell. */
const DURATION_CELLS = 13 * CELLS_PER_DECADE
/** Number of size cells: up to 2^53 bytes. */
const SIZE_CELLS = 54 * CELLS_PER_DOUBLING

/** O(events in range), in slices between which other responses can run. */
export async function sizesResponse(
  store: IoStore,
  names: LaneNames,
  params: IoSizesParams,
  signal: AbortSignal,
): Promise<IoSizesResponse> {
  const { version } = store
  const pace = new Pace(signal)
  const kinds: IoKindSizes[] = []
  for (const [kind, parts] of groupBy(partsOf(store, names, params), (part) => part.kind)) {
    const counts = await countCells(parts, pace)
    const used = [...counts.keys()].filter((cell) => counts[cell] !== 0)
    if (used.length === 0) continue
    kinds.push({
      kind,
      size: Uint16Array.from(used, (cell) => cell % SIZE_CELLS),
      duration: Uint16Array.from(used, (cell) => Math.floor(cell / SIZE_CELLS)),
      count: Uint32Array.from(used, (cell) => counts[cell] as number),
      slowest: extremes(parts, DURATION, params.slowestLimit).map(({ part, row }) =>
        eventRow(store, names, { ...(parts[part] as Part), row }),
      ),
    })
  }
  return { version, kinds }
}

async function countCells(parts: readonly Part[], pace: Pace): Promise<Uint32Array> {
  const counts = new Uint32Array(DURATION_CELLS * SIZE_CELLS)
  for (const { events, from, to, predicate } of parts)
    for (let at = from; at < to; at += SLICE_ROWS) {
      forEachMatching(events, at, Math.min(to, at + SLICE_ROWS), predicate, (chunk, row) => {
        const cell = durationCell(chunk.read(DURATION, row)) * SIZE_CELLS + sizeCell(chunk.read(SIZE, row))
        counts[cell] = (counts[cell] as number) + 1
      })
      await pace.step()
    }
  return counts
}

/** Rounded up slightly, so that a power of ten, or of two, is in its own cell. */
const durationCell = (ticks: number): number =>
  ticks <= 1 ? 0 : Math.min(DURATION_CELLS - 1, Math.floor(Math.log10(ticks) * CELLS_PER_DECADE + 1e-9))
const sizeCell = (bytes: number): number =>
  bytes <= 1 ? 0 : Math.min(SIZE_CELLS - 1, Math.floor(Math.log2(bytes) * CELLS_PER_DOUBLING + 1e-9))

import { DURATION } from '../../../../../base/columns/event-chunk.ts'
import { Pace } from '../../../../../capture/worker/turns.ts'
import { STEPS_PER_DECADE, type IoDistributionParams, type IoDistributionResponse } from '../../../contract/density.ts'
import type { IoStore } from '../../table.ts'
import type { LaneNames } from '../lane-names.ts'
import { partsOf } from '../parts.ts'
import { forEachMatching } from '../scan.ts'

/** Number of rows visited between two checks of the clock. */
const SLICE_ROWS = 1 << 16
/** Number of steps: up to 10^13 ticks, about twelve days; longer durations are in the last step. */
const STEPS = 13 * STEPS_PER_DECADE

/**
 * O(events in range), in slices between which other responses can run. Covers the steps in which any kind has events.
 */
export async function distributionResponse(
  store: IoStore,
  names: LaneNames,
  params: IoDistributionParams,
  signal: AbortSignal,
): Promise<IoDistributionResponse> {
  const { version } = store
  const pace = new Pace(signal)
  const kinds = new Map<string, Uint32Array>()
  for (const { kind, events, from, to, predicate } of partsOf(store, names, params)) {
    if (from === to) continue
    const counts = kinds.get(kind) ?? new Uint32Array(STEPS)
    kinds.set(kind, counts)
    for (let at = from; at < to; at += SLICE_ROWS) {
      forEachMatching(events, at, Math.min(to, at + SLICE_ROWS), predicate, (chunk, row) => {
        const step = stepOf(chunk.read(DURATION, row))
        counts[step] = (counts[step] as number) + 1
      })
      await pace.step()
    }
  }
  const used = [...kinds].filter(([, counts]) => counts.some((count) => count > 0))
  const first = Math.min(STEPS, ...used.map(([, counts]) => counts.findIndex((count) => count > 0)))
  const last = Math.max(-1, ...used.map(([, counts]) => counts.findLastIndex((count) => count > 0)))
  return { version, first, kinds: used.map(([kind, counts]) => ({ kind, counts: counts.slice(first, last + 1) })) }
}

/** Rounded up slightly, so that a power of ten is in its own step. */
const stepOf = (ticks: number): number =>
  ticks <= 1 ? 0 : Math.min(STEPS - 1, Math.floor(Math.log10(ticks) * STEPS_PER_DECADE + 1e-9))

import { bisectNumbers } from '../../../base/columns/bisect.ts'
import { medianOf, quantileOf } from '../../../base/statistics/quantile.ts'
import { durationOf, type Events, type Lane } from './lanes.ts'

/**
 * Share of slow writes that are not stalls from which on an environment is slow as a whole. With fewer, the writes are
 * merely close to the rule's bound.
 */
const LEAST_SHARE = 0.1
/** Minimum number of slow writes: fewer can be accidents of one moment. */
const LEAST_SLOW = 20
/** Number of durations in a sample for quantiles. */
const SAMPLE = 20_000
/** Share of quickest writes whose longest duration shows what an environment is capable of. */
const QUICK_SHARE = 0.1

/**
 * Writes of a lane that is slow as a whole, so that few of them stand out as stalls. Times in ms from the origin of the
 * lanes.
 */
export interface SlowLane {
  readonly lane: number
  readonly writes: number
  /** Number of writes that take `leastMs` and count as usual. */
  readonly slow: number
  readonly medianMs: number
  /** Longest duration among the quickest tenth of all its writes, in the judged part or not. */
  readonly quickMs: number
  readonly firstMs: number
  readonly lastMs: number
  /** Maximum number of writes of its volume that ended within one second of the judged part. */
  readonly mostPerSecond: number
}

/** Durations of the writes between two rows, ms; an even sample if there are many. */
export function durationsIn(writes: Events, from = 0, to = writes.start.length): Float64Array {
  const step = Math.max(1, Math.floor((to - from) / SAMPLE))
  return Float64Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => durationOf(writes, from + i * step))
}

/**
 * Lanes in which many writes of the judged part take `leastMs` but are not stalls, since most of their writes take
 * about as long. Sorted by the number of such writes, descending. `stallMs`: by lane.
 */
export function slowLanes(
  lanes: readonly Lane[],
  stallMs: readonly number[],
  { leastMs, fromMs, toMs }: { readonly leastMs: number; readonly fromMs: number; readonly toMs: number },
): SlowLane[] {
  /** By volume: all storages of one may be slow. */
  const most = new Map<string, number>()
  return lanes
    .flatMap(({ writes, volume }, lane): SlowLane[] => {
      const [from, to] = [bisectNumbers(writes.start, fromMs), bisectNumbers(writes.start, toMs)]
      let [slow, first, last] = [0, from, from]
      for (let row = from; row < to; row++) {
        const ms = durationOf(writes, row)
        if (ms < leastMs || ms >= (stallMs[lane] as number)) continue
        if (slow === 0) first = row
        last = row
        slow++
      }
      if (slow < LEAST_SLOW || slow < LEAST_SHARE * (to - from)) return []
      const perSecond =
        most.get(volume) ??
        mostPerSecond(
          lanes.filter((each) => each.volume === volume),
          fromMs,
          toMs,
        )
      most.set(volume, perSecond)
      return [
        {
          lane,
          writes: to - from,
          slow,
          medianMs: medianOf(durationsIn(writes, from, to)),
          quickMs: quantileOf(durationsIn(writes), QUICK_SHARE),
          firstMs: writes.start[first] as number,
          lastMs: writes.end[last] as number,
          mostPerSecond: perSecond,
        },
      ]
    })
    .toSorted((a, b) => b.slow - a.slow)
}

function mostPerSecond(lanes: readonly Lane[], fromMs: number, toMs: number): number {
  const counts = new Map<number, number>()
  for (const { writes } of lanes)
    for (let row = bisectNumbers(writes.start, fromMs), to = bisectNumbers(writes.start, toMs); row < to; row++) {
      const second = Math.floor((writes.end[row] as number) / 1000)
      counts.set(second, (counts.get(second) ?? 0) + 1)
    }
  return [...counts.values()].reduce((most, count) => Math.max(most, count), 0)
}

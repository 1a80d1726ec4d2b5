import type { Stall } from './events.ts'
import { medianOf, quantileOf } from './statistics.ts'

/** What ends within this after another ends with it, ms. */
const TOGETHER_MS = 30
/** Fewer moments are no pace. */
const ENOUGH = 10
/** Of the times between moments, those that may be one step. */
const STEP_SHARES = [0.05, 0.1, 0.25, 0.5]
/** More steps than this are not known well enough, and within this of a whole number counts as one. */
const MOST_STEPS = 8
const NEAR = 0.06
/** So many times between moments are whole steps; an eighth is by chance. */
const REGULAR_SHARE = 0.75
/** A step is no longer than so many stalls: each waits for the next one or few of them. */
const MOST_STALLS = 3

/**
 * Whether the stalls of a volume end in steps, whole ones apart: such as those of a bucket that is filled so often. What comes from
 * outside of the volume comes at any time.
 */
export function endInSteps(stalls: readonly Stall[]): boolean {
  const ends = Float64Array.from(stalls, ({ end }) => end).toSorted()
  const moments = ends.filter((end, at) => at === 0 || end - (ends[at - 1] as number) > TOGETHER_MS)
  const apart = Array.from(moments.subarray(1), (moment, at) => moment - (moments[at] as number))
  const longestMs = MOST_STALLS * medianOf(stalls.map(({ start, end }) => end - start))
  return STEP_SHARES.some((share) => {
    const about = quantileOf(apart, share)
    if (!(about <= longestMs)) return false
    const near = apart.filter((ms) => ms <= (MOST_STEPS + 0.5) * about)
    const step = medianOf(near.map((ms) => ms / Math.max(1, Math.round(ms / about))))
    const few = near.filter((ms) => ms <= (MOST_STEPS + 0.5) * step)
    const whole = few.filter((ms) => Math.abs(ms / step - Math.max(1, Math.round(ms / step))) <= NEAR)
    return few.length >= ENOUGH && whole.length >= REGULAR_SHARE * few.length
  })
}

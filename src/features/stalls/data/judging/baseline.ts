import type { StallRule } from '../../contract.ts'
import { durationOf, type Lane, type Stall } from './events.ts'
import { medianOf } from './statistics.ts'

/** Durations beyond this many writes are sampled evenly: a median needs no more. */
const SAMPLE = 20_000

/** Median duration of a lane's journal writes, ms; NaN for none. */
export function medianWriteMs({ writes }: Lane): number {
  const { length } = writes.start
  const step = Math.max(1, Math.floor(length / SAMPLE))
  const sample = new Float64Array(Math.ceil(length / step))
  for (let i = 0; i < sample.length; i++) sample[i] = durationOf(writes, i * step)
  return medianOf(sample)
}

/** From which duration on a write of a lane with this median stalls, ms. */
export const stallMsOf = (rule: StallRule, medianMs: number): number =>
  Number.isNaN(medianMs) ? rule.leastMs : Math.max(rule.leastMs, rule.timesMedian * medianMs)

/** Stalls of all lanes by start. */
export function findStalls(lanes: readonly Lane[], rule: StallRule, medians: readonly number[]): Stall[] {
  const stalls: Stall[] = []
  for (const [lane, { writes }] of lanes.entries()) {
    const leastMs = stallMsOf(rule, medians[lane] ?? 0)
    let freeSince = Number.NEGATIVE_INFINITY
    for (let row = 0; row < writes.start.length; row++) {
      if (durationOf(writes, row) < leastMs) {
        freeSince = writes.start[row] as number
        continue
      }
      stalls.push({
        lane,
        row,
        start: writes.start[row] as number,
        end: writes.end[row] as number,
        bytes: writes.bytes[row] as number,
        freeSince,
      })
    }
  }
  return stalls.toSorted((a, b) => a.start - b.start)
}

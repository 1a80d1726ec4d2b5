import { expect, it } from 'vitest'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import { knownTicksOf } from './known-time.ts'

const writes = {
  startTicks: Float64Array.of(1000, 5000, 9000),
  durationTicks: Float64Array.of(10, 10, 1000),
  bytes: Float64Array.of(1, 1, 1),
}
const lane = { source: 'server', lane: 'a', writes, sums: [] }
const gap = (startTicks: number, endTicks: number, of: string | null = null) => ({
  source: 'server',
  lane: of,
  startTicks: startTicks as Ticks,
  endTicks: endTicks as Ticks,
})

it('counts the time from the first write to the end of the last one', () => {
  expect(knownTicksOf(lane, [])).toBe(9000)
})

it('leaves out gaps of the source and the lane, and sums, what overlaps only once', () => {
  expect(knownTicksOf(lane, [gap(0, 2000), gap(1500, 3000, 'a'), gap(4000, 9000, 'b')])).toBe(7000)
  expect(
    knownTicksOf({ ...lane, sums: [{ startTicks: 2000 as Ticks, endTicks: 4000 as Ticks, maxTicks: 0 as TickSpan }] }, [
      gap(3000, 5000),
    ]),
  ).toBe(6000)
})

import { expect, test } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { Gap, GapReason } from './state.ts'
import { withoutGaps } from './fold-rule.ts'

const at = (second: number): Ticks => (second * TICKS_PER_SECOND) as Ticks
const spans = (...seconds: number[]): Float64Array => Float64Array.from(seconds.map(at))
const gap = (reason: GapReason, from: number, to: number): Gap => ({
  id: from,
  source: 'db:a',
  lane: null,
  kind: null,
  reason,
  startTicks: at(from),
  endTicks: at(to),
  missingCount: 0,
  missingBytes: null,
  detail: '',
})

test('a short gap, or one in which the server stood still, is not folded as idle; what is left of the idle one is', () => {
  const idle = spans(0, 100, 200, 210)
  expect(withoutGaps(idle, [gap('tab-hidden', 10, 99)])).toBe(idle)
  expect(withoutGaps(idle, [gap('tab-hidden', 10, 20)])).toEqual(spans(0, 10, 20, 100, 200, 210))
  expect(withoutGaps(idle, [gap('server-unresponsive', 50, 60), gap('server-unresponsive', 20, 30)])).toEqual(
    spans(0, 20, 30, 50, 60, 100, 200, 210),
  )
  // The rest is too short to be folded.
  expect(withoutGaps(idle, [gap('server-unresponsive', 1, 150), gap('server-unresponsive', 199, 300)])).toEqual(spans())
})

import { expect, it } from 'vitest'
import { TICKS_PER_MS } from '../../../../base/ticks.ts'
import { alignmentOf, describeAlignment, uncertaintyOf } from './alignment.ts'

const clock = (aheadMs: number, plusMinusMs: number) => ({ measured: { aheadMs, plusMinusMs }, aheadMs: 0 })
const HOUR_MS = 3_600_000

it('moves the other server by the difference of both clocks, and adds up what is not known of them', () => {
  // This computer is 100 ms ahead of its server and an hour behind the other: 10:00:00.000 there is 8:59:59.900 here.
  const alignment = alignmentOf(clock(100, 2), clock(-HOUR_MS, 3), null)
  expect(alignment).toEqual({ byTicks: (-HOUR_MS - 100) * TICKS_PER_MS, plusMinusMs: 5 })
  expect(uncertaintyOf(alignment)).toBe('± 5.00 ms')
  expect(describeAlignment('b', alignment)).toBe(
    'The clock of b is 1 h ahead of that of this server, within 5.00 ms: its lanes are moved by that.',
  )
  expect(describeAlignment('b', alignmentOf(clock(0, 2), clock(2000, 3), null))).toContain('is 2.00 s behind that')
})

it('calls clocks equal within what was measured, and one that was not measured by its name', () => {
  expect(describeAlignment('b', alignmentOf(clock(1, 2), clock(3, 2), null))).toBe(
    'The clock of b is that of this server, within 4.00 ms.',
  )
  const unmeasured = alignmentOf({ measured: null, aheadMs: 500 }, { ...clock(0, 1), aheadMs: 2500 }, null)
  expect(unmeasured).toEqual({ byTicks: 2000 * TICKS_PER_MS, plusMinusMs: null })
  expect(uncertaintyOf(unmeasured)).toBe('clock not measured')
})

it('stays where it is for a measurement that agrees with it, and follows one that does not', () => {
  const before = alignmentOf(clock(0, 5), clock(100, 5), null)
  expect(alignmentOf(clock(0, 1), clock(101, 1), before)).toEqual({ byTicks: before.byTicks, plusMinusMs: 2 })
  expect(alignmentOf(clock(0, 1), clock(103, 1), before).byTicks).toBe(103 * TICKS_PER_MS)
})

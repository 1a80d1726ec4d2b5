import { expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import { withTypedEnd } from './typed-range.ts'

const range = { startTicks: 100 as Ticks, endTicks: 200 as Ticks }
const at = (ticks: number): Ticks => ticks as Ticks

it('takes an end that fits at once', () => {
  expect(withTypedEnd(range, {}, 'endTicks', at(300))).toEqual({
    range: { startTicks: 100, endTicks: 300 },
    typed: {},
    problem: null,
  })
})

it('judges a range elsewhere when both of its ends were typed, in either order', () => {
  const later = withTypedEnd(range, {}, 'startTicks', at(500))
  expect(later).toEqual({ range: null, typed: { startTicks: 500 }, problem: null })
  expect(withTypedEnd(range, later.typed, 'endTicks', at(600)).range).toEqual({ startTicks: 500, endTicks: 600 })
  const earlier = withTypedEnd(range, {}, 'endTicks', at(50))
  expect(withTypedEnd(range, earlier.typed, 'startTicks', at(10)).range).toEqual({ startTicks: 10, endTicks: 50 })
  expect(withTypedEnd(range, later.typed, 'endTicks', at(400))).toMatchObject({
    range: null,
    problem: 'The end lies before the start.',
  })
})

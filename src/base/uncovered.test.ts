import { expect, test } from 'vitest'
import type { Ticks } from './ticks.ts'
import { uncovered } from './uncovered.ts'

test.each([
  ['nothing where none is', [], [10, 20]],
  ['what lies before, between and behind', [[12, 18]], [10, 20]],
  ['from the end of one on', [[5, 12]], [12, 20]],
  [
    'what two that touch leave',
    [
      [12, 15],
      [5, 12],
    ],
    [15, 20],
  ],
  ['up to the beginning of one', [[18, 30]], [10, 18]],
  [
    'nothing at all',
    [
      [5, 14],
      [13, 30],
    ],
    null,
  ],
])('what gaps leave uncovered: %s', (_, gaps, left) => {
  const range = ([startTicks, endTicks]: readonly number[]) => ({
    startTicks: startTicks as Ticks,
    endTicks: endTicks as Ticks,
  })
  expect(uncovered(range([10, 20]), gaps.map(range))).toEqual(left === null ? null : range(left))
})

import { expect, it } from 'vitest'
import type { IoRowMarks } from '../../../../feeds/io/contract/marks.ts'
import { KNOWN_KINDS } from '../../../../feeds/io/contract/lanes.ts'
import { lookOf, mergeMarks } from './kind-lane.ts'

const rowOf = (...marks: readonly (readonly [start: number, duration: number, count: number])[]): IoRowMarks => ({
  length: marks.length,
  startTicks: Float64Array.from(marks, ([start]) => start),
  durationTicks: Float64Array.from(marks, ([, duration]) => duration),
  count: Uint32Array.from(marks, ([, , count]) => count),
  sizeBytes: new Float64Array(marks.length),
  largestBytes: new Float64Array(marks.length),
  rollUps: {
    length: 0,
    startTicks: new Float64Array(0),
    endTicks: new Float64Array(0),
    sizeBytes: new Float64Array(0),
    busyTicks: new Float64Array(0),
    minTicks: new Float64Array(0),
    maxTicks: new Float64Array(0),
    count: new Uint32Array(0),
  },
})

it('marks of several environments: the slowest of each pixel stays, and none is left out of the count', () => {
  const together = mergeMarks([rowOf([0, 5, 3], [12, 1, 1]), rowOf([4, 90, 1], [25, 2, 2]), rowOf([13, 7, 1])], 10)
  expect([...together.startTicks]).toEqual([4, 13, 25])
  expect([...together.durationTicks]).toEqual([90, 7, 2])
  expect([...together.count]).toEqual([4, 2, 2])
  expect([...together.lane]).toEqual([1, 2, 1])
  expect([...together.mark]).toEqual([0, 0, 1])
})

it('kinds of one storage look different, also those of one hue', () => {
  const looks = [...KNOWN_KINDS, 'JournalPreparation'].map((kind) => `${lookOf(kind).token} ${lookOf(kind).pattern}`)
  expect(new Set(looks).size).toBe(looks.length)
})

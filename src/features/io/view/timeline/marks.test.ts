import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../../../testing/law.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { hitMark, indexMarks, markSpan, nearestMark } from '../../../../charts/timeline/marks.ts'
import { buildTimeScale, type FoldRule } from '../../../../charts/scale.ts'
import { hitRollUp } from './marks.ts'
import type { IoRowMarks } from '../../../../feeds/io/contract/marks.ts'

const marksOf = (events: readonly (readonly [start: number, duration: number])[]): IoRowMarks => {
  const none = new Float64Array(0)
  return {
    length: events.length,
    startTicks: Float64Array.from(events, ([start]) => start),
    durationTicks: Float64Array.from(events, ([, duration]) => duration),
    sizeBytes: Float64Array.from(events, () => 4096),
    count: Uint32Array.from(events, () => 1),
    largestBytes: Float64Array.from(events, () => 4096),
    rollUps: {
      length: 0,
      startTicks: none,
      endTicks: none,
      sizeBytes: none,
      busyTicks: none,
      minTicks: none,
      maxTicks: none,
      count: new Uint32Array(0),
    },
  }
}
const rule: FoldRule = { idleSpans: new Float64Array([400_000, 600_000]), foldPx: 20 }
const scale = buildTimeScale({ range: { startTicks: 0 as Ticks, endTicks: 1_000_000 as Ticks }, widthPx: 1000, rule })

/** At most one mark a pixel, as the capture answers. */
const rows = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 990_000 }),
      fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 200_000 })),
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((events) => {
    const pixels = new Map(events.map((event) => [Math.floor(scale.toPx(event[0])), event]))
    return [...pixels.values()].toSorted((a, b) => a[0] - b[0])
  })

describe('hitMark', () => {
  law('the centre of every drawn mark hits it, or a narrower one drawn on top of it', [rows], (events) => {
    const marks = indexMarks(marksOf(events))
    events.forEach(([start, duration], i) => {
      const span = markSpan(scale, start, duration)
      const centrePx = (span.startPx + span.endPx) / 2
      const hit = hitMark(marks, scale, centrePx)
      if (hit === i) return
      const other = markSpan(scale, events[hit]![0], events[hit]![1])
      expect(other.startPx).toBeLessThanOrEqual(centrePx)
      expect(other.endPx).toBeGreaterThan(centrePx)
      expect(other.endPx - other.startPx).toBeLessThanOrEqual(span.endPx - span.startPx + 1e-6)
    })
  })

  law('agrees with a walk over all marks', [rows, fc.double({ min: 0, max: 1000, noNaN: true })], (events, xPx) => {
    const spans = events.map(([start, duration]) => ({ ...markSpan(scale, start, duration), duration }))
    const under = spans.filter((span) => span.startPx <= xPx && xPx < span.endPx)
    const near = spans.filter((span) => span.startPx - 4 <= xPx && xPx < span.endPx + 4)
    const hit = hitMark(indexMarks(marksOf(events)), scale, xPx)
    if (under.length > 0)
      expect(spans[hit]!.endPx - spans[hit]!.startPx).toBeCloseTo(
        Math.min(...under.map((span) => span.endPx - span.startPx)),
        6,
      )
    else if (near.length > 0) expect(spans[hit]!.duration).toBe(Math.max(...near.map((span) => span.duration)))
    else expect(hit).toBe(-1)
  })

  it('picks the slowest of its neighbours where nothing is under the pointer', () => {
    const marks = indexMarks(
      marksOf([
        [100_000, 10],
        [102_400, 1_400],
        [104_800, 20],
      ]),
    )
    expect(hitMark(marks, scale, scale.toPx(102_400) - 0.7)).toBe(1)
  })
})

describe('hitRollUp and nearestMark', () => {
  it('find the band at a place, and none beside it', () => {
    const marks = marksOf([])
    const bands = {
      ...marks.rollUps,
      length: 1,
      startTicks: new Float64Array([0]),
      endTicks: new Float64Array([100_000]),
      count: new Uint32Array([1]),
    }
    expect(hitRollUp(bands, scale, scale.toPx(50_000))).toBe(0)
    expect(hitRollUp(bands, scale, scale.toPx(250_000))).toBe(-1)
  })

  it('find the nearest start', () => {
    const marks = marksOf([
      [10, 1],
      [20, 1],
      [40, 1],
    ])
    expect([0, 14, 16, 29, 31, 99].map((at) => nearestMark(marks, at))).toEqual([0, 0, 1, 1, 2, 2])
    expect(nearestMark(marksOf([]), 5)).toBe(-1)
  })
})

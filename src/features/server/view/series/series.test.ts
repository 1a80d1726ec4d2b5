import { seriesWindow } from '../../../../capture/client/requests/series-window.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../../../testing/law.ts'
import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import type { SeriesRows } from '../../../../feeds/server/contract/series.ts'
import { firstRowAfter, rowNear, summariseSeries } from './series.ts'

/** Rows of 10 ticks; a null is where nothing is known. */
function rowsOf(means: readonly (number | null)[]): SeriesRows {
  const column = (of: (mean: number | null, i: number) => number): Float64Array => Float64Array.from(means, of)
  return {
    key: 'cpu.machine',
    bucketTicks: 10 as TickSpan,
    tierSeconds: 1,
    length: means.length,
    startTicks: column((_, i) => i * 10),
    mean: column((mean) => mean ?? Number.NaN),
    min: column((mean) => (mean === null ? Number.NaN : mean - 1)),
    max: column((mean) => (mean === null ? Number.NaN : mean + 1)),
    count: column((mean, i) => (mean === null ? 0 : i + 1)),
  }
}

const range = (startTicks: number, endTicks: number) => ({
  startTicks: startTicks as Ticks,
  endTicks: endTicks as Ticks,
})

describe('rows of a series', () => {
  it('sum up by samples, with their extremes and the newest', () => {
    expect(summariseSeries(rowsOf([1, null, 4]), range(0, 30))).toEqual({
      samples: 4,
      min: 0,
      max: 5,
      mean: 13 / 4,
      newest: 4,
      newestAtTicks: 20,
    })
  })

  it('say that nothing is known where nothing is', () => {
    expect(summariseSeries(rowsOf([null, null]), range(0, 20))).toMatchObject({ samples: 0, mean: Number.NaN })
    expect(summariseSeries(rowsOf([5]), range(10, 20)).samples).toBe(0)
  })

  it('are found at a moment, not across a gap', () => {
    const rows = rowsOf([1, null, null, null, null, 9])
    expect(rowNear(rows, 5)).toBe(0)
    expect(rowNear(rows, 14)).toBe(0)
    expect(rowNear(rows, 30)).toBe(-1)
    expect(rowNear(rows, 49)).toBe(-1)
    expect(rowNear(rows, 50)).toBe(5)
    expect(rowNear(rows, 500)).toBe(-1)
  })

  law(
    'are bisected as a walk would find them',
    [fc.array(fc.nat({ max: 9 })), fc.integer({ min: -20, max: 200 })],
    (means, at) => {
      const rows = rowsOf(means)
      const walked = [...rows.startTicks].findIndex((start) => start + 10 > at)
      expect(firstRowAfter(rows, at)).toBe(walked < 0 ? rows.length : walked)
    },
  )

  it('are asked for a little wider than the view, and the same for a small move', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 15 }), fc.integer({ min: 100, max: 10 ** 13 }), (start, span) => {
        const wide = seriesWindow(range(start, start + span), 1000)
        expect(wide.startTicks).toBeLessThanOrEqual(start)
        expect(wide.endTicks).toBeGreaterThanOrEqual(start + span)
        expect(wide.endTicks - wide.startTicks).toBeLessThan(4 * span)
        expect(wide.maxPoints).toBeLessThanOrEqual(4000)
      }),
    )
    expect(seriesWindow(range(1000, 2000), 800)).toEqual(seriesWindow(range(1001, 2001), 800))
  })
})

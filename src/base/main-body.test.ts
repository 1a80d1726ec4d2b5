import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../testing/law.ts'
import { joinExtents, outliers, type Extent } from './far-events.ts'
import { mainBody } from './main-body.ts'
import { ticksFromMs, type Ticks, type TimeRange } from './ticks.ts'

const at = (iso: string): Ticks => ticksFromMs(Date.parse(iso))
const DAY_TICKS = 864_000_000_000

const spansAt = (starts: readonly number[], lengthTicks = 10): { startTicks: number; endTicks: number }[] =>
  starts.toSorted((a, b) => a - b).map((startTicks) => ({ startTicks, endTicks: startTicks + lengthTicks }))

function bodyOf(...tables: readonly (readonly number[])[]): Extent {
  const spans = tables.map((starts) => spansAt(starts))
  const all = spans.flat()
  const whole = {
    startTicks: Math.min(...all.map(({ startTicks }) => startTicks)),
    endTicks: Math.max(...all.map(({ endTicks }) => endTicks)),
  } as TimeRange
  return mainBody(whole, () => spans)
}

const minutes = (iso: string, count: number): number[] =>
  Array.from({ length: count }, (_, i) => at(iso) + i * 600_000_000)

describe('the main body of events', () => {
  it('leaves out one event of another year, before or after, of whichever table', () => {
    const main = minutes('2026-11-20T04:00:00Z', 6)
    for (const stray of [at('2001-02-03T00:00:00Z'), at('2038-01-01T00:00:00Z')]) {
      const far = [{ startTicks: stray, endTicks: stray + 10, count: 1 }]
      const expected = { startTicks: main[0], endTicks: (main[5] ?? 0) + 10, far }
      expect(bodyOf([stray, ...main])).toEqual(expected)
      expect(bodyOf(main, [stray])).toEqual(expected)
    }
  })

  it('keeps three days, two halves of a year, and months of an archive', () => {
    const days = [20, 21, 22].map((day) => at(`2026-11-${String(day)}T04:00:02Z`))
    const halves = [...minutes('2025-01-01T00:00:00Z', 50), ...minutes('2026-11-01T00:00:00Z', 100)]
    const months = Array.from({ length: 700 }, (_, day) => at('2024-01-01T00:00:00Z') + day * DAY_TICKS)
    for (const starts of [days, halves, months, [at('2001-01-01T00:00:00Z'), at('2026-01-01T00:00:00Z')]])
      expect(bodyOf(starts).far).toBeUndefined()
  })

  law(
    'with what is far, it has every event once',
    [fc.array(fc.integer({ min: -6000, max: 9000 }), { minLength: 1, maxLength: 6 }), fc.integer({ min: 3, max: 400 })],
    (strayDays, count) => {
      const starts = [...minutes('2026-11-20T04:00:00Z', count), ...strayDays.map((day) => day * DAY_TICKS)]
      const body = bodyOf(starts)
      const within = starts.filter((start) => start >= body.startTicks && start < body.endTicks).length
      expect(within + (body.far ?? []).reduce((sum, far) => sum + far.count, 0)).toBe(starts.length)
    },
  )

  it('of several sources is that of all, and what one of them fills is not far', () => {
    const far = [{ startTicks: 5 as Ticks, endTicks: 6 as Ticks, count: 2 }]
    const a: Extent = { startTicks: 100 as Ticks, endTicks: 200 as Ticks, far }
    const b: Extent = { startTicks: 0 as Ticks, endTicks: 10 as Ticks }
    const outside = (...extents: readonly Extent[]) => outliers(joinExtents(extents) ?? b)
    expect(outside(a)).toEqual(far)
    expect(outside(a, a)).toEqual([{ startTicks: 5, endTicks: 6, count: 4 }])
    expect(outside(a, b)).toEqual([])
    expect(joinExtents([a, b])).toMatchObject({ startTicks: 0, endTicks: 200 })
    expect(joinExtents([])).toBeNull()
  })
})

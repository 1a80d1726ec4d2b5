import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import { parseTicks, type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../base/ticks.ts'
import { axisMarks, cursorDigits } from './axis.ts'
import { buildTimeScale } from '../scale.ts'

const at = parseTicks('2026-11-20T23:59:58.2500000Z')
const marksOf = (spanTicks: number, widthPx = 1000, start: number = at): ReturnType<typeof axisMarks> =>
  axisMarks(
    buildTimeScale({ range: { startTicks: start as Ticks, endTicks: (start + spanTicks) as Ticks }, widthPx }),
    { clock: 'utc', labelPx: 90 },
  )
const labels = (spanTicks: number): string[] => marksOf(spanTicks).map((mark) => mark.label)

describe('axisMarks', () => {
  it('counts seconds, and says the date first and where the day changes', () => {
    const marks = marksOf(5 * TICKS_PER_SECOND).filter((mark) => mark.label !== '')
    expect(marks.map((mark) => mark.label).slice(0, 4)).toEqual([
      '23:59:58.500',
      '23:59:59.000',
      '23:59:59.500',
      '00:00:00.000',
    ])
    expect(marks.map((mark) => mark.date).filter((date) => date !== '')).toEqual(['2026-11-20', '2026-11-21'])
  })

  it('carries milliseconds and microseconds when zoomed in', () => {
    expect(labels(10 * TICKS_PER_MS)[1]).toBe('23:59:58.251')
    expect(labels(200)[1]).toBe('23:59:58.250002')
  })

  it('counts minutes, hours and days when zoomed out', () => {
    expect(labels(600 * TICKS_PER_SECOND).every((label) => label === '' || label.endsWith(':00'))).toBe(true)
    expect(labels(86_400 * TICKS_PER_SECOND).every((label) => label === '' || label.endsWith(':00:00'))).toBe(true)
    expect(labels(20 * 86_400 * TICKS_PER_SECOND)[0]).toMatch(/^2026-11-\d\d$/)
    expect(labels(3000 * 86_400 * TICKS_PER_SECOND)[1]).toMatch(/^\d{4}-01-01$/)
  })

  law(
    'never lets labels touch, at any span',
    [
      fc.double({ min: 2, max: 16.9, noNaN: true }),
      fc.integer({ min: 320, max: 2560 }),
      fc.integer({ min: 0, max: 3e15 }),
    ],
    (power, widthPx, start) => {
      const marks = marksOf(10 ** power, widthPx, start).filter((mark) => mark.label !== '')
      for (let i = 1; i < marks.length; i++) expect(marks[i]!.xPx - marks[i - 1]!.xPx).toBeGreaterThan(80)
      expect(marks.length).toBeLessThan(widthPx / 80 + 1)
    },
  )

  it('labels at least one point of any span that a screen shows', () => {
    for (let power = 2; power < 15; power += 0.1)
      expect(labels(10 ** power).filter((label) => label !== '').length, `10^${power}`).toBeGreaterThan(0)
  })
})

describe('cursorDigits', () => {
  it('distinguishes neighbouring pixels', () => {
    expect([1, 10, 10_000, 1e7, 1e9].map(cursorDigits)).toEqual([7, 6, 3, 0, 0])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../testing/law.ts'
import { exactRange, formatTicks, msFromTicks, parseTicks, ticksFromMs } from './ticks.ts'

describe('ticks', () => {
  test("the server's texts keep their last digit", () => {
    expect(formatTicks(parseTicks('2026-11-20T04:01:30.6364827Z'))).toBe('2026-11-20T04:01:30.6364827Z')
    expect(parseTicks('2026-11-20T04:01:30.6364828Z') - parseTicks('2026-11-20T04:01:30.6364827Z')).toBe(1)
  })

  test('law: format and parse are inverse from 1992 to 2047', () => {
    const [min, max] = [ticksFromMs(Date.UTC(1992, 0)), ticksFromMs(Date.UTC(2048, 0)) - 1]
    fc.assert(
      fc.property(fc.integer({ min, max }), (ticks) => {
        expect(parseTicks(formatTicks(ticks as never))).toBe(ticks)
      }),
    )
  })

  test.each([
    ['2026-11-20T04:00:00.0000000+03:00', '2026-11-20T01:00:00.0000000Z'],
    ['2026-11-20T22:45:00-05:30', '2026-11-21T04:15:00.0000000Z'],
    ['2026-11-20T04:00:00.0000000+00:00', '2026-11-20T04:00:00.0000000Z'],
    ['2026-11-20T04:00:00.5+0530', '2026-11-19T22:30:00.5000000Z'],
    ['2026-11-20T04:00:00-03', '2026-11-20T07:00:00.0000000Z'],
    ['2026-11-20 04:00:00,25z', '2026-11-20T04:00:00.2500000Z'],
  ])('%s is %s', (text, utc) => {
    expect(formatTicks(parseTicks(text))).toBe(utc)
  })

  test.each([
    '2026-11-20T04:00:00+3:00',
    '2026-11-20T04:00:00+15:00',
    '2026-11-20T04:00:00+03:60',
    '2026-11-20T04:00:00+030',
    '2026-11-20T04:00:00+03:',
    '2026-11-20T04:00:00+03:00Z',
  ])('%s has no offset that is one', (text) => {
    expect(parseTicks(text)).toBeNaN()
  })

  law(
    'the fast reading agrees with Date for any text that Date writes',
    [fc.date({ min: new Date('1992-01-01'), max: new Date('2047-01-01'), noInvalidDate: true })],
    (date) => {
      expect(msFromTicks(parseTicks(date.toISOString()))).toBe(date.getTime())
      expect(ticksFromMs(date.getTime())).toBe(parseTicks(date.toISOString()))
    },
  )

  test('law: a time is exact, or it is none', () => {
    const part = (max: number, width: number) => fc.nat({ max }).map((value) => String(value).padStart(width, '0'))
    const text = fc
      .tuple(part(9999, 4), part(12, 2), part(31, 2), part(23, 2), part(59, 2), part(59, 2), part(9_999_999, 7))
      .map(
        ([year, month, day, hour, minute, second, fraction]) =>
          `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`,
      )
    fc.assert(
      fc.property(text, (written) => {
        const ticks = parseTicks(written)
        if (Number.isNaN(ticks)) return
        expect(Number.isSafeInteger(ticks)).toBe(true)
        expect(formatTicks(ticks)).toBe(written)
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['1992-01-01T00:00:00.0000000Z', true],
    ['2047-12-31T23:59:59.9999999Z', true],
    ['1991-12-31T23:59:59.9999999Z', false],
    ['2048-01-01T00:00:00.0000000Z', false],
    ['0001-01-01T00:00:00.0000000', false],
    ['0000-01-01T00:00:00Z', false],
    ['9999-12-31T23:59:59.9999999Z', false],
  ])('%s is a time: %s', (text, isTime) => {
    expect(Number.isSafeInteger(parseTicks(text))).toBe(isTime)
    if (isTime) expect(formatTicks(parseTicks(text))).toBe(text)
    else expect(parseTicks(text)).toBeNaN()
  })

  test('law: the edges of any range are exact', () => {
    const edge = fc.oneof(
      fc.double({ noNaN: true }),
      fc.integer(),
      fc.constantFrom(-6.4e17, 2.6e18, 2 ** 53, -(2 ** 53)),
    )
    fc.assert(
      fc.property(edge, edge, (a, b) => {
        const range = exactRange({ startTicks: Math.min(a, b) as never, endTicks: Math.max(a, b) as never })
        expect(Number.isSafeInteger(range.startTicks) && Number.isSafeInteger(range.endTicks)).toBe(true)
        expect(range.startTicks).toBeLessThan(range.endTicks)
      }),
    )
  })

  test.each(['', 'yesterday', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01T25:00:00Z'])(
    '%j is no time',
    (text) => {
      expect(parseTicks(text)).toBeNaN()
      expect(formatTicks(parseTicks(text))).toBe('')
    },
  )

  test('a missing Z and fewer digits are read as UTC', () => {
    expect(formatTicks(parseTicks('2026-11-20T04:01:30'))).toBe('2026-11-20T04:01:30.0000000Z')
  })
})

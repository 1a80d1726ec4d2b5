import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTicks, msFromTicks, parseTicks, ticksFromMs } from './ticks.ts'

describe('ticks', () => {
  test("the server's texts keep their last digit", () => {
    expect(formatTicks(parseTicks('2026-11-20T04:01:30.6364827Z'))).toBe('2026-11-20T04:01:30.6364827Z')
    expect(parseTicks('2026-11-20T04:01:30.6364828Z') - parseTicks('2026-11-20T04:01:30.6364827Z')).toBe(1)
  })

  test('law: format and parse are inverse from 1991 to 2048', () => {
    const day = 864_000_000_000
    fc.assert(
      fc.property(fc.integer({ min: -29 * 365 * day, max: 28 * 365 * day }), (ticks) => {
        expect(parseTicks(formatTicks(ticks as never))).toBe(ticks)
      }),
    )
  })

  test('law: the fast reading agrees with Date for any text that Date writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1992-01-01'), max: new Date('2047-01-01'), noInvalidDate: true }),
        (date) => {
          expect(msFromTicks(parseTicks(date.toISOString()))).toBe(date.getTime())
          expect(ticksFromMs(date.getTime())).toBe(parseTicks(date.toISOString()))
        },
      ),
    )
  })

  test.each([
    '',
    'yesterday',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00+01:00',
  ])('%j is no time', (text) => {
    expect(parseTicks(text)).toBeNaN()
    expect(formatTicks(parseTicks(text))).toBe('')
  })

  test('a missing Z and fewer digits are read as UTC', () => {
    expect(formatTicks(parseTicks('2026-11-20T04:01:30'))).toBe('2026-11-20T04:01:30.0000000Z')
    expect(formatTicks(parseTicks('0001-01-01T00:00:00.0000000'))).toBe('0001-01-01T00:00:00.0000000Z')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import {
  describeClock,
  formatByteRate,
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatLeastBytes,
  formatLeastShare,
  formatOrdinal,
  formatPlural,
  formatRate,
  formatShare,
  formatTime,
  parseBytes,
  parseDateTime,
  parseDuration,
  uncapitalise,
} from './format.ts'
import { parseTicks, type Ticks } from '../ticks.ts'

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [3, '0.3 µs'],
    [170, '17 µs'],
    [4_600, '460 µs'],
    [9_996, '1.00 ms'],
    [12_345, '1.23 ms'],
    [4_120_000, '412 ms'],
    [9_999_999, '1.00 s'],
    [12_400_000, '1.24 s'],
    [599_999_999, '1 min'],
    [1_230_000_000, '2 min 3 s'],
    [36_000_000_000, '1 h'],
    [110_400_000_000, '3 h 4 min'],
    [1_908_000_000_000, '2 d 5 h'],
    [Number.NaN, '—'],
    [-12_345, '−1.23 ms'],
  ])('%d ticks is %s', (ticks, text) => {
    expect(formatDuration(ticks)).toBe(text)
  })
})

describe('counts, bytes, rates, shares', () => {
  it('keeps three significant digits and never hides the unit', () => {
    expect([
      formatBytes(0),
      formatBytes(512),
      formatBytes(1536),
      formatBytes(33_554_432),
      formatBytes(1023 * 1024),
    ]).toEqual(['0 B', '512 B', '1.50 KiB', '32.0 MiB', '1.00 MiB'])
    expect(formatByteRate(1_234_567)).toBe('1.18 MiB/s')
    expect([formatRate(0), formatRate(0.125)]).toEqual(['0 /s', '0.13 /s'])
    expect([formatShare(0), formatShare(0.000_001), formatShare(0.1234), formatShare(2.5)]).toEqual([
      '0 %',
      '< 0.01 %',
      '12.3 %',
      '250 %',
    ])
    expect(formatCount(1_234_567)).toBe('1,234,567')
    expect([formatPlural(1, 'write'), formatPlural(1204, 'flush', 'flushes')]).toEqual(['1 write', '1,204 flushes'])
  })

  it('says that a figure is unknown instead of zero', () => {
    expect([
      formatBytes(Number.NaN),
      formatCount(Number.NaN),
      formatByteRate(Infinity),
      formatShare(Number.NaN),
    ]).toEqual(['—', '—', '—', '—'])
  })

  it('speaks ordinals', () => {
    expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 1111, 1204].map(formatOrdinal).join(' ')).toBe(
      '1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 1,111th 1,204th',
    )
  })
})

describe('times', () => {
  const at = parseTicks('2026-11-20T04:01:30.6364827Z')

  it('shows all seven digits of the server and cuts on demand', () => {
    expect(formatDateTime(at, 'utc', 7)).toBe('2026-11-20 04:01:30.6364827')
    expect(formatTime(at, 'utc', 3)).toBe('04:01:30.636')
    expect(formatTime(at, 'utc', 0)).toBe('04:01:30')
  })

  law(
    'reads what it wrote, in either clock',
    [fc.integer({ min: 0, max: 4_000_000_000_000_000 }), fc.constantFrom('utc' as const, 'local' as const)],
    (ticks, clock) => {
      const text = formatDateTime(ticks as Ticks, clock, 7)
      const read = parseDateTime(text, clock, 0 as Ticks)
      expect(formatDateTime(read, clock, 7)).toBe(text)
      if (clock === 'utc') expect(read).toBe(ticks)
    },
  )

  it('takes a bare time as one of the day that is looked at', () => {
    expect(parseDateTime('4:01', 'utc', at)).toBe(parseTicks('2026-11-20T04:01:00Z'))
    expect(parseDateTime('2026-11-20T04:01:30.6364827Z', 'local', at)).toBe(at)
    expect(parseDateTime('25:00', 'utc', at)).toBeNaN()
    expect(parseDateTime('04:61', 'utc', at)).toBeNaN()
    expect(parseDateTime('soon', 'utc', at)).toBeNaN()
  })
})

describe('typed bounds', () => {
  it('reads durations', () => {
    expect(['', '10 ms', '10', '1.5s', '300 µs', '2 min'].map(parseDuration)).toEqual([
      null,
      100_000,
      100_000,
      15_000_000,
      3_000,
      1_200_000_000,
    ])
    expect(parseDuration('long')).toBeNaN()
  })

  it('reads sizes', () => {
    expect(['', '4096', '4 KB', '1.5 MiB', '2g'].map(parseBytes)).toEqual([null, 4096, 4096, 1_572_864, 2_147_483_648])
    expect(parseBytes('big')).toBeNaN()
  })
})

describe('parseDateTime with an offset', () => {
  it('takes it in place of the clock', () => {
    const near = 0 as Ticks
    expect(parseDateTime('2026-10-25 02:25 +02:00', 'local', near)).toBe(parseTicks('2026-10-25T00:25:00Z'))
    expect(parseDateTime('2026-10-25 02:25 +01:00', 'utc', near)).toBe(parseTicks('2026-10-25T01:25:00Z'))
    expect(parseDateTime('2026-10-25 02:25 +1:00', 'utc', near)).toBeNaN()
  })
})

describe('describeClock', () => {
  it('names the zone of local times, so that the choice and the words agree', () => {
    expect(describeClock('utc', 'Europe/Berlin')).toBe('Times in UTC')
    expect(describeClock('local', 'UTC')).toBe('Times in local time (UTC)')
    expect(describeClock('local', 'Europe/Berlin')).toBe('Times in local time (Europe/Berlin)')
  })
})

it('words within a sentence begin small, and abbreviations stay', () => {
  expect(['CPU saturated', 'Commits are held up', 'GC pauses'].map(uncapitalise)).toEqual([
    'CPU saturated',
    'commits are held up',
    'GC pauses',
  ])
})

describe('a lower bound', () => {
  const MIB = 1024 ** 2
  it.each([
    [856.6 * MIB, '856 MiB'],
    [99.97 * MIB, '99.9 MiB'],
    [9.999 * MIB, '9.99 MiB'],
    [999.7 * MIB, '999 MiB'],
    [68 * MIB, '68.0 MiB'],
    [512, '512 B'],
    [0, '0 B'],
    [Number.NaN, '—'],
  ])('of %f bytes is at least %s', (bytes, text) => expect(formatLeastBytes(bytes)).toBe(text))

  it.each([
    [0.3339, '33.3 %'],
    [0.29, '29.0 %'],
    [0.5, '50.0 %'],
    [0.999_96, '99.9 %'],
    [1, '100 %'],
    [0, '0 %'],
  ])('of the share %f is at least %s', (share, text) => expect(formatLeastShare(share)).toBe(text))

  law('is never above the value', [fc.nat(2 ** 31 - 1).map((bytes) => bytes * 2 ** 18)], (bytes) => {
    expect(parseBytes(formatLeastBytes(bytes))).toBeLessThanOrEqual(bytes * (1 + 1e-12))
  })
})

import { expect, test } from 'vitest'
import { quotedBytes, quotedMs, quotedNumber } from './quoted-number.ts'

test.each([
  ['12', 12],
  [' 12.5 ', 12.5],
  ['-3', -3],
  ['1.5e3', 1500],
  ['1,234,567', 1_234_567],
  ['1,234.5', 1234.5],
  ['1,234', Number.NaN],
  ['12,5', Number.NaN],
  ['1.234,5', Number.NaN],
  ['', Number.NaN],
  ['0x10', Number.NaN],
  ['Infinity', Number.NaN],
  ['12 apples', Number.NaN],
])('%j is the number %d', (text, number) => expect(quotedNumber(text)).toBe(number))

test.each([
  ['4096', 4096],
  ['124 KB', 126_976],
  ['1.859 GBytes', 1_996_086_051],
  ['64 Bytes', 64],
  ['2MiB', 2_097_152],
  ['1 kB', Number.NaN],
  ['1 Kb', Number.NaN],
  ['KB', Number.NaN],
  ['1,5 MB', Number.NaN],
])('%j is %d bytes', (text, bytes) => expect(quotedBytes(text)).toBe(bytes))

test.each([
  ['12.5', 12.5],
  ['12.5 ms', 12.5],
  ['3 s', 3000],
  ['250 µs', 0.25],
  ['1e3', 1000],
  ['1.5E-1 ms', 0.15],
  ['2 min', 120_000],
  ['3 m', Number.NaN],
  ['ms', Number.NaN],
  ['3 s ago', Number.NaN],
])('%j is %d ms', (text, ms) => expect(quotedMs(text)).toBe(ms))

// @ts-check
import { expect, test } from 'vitest'
import { limitOf } from './record.mjs'

test('a limit is days, and bytes where they are given', () => {
  expect(limitOf('--keep', undefined, 30)).toEqual({ keepMs: 30 * 86_400_000, maxBytes: null })
  expect(limitOf('--keep', '2', 30)).toEqual({ keepMs: 2 * 86_400_000, maxBytes: null })
  expect(limitOf('--keep-events', '3,1.5 GB', 3)).toEqual({ keepMs: 3 * 86_400_000, maxBytes: 1.5e9 })
  expect(() => limitOf('--keep-slow', 'x', 3)).toThrow('--keep-slow takes a whole number')
  expect(() => limitOf('--keep-slow', '3,5', 3)).toThrow('--keep-slow takes a size such as')
})

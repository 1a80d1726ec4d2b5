import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundedName, MOST_NAME_LENGTH } from '../text/bounded-text.ts'
import { NumberSet } from './number-set.ts'
import { textHash } from '../text/text-hash.ts'

test('law: a set of numbers holds what a Set does', () => {
  const value = fc.oneof(fc.nat({ max: 20 }), fc.integer({ min: 0, max: 2 ** 52 }))
  fc.assert(
    fc.property(fc.array(value, { maxLength: 300 }), fc.array(value, { maxLength: 50 }), (values, others) => {
      const set = new NumberSet()
      const real = new Set<number>()
      for (const each of values) {
        expect(set.add(each)).toBe(!real.has(each))
        real.add(each)
      }
      expect(set.size).toBe(real.size)
      for (const each of [...values, ...others]) expect(set.has(each)).toBe(real.has(each))
    }),
  )
})

test('a hundred thousand paths have as many hashes, and a set of them takes at most 32 bytes each', () => {
  const set = new NumberSet()
  for (let i = 0; i < 100_000; i++) set.add(textHash('/data/Databases/shop/Indexes', `Orders_${i}`))
  expect(set.size).toBe(100_000)
  expect(set.byteLength / set.size).toBeLessThan(32)
})

test('where one text ends and the next begins counts', () => {
  expect(textHash('ab', 'c')).not.toBe(textHash('a', 'bc'))
  expect(textHash('abc')).not.toBe(textHash('abc', ''))
})

test('names are whole up to the limit; longer ones stay apart', () => {
  const long = 'x'.repeat(MOST_NAME_LENGTH)
  expect(boundedName(long)).toBe(long)
  expect(boundedName(`${long}a`).length).toBeLessThan(1100)
  expect(boundedName(`${long}a`)).not.toBe(boundedName(`${long}b`))
})

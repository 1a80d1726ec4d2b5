import fc from 'fast-check'
import { expect, test } from 'vitest'
import { radixOrder } from './radix-order.ts'

const orderOf = (keys: number[]): number[] => {
  const run = radixOrder(Float64Array.from(keys), keys.length)
  for (;;) {
    const step = run.next()
    if (step.done === true) return [...step.value]
  }
}

test('law: the order is that of a stable sort', () => {
  const key = fc.oneof(
    fc.double({ noNaN: true }),
    fc.integer(),
    fc.nat({ max: 3 }),
    fc.constantFrom(0, -0, Infinity, -Infinity),
  )
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      const wanted = keys
        .map((_, i) => i)
        .toSorted((a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : a - b))
      expect(orderOf(keys)).toEqual(wanted)
    }),
  )
})

test('what is no number comes last', () => {
  expect(orderOf([Number.NaN, 5, -1, Number.NaN, Infinity])).toEqual([2, 1, 4, 0, 3])
})

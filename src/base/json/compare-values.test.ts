import { expect, it } from 'vitest'
import { compareNumbers, compareValues } from './compare-values.ts'

it('orders numbers by all of their digits', () => {
  const ascending = [
    '-1e400',
    '-9007199254740993',
    '-9007199254740992',
    '-0.5',
    '0',
    '1e-400',
    '0.1',
    '0.100000000000000000001',
    '9.99',
    '10',
    '9007199254740992',
    '9007199254740993',
    '12345678901234567890',
    '1e300',
    '1e400',
  ]
  expect(ascending.toReversed().toSorted(compareNumbers)).toEqual(ascending)
})

it.each([
  ['1.10', '1.1'],
  ['100', '1e2'],
  ['-0.0', '0'],
  ['1200E-2', '12'],
])('takes %s and %s as equal', (a, b) => expect(compareNumbers(a, b)).toBe(0))

it('orders texts as names, and kinds among each other', () => {
  const ascending = ['false', 'null', 'true', '-1', '2', '"item 2"', '"item 10"', '"\\u0078"', '[1]', '{"a":1}']
  expect(ascending.toReversed().toSorted(compareValues)).toEqual(ascending)
})

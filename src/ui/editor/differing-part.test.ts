import fc from 'fast-check'
import { expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import { differingPart } from './differing-part.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\ud800'), maxLength: 12 })

law('the differing part of two texts turns one into the other', [text, text], (before, after) => {
  const { from, to, insert } = differingPart(before, after)
  expect(before.slice(0, from) + insert + before.slice(to)).toBe(after)
})

it('leaves what both begin and end with', () => {
  expect(differingPart('{"a": 1, "b": 2}', '{"a": 10, "b": 2}')).toEqual({ from: 7, to: 7, insert: '0' })
  expect(differingPart('aaa', 'aa')).toEqual({ from: 2, to: 3, insert: '' })
})

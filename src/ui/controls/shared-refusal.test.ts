import { expect, it } from 'vitest'
import { sharedRefusal } from './shared-refusal.ts'

it.each([
  ['the reason of all', ['locked', 'locked'], 'locked'],
  ['that of most, where nothing can be chosen', ['needs a right', 'locked', 'locked'], 'locked'],
  ['none where something can be chosen', ['locked', 'locked', null], null],
  ['none of an entry alone', ['locked'], null],
  ['none where each has its own', ['a', 'b'], null],
  ['none of an empty menu', [], null],
])('is %s', (_what, refusals, shared) => {
  expect(sharedRefusal(refusals)).toBe(shared)
})

import { expect, it } from 'vitest'
import { canDelete } from './can-delete.ts'

it.each([
  ['from Orders', true],
  ["from Orders where Name = 'limit'", true],
  ['from Orders limit 10', false],
  ['from Orders offset 5', false],
  ['from Orders filter N > 1', false],
  ['from Orders select N', false],
])('%s offers a deletion: %s', (text, offers) => {
  expect(canDelete({ text }, { total: 10, scanned: 0 })).toBe(offers)
})

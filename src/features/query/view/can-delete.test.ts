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
  expect(canDelete({ text }, { rows: ['{"@metadata":{"@id":"a"}}'], total: 10, scanned: 0 })).toBe(offers)
})

it('offers none for results of map-reduce', () => {
  const rows = ['{"N":1,"@metadata":{"@index-score":1.0}}']
  expect(canDelete({ text: 'from index Sums' }, { rows, total: 1, scanned: 0 })).toBe(false)
})

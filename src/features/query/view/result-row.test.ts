import { expect, it } from 'vitest'
import { figuresOf, resultRow, sortResults } from './result-row.ts'

const rows = [
  '{"N":9007199254740993,"@metadata":{"@id":"orders/10"}}',
  '{"N":"text","@metadata":{"@id":"orders/9"}}',
  '{"Other":1,"@metadata":{"@id":"orders/8"}}',
  '{"N":9007199254740992}',
].map(resultRow)
const order = (id: string, descending: boolean): readonly number[] =>
  sortResults(rows, { id, descending }).map(({ position }) => position)

it('sorts results by every digit, those without the field last', () => {
  expect(order('=N', false)).toEqual([3, 0, 1, 2])
  expect(order('=N', true)).toEqual([1, 0, 3, 2])
  expect(order('@id', false)).toEqual([2, 1, 0, 3])
  expect(order('#', true)).toEqual([3, 2, 1, 0])
})

it('takes a field for figures if all of its values are numbers', () => {
  const mixed = ['{"Size":1,"Mixed":1,"None":null}', '{"Size":null,"Mixed":"1","Late":-1.10}'].map(resultRow)
  expect([...figuresOf(mixed)]).toEqual(['Size', 'Late'])
})

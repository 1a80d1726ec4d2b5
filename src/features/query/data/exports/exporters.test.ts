import { expect, it } from 'vitest'
import { csvCells, headOf } from './exporters.ts'

it('names each column once, whatever the fields are called', () => {
  expect(headOf(['N', 'document id', 'other fields', 'document id_'])).toEqual([
    'document id',
    'N',
    'document id_',
    'other fields',
    'document id__',
    'other fields_',
  ])
})

it('keeps a null apart from an empty text, and what has no column as JSON', () => {
  const row = '{"A":"","B":null,"C":1.10,"__proto__":[1e300],"@metadata":{"@id":"a/1"}}'
  expect(csvCells(row, ['A', 'B', 'C'])).toEqual(['a/1', '', null, '1.10', '{"__proto__":[1e300]}'])
})

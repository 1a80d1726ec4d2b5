import { expect, it } from 'vitest'
import { resultTables } from './result-tables.ts'

it('shows the values of a facet digit for digit, without columns that say nothing', () => {
  const row =
    '{"Name":"Company","Values":[{"Name":null,"Count":3,"Range":"companies/1","Sum":1.10,"Average":null}],"RemainingTerms":[]}'
  expect(resultTables([row])).toEqual([
    { title: 'Company', columns: ['Range', 'Count', 'Sum'], rows: [['companies/1', '3', '1.10']], left: 0 },
  ])
})

it('shows suggestions', () => {
  expect(resultTables(['{"Name":"Name","Suggestions":["chai","chang"]}'])).toMatchObject([
    { title: 'Name', columns: ['Suggestion'], rows: [['chai'], ['chang']] },
  ])
})

it('shows the entries of a time series, of a result and of a field', () => {
  const series = '{"Count":1,"Results":[{"Timestamp":"2026-01-01T00:00:00.0000000Z","Values":[61.0],"Tag":null}]}'
  const rows = [['2026-01-01T00:00:00.0000000Z', '[61.0]']]
  expect(resultTables([series])).toMatchObject([{ title: 'Result 1', columns: ['Timestamp', 'Values'], rows }])
  expect(resultTables([`{"Heart":${series},"@metadata":{"@id":"users/1"}}`])).toMatchObject([
    { title: 'users/1, Heart', rows },
  ])
})

it('leaves documents as they are', () => {
  expect(resultTables(['{"Name":"A","Values":[1,2]}', '{"Results":[]}', '1.10'])).toEqual([])
})

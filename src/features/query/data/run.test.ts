import { expect, it } from 'vitest'
import type { QueryPage } from '../contract.ts'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import { QueryError } from '../../../ravendb/http/query.ts'
import { counted, missingParameters, refusedBy } from './run.ts'

it('names the parameters of a query that have no value', () => {
  expect(missingParameters(['min', 'max'], '')).toEqual(['min', 'max'])
  expect(missingParameters(['min', 'max'], '{ "max": 9007199254740993 }')).toEqual(['min'])
  expect(missingParameters([], '{"a":1}')).toEqual([])
})

it.each([
  [
    'delete from Orders',
    'RQL does not delete. Run the query alone, from Orders where …, then choose “Delete by query”.',
  ],
  ['// all\nUPDATE Orders { }', 'In RQL the change follows the query: from Orders update { this.Note = 1 }.'],
  ['fron Orders', 'Expected FROM clause but got: fron'],
])('%j that the server does not expect is refused with: %s', (text, message) => {
  const error = new RavenError({ kind: 'server', endpoint: '/queries', status: 500 })
  const whole = `1:1 Expected FROM clause but got: fron\r\nQuery: ${text}`
  expect(refusedBy(new QueryError(error, whole), text).message).toBe(message)
})

// Numbers of 7.1.5, 6.2.4 and 5.4.207: 600 documents with 250 values, and an index with three entries for each of them.
it.each([
  ['from P select distinct S', { rows: 250, skipped: 350, total: 600 }, [250, false]],
  ['from P select distinct S', { rows: 100, skipped: 0, total: 600 }, [600, true]],
  ['from index Fan', { rows: 600, skipped: 1200, total: 1800 }, [600, false]],
  ['from index Fan', { rows: 100, skipped: 198, total: 1800 }, [1800, true]],
  ['from P', { rows: 100, skipped: 0, total: 600 }, [600, false]],
  ['from index Flat select distinct S limit 7', { rows: 7, skipped: 0, total: 7 }, [7, false]],
])('%s counts the results of %j', (text, { rows, skipped, total }, expected) => {
  const page = {
    start: 0,
    rows: Array.from({ length: rows }, () => '{}'),
    skipped,
    total,
    scanned: 0,
    leavesOut: false,
    index: '',
  }
  const { total: count, leavesOut } = counted(page as unknown as QueryPage, { text, pageSize: rows })
  expect([count, leavesOut]).toEqual(expected)
})

import { expect, it } from 'vitest'
import { readPage } from './rows.ts'

const document = (id: string, collection: string, fields: object): object => ({
  ...fields,
  '@metadata': {
    '@id': id,
    '@collection': collection,
    '@change-vector': 'A:1',
    '@last-modified': '2026-01-01T00:00:00Z',
  },
})

it('names fields that most documents have first, in the order of the server where as many have them', () => {
  const page = {
    Results: [
      document('state/1', 'State', { Seed: 1, Next: 2 }),
      document('users/2', 'Users', { Name: 'a', Age: 1 }),
      document('users/1', 'Users', { Name: 'b' }),
    ],
    TotalResults: 3,
    AvailableColumns: ['Seed', 'Next', 'Name', 'Age', 'constructor'],
  }
  const { fields, total } = readPage(new TextEncoder().encode(JSON.stringify(page)))
  expect(fields).toEqual(['Name', 'Seed', 'Next', 'Age', 'constructor'])
  expect(total).toBe(3)
})

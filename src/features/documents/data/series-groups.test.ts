import { expect, it } from 'vitest'
import { groupsQuery, readGroups } from './series-groups.ts'

it.each([
  ['2026-01-01T00:00:00.0000000Z', '2026-01-01T00:00:00.0000000Z', '1 milliseconds'],
  ['2026-01-01T00:00:00.0000000Z', '2026-01-01T00:00:10.0000000Z', '20 milliseconds'],
  ['2024-01-01T00:00:00.0000000Z', '2024-01-12T13:46:39.0000000Z', '2000 seconds'],
  ['0001-01-01T00:00:00.0000000Z', '9999-12-31T23:59:59.9990000Z', '631075796 seconds'],
])('groups from %s to %s by %s', (from, to, words) => {
  expect(groupsQuery({ id: 'rooms/1', name: 'Air', from, to })).toContain(`group by '${words}'`)
})

it('quotes the name of a series, and sends the id beside the text', () => {
  const [from, to] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:10Z']
  const body = JSON.parse(groupsQuery({ id: "a' or true", name: String.raw`it's \b`, from, to })) as { Query: string }
  expect(body.Query).toContain(String.raw`from 'it\'s \\b' group by`)
  expect(body).toMatchObject({ QueryParameters: { id: "a' or true" } })
})

it('reads groups with the digits of the server', () => {
  const group = '{"From":"2026-01-01T00:00:00.0000000Z","To":"x","Key":null,"Count":[2.0],"Min":[-1E+300],"Max":[1.50]}'
  expect(readGroups(`{"Results":[{"Count":2,"Results":[${group}],"@metadata":{}}],"Includes":{}}`)).toEqual([
    { at: '2026-01-01T00:00:00.0000000Z', lowest: ['-1E+300'], highest: ['1.50'] },
  ])
  expect(readGroups('{"Results":[]}')).toEqual([])
})

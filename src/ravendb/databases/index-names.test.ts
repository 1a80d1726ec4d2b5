import { expect, it } from 'vitest'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import { Governor } from '../governor/governor.ts'
import { readIndexNames } from './index-names.ts'

const { signal } = new AbortController()

it('reads the names of indexes in the server’s records, of unloaded databases too, and asks no database', async () => {
  const raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  raven.databases.set('asleep', 'unloaded')
  raven.on(/^\/admin\/databases\?name=shop/, () => ({
    Indexes: { 'Orders/ByCompany': { Maps: [] } },
    AutoIndexes: { 'Auto/Orders/ByTotal': {} },
    RavenConnectionStrings: { Password: 'secret' },
  }))
  raven.on(/^\/admin\/databases\?name=asleep/, () => ({ Indexes: { Users: {} }, AutoIndexes: null }))
  const response = await readIndexNames(new Governor(raven.env), ['shop', 'asleep'], signal)
  expect(response).toEqual({
    found: [
      { database: 'shop', names: ['Orders/ByCompany', 'Auto/Orders/ByTotal'] },
      { database: 'asleep', names: ['Users'] },
    ],
    unknown: [],
  })
  expect(raven.paths(/^\/databases\/\w+\//)).toEqual([])
})

it('asks a database that others use where records may not be read, and names the others', async () => {
  const raven = new FakeRaven()
  for (const name of ['used', 'rests']) raven.databases.set(name, 'loaded')
  raven.databases.set('asleep', 'unloaded')
  raven.on(/^\/admin\/databases\?/, () => json({ Type: 'InvalidAuth', Message: 'no' }, 403))
  raven.on(/databases\/idle/, () => ({
    Results: ['used', 'rests'].map((Name) => ({
      Name,
      IsLoaded: true,
      LastWork: '2026-11-26T10:00:00Z',
      NumberOfChangesApiConnections: Name === 'used' ? 1 : 0,
    })),
  }))
  raven.on(/indexes\?/, () => ({ Results: ['Orders/ByCompany'] }))
  const response = await readIndexNames(new Governor(raven.env), ['used', 'rests', 'asleep'], signal)
  expect(response).toEqual({
    found: [{ database: 'used', names: ['Orders/ByCompany'] }],
    unknown: ['rests', 'asleep'],
  })
  expect(raven.paths(/^\/databases\/\w+\//)).toEqual(['/databases/used/indexes?namesOnly=true&start=0&pageSize=1024'])
})

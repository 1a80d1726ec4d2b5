import { expect, it } from 'vitest'
import { FakeRaven } from '../../testing/fake-raven.ts'
import { Governor } from '../../ravendb/governor/governor.ts'
import { IndexCounts } from './index-counts.ts'
import { readIndexList } from './index-list.ts'
import { actionResponses } from './responses.ts'

const { signal } = new AbortController()

/** Allocated by the only index of `shop`, bytes. */
function setup() {
  const raven = new FakeRaven()
  const server = { bytes: 65_536 }
  raven.databases.set('shop', 'loaded')
  raven.on(/indexes\/stats$/, () => ({ Results: [{ Name: 'ByName', Type: 'Map' }] }))
  raven.on(/indexes\/progress$/, () => ({ Results: [] }))
  raven.on(/collections\/stats$/, () => ({ CountOfDocuments: 0, Collections: {} }))
  raven.on(/storage\/report$/, () => ({
    Results: [{ Name: 'ByName', Type: 'Index', Report: { DataFile: { AllocatedSpaceInBytes: server.bytes } } }],
  }))
  const governor = new Governor(raven.env)
  const read = async () => {
    const list = await readIndexList(governor, { database: 'shop' }, signal)
    return list.loaded ? { sizeBytes: list.indexes[0]?.facts.sizeBytes, atMs: list.atMs } : null
  }
  return { raven, server, governor, read }
}

it('reads sizes once in half a minute, while the rest is read as often as the database has work', async () => {
  const { raven, server, governor, read } = setup()
  expect(await read()).toMatchObject({ sizeBytes: 65_536 })
  server.bytes = 131_072
  await raven.clock.advance(20_000)
  governor.databaseWorked('shop')
  expect(await read()).toEqual({ sizeBytes: 65_536, atMs: raven.clock.nowMs })
  await raven.clock.advance(20_000)
  governor.databaseWorked('shop')
  expect(await read()).toMatchObject({ sizeBytes: 131_072 })
})

it('shows no sizes of the server that had this address before', async () => {
  const { raven, server, governor, read } = setup()
  await read()
  server.bytes = 131_072
  governor.serverChanged()
  expect(await read()).toMatchObject({ sizeBytes: 131_072 })
  server.bytes = 262_144
  raven.up = false
  await governor.json('serverId').catch(() => undefined)
  raven.up = true
  expect(await read()).toMatchObject({ sizeBytes: 262_144 })
})

it('says when the list of a database without other work was read', async () => {
  const { raven, read } = setup()
  raven.on(/databases\/idle/, () => ({ Results: [{ Name: 'shop', IsLoaded: true, LastWork: '2026-11-26T10:00:00Z' }] }))
  const first = await read()
  await raven.clock.advance(600_000)
  expect(await read()).toEqual(first)
})

it('notices that another client deleted an index of a database without other work', async () => {
  const { raven, governor, read } = setup()
  const entry = { Name: 'shop', IsLoaded: true, LastWork: '2026-11-26T10:00:00Z' }
  raven.on(/databases\/idle/, () => ({ Results: [entry] }))
  let indexes = 1
  raven.on(/\/databases\?name=/, () => ({ Databases: [{ Name: 'shop', IndexesCount: indexes }] }))
  const { responses } = actionResponses()
  const readLater = async (afterMs: number) => {
    await raven.clock.advance(afterMs)
    await responses['actions.indexes']!({ database: 'shop' }, governor, signal)
    return read()
  }
  const first = await readLater(0)
  expect(await readLater(30_000)).toEqual(first)
  indexes = 0
  const later = await readLater(11_000)
  expect(later?.atMs).toBe(raven.clock.nowMs)
  expect(await readLater(30_000)).toEqual(later)
  expect(raven.paths(/\/databases\?name=/)).toHaveLength(4)
})

it('notices a change between the first list of indexes and the first number', async () => {
  const { raven, governor } = setup()
  const entry = { Name: 'shop', IsLoaded: true, LastWork: '2026-11-26T10:00:00Z' }
  raven.on(/databases\/idle/, () => ({ Results: [entry] }))
  raven.on(/\/databases\?name=/, () => ({ Databases: [{ Name: 'shop', IndexesCount: 2 }] }))
  const { responses } = actionResponses()
  const names = async (): Promise<unknown> => {
    const list = await responses['actions.indexes']!({ database: 'shop' }, governor, signal)
    return list.loaded ? list.indexes.map(({ name }) => name) : null
  }
  const lists = () => raven.paths(/indexes\/stats$/).length
  // The second index is created after the list was read.
  let isCreated = false
  raven.on(/indexes\/stats$/, () => {
    const all = [{ Name: 'ByName', Type: 'Map' }, ...(isCreated ? [{ Name: 'ByAge', Type: 'Map' }] : [])]
    isCreated = true
    return { Results: all }
  })
  expect(await names()).toEqual(['ByAge', 'ByName'])
  expect(lists()).toBe(2)
  await raven.clock.advance(11_000)
  await names()
  expect(lists()).toBe(2)
})

it('does not read the number of indexes of an unloaded database again and again', async () => {
  const { raven, governor } = setup()
  raven.databases.set('shop', 'unloaded')
  const { responses } = actionResponses()
  const counts = () => raven.paths(/\/databases\?name=/).length
  for (let second = 0; second < 60; second += 3) {
    expect(await responses['actions.indexes']!({ database: 'shop' }, governor, signal)).toEqual({ loaded: false })
    await raven.clock.advance(3000)
  }
  expect(counts()).toBe(0)
})

it('forgets only the database that was read longest ago', async () => {
  const { raven, governor } = setup()
  let indexes = 2
  raven.on(/\/databases\?name=/, () => ({ Databases: [{ IndexesCount: indexes }] }))
  const counts = new IndexCounts()
  const names = Array.from({ length: 101 }, (_, i) => `db${i}`)
  const compareAll = () => Promise.all(names.slice(1).map((name) => counts.compare(governor, name, 2, signal)))
  await counts.compare(governor, 'db0', 2, signal)
  await compareAll()
  indexes = 3
  await raven.clock.advance(11_000)
  expect((await compareAll()).filter((hasChanged) => !hasChanged)).toEqual([])
})

import { beforeEach, expect, it } from 'vitest'
import type { JsonObject } from '../../../base/json/check.ts'
import { parseTicks } from '../../../base/ticks.ts'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../../testing/fake-raven.ts'
import { OperationsReader, type OperationsSource } from './operations.ts'

const { signal } = new AbortController()
let raven: FakeRaven
let governor: Governor
let used: string[]
let merger: ReturnType<OperationsSource['merger']>
let frames: JsonObject[]
let reader: OperationsReader

const operation = (id: number, status: string, start = '2026-11-22T00:00:00.0000000Z') => ({
  Id: id,
  Description: { Description: 'Ts', TaskType: 'UpdateByQuery', StartTime: start, EndTime: null },
  Killable: true,
  State: { Status: status, Progress: null, Result: null },
})

const times = (at: string, waits: number) => ({ atTicks: parseTicks(`${at}.0000000Z`), waits })

/** Names of the databases whose operations were requested since. */
const requested = (from: number): string[] =>
  raven.calls.slice(from).flatMap(({ path }) => /\/databases\/(\w+)\/operations$/.exec(path)?.[1] ?? [])

beforeEach(() => {
  raven = new FakeRaven()
  governor = new Governor(raven.env)
  used = []
  merger = undefined
  frames = []
  reader = new OperationsReader({
    frames: () => frames,
    loaded: () => [...raven.databases].filter(([, state]) => state === 'loaded').map(([name]) => name),
    used: () => used,
    merger: () => merger,
  })
})

it('asks each loaded database once, then only those that are in use, and loads none', async () => {
  for (const name of ['quiet', 'busy', 'running']) raven.databases.set(name, 'loaded')
  raven.databases.set('unloaded', 'unloaded')
  raven.on(/\/operations$/, (path) =>
    json({ Results: path.includes('/running/') ? [operation(1, 'InProgress')] : [operation(2, 'Completed')] }),
  )
  const first = await reader.read({ round: 1, also: [], all: true }, governor, signal)
  expect(first).toMatchObject({ loaded: 3, answered: 3, failed: [], more: 0 })
  expect(first.operations.map(({ database, status }) => `${database} ${status}`)).toEqual([
    'running InProgress',
    'quiet Completed',
    'busy Completed',
  ])
  expect(requested(0).toSorted()).toEqual(['busy', 'quiet', 'running'])

  used = ['busy']
  await raven.clock.advance(6000)
  let from = raven.calls.length
  await reader.read({ round: 1, also: [], all: true }, governor, signal)
  expect(requested(from).toSorted()).toEqual(['busy', 'running'])

  from = raven.calls.length
  await reader.read({ round: 2, also: [], all: true }, governor, signal)
  expect(requested(from).toSorted(), 'the user wants it again').toEqual(['busy', 'quiet', 'running'])
  expect(raven.loads).toEqual([])
})

it('asks no database that no other client has used, unless the user wants it, and counts it', async () => {
  for (const name of ['rests', 'runs']) raven.databases.set(name, 'loaded')
  raven.on(/databases\/idle/, () => ({
    Results: ['rests', 'runs'].map((Name) => ({
      Name,
      IsLoaded: true,
      LastWork: '2026-11-26T10:00:00Z',
      HasActiveOperations: Name === 'runs',
    })),
  }))
  raven.on(/\/operations$/, () => json({ Results: [operation(1, 'InProgress')] }))
  const first = await reader.read({ round: 1, also: [], all: false }, governor, signal)
  expect(first).toMatchObject({ loaded: 2, answered: 1, resting: 1, failed: [] })
  expect(requested(0)).toEqual(['runs'])
  expect(await reader.read({ round: 2, also: [], all: true }, governor, signal)).toMatchObject({
    answered: 2,
    resting: 0,
  })
})

it('asks nothing again for a second view that was opened before, and all for one that was opened since', async () => {
  for (const name of ['a', 'b']) raven.databases.set(name, 'loaded')
  raven.on(/\/operations$/, () => json({ Results: [operation(2, 'Completed')] }))
  await reader.read({ round: 5, also: [], all: true }, governor, signal)
  let from = raven.calls.length
  expect(await reader.read({ round: 4, also: [], all: true }, governor, signal)).toMatchObject({ answered: 2 })
  expect(requested(from)).toEqual([])
  await reader.read({ round: 6, also: [], all: true }, governor, signal)
  expect(requested(from).toSorted()).toEqual(['a', 'b'])
  from = raven.calls.length
  await reader.read({ round: 5, also: [], all: true }, governor, signal)
  expect(requested(from)).toEqual([])
})

it('finds an operation that began after its database was read and has not written yet, by requests to no other', async () => {
  for (const name of ['patched', 'idle']) raven.databases.set(name, 'loaded')
  let isPatched = false
  raven.on(/databases\/idle/, () => ({
    Results: ['patched', 'idle'].map((Name) => ({
      Name,
      IsLoaded: true,
      LastWork: '2026-11-26T10:00:00Z',
      HasActiveOperations: isPatched && Name === 'patched',
    })),
  }))
  raven.on(/\/operations$/, () => json({ Results: isPatched ? [operation(1, 'InProgress')] : [] }))
  const read = async (round: number, all: boolean) => reader.read({ round, also: [], all }, governor, signal)
  await read(1, true)
  await raven.clock.advance(4000)
  // Opened again by another view: what was read before holds.
  await read(2, false)
  const from = raven.calls.length
  isPatched = true
  for (let second = 0; second < 25; second++) {
    await raven.clock.advance(1000)
    await read(2, false)
  }
  expect((await read(2, false)).operations.map(({ database, status }) => `${database} ${status}`)).toEqual([
    'patched InProgress',
  ])
  expect(new Set(requested(from))).toEqual(new Set(['patched']))
})

it('reads each database once for a view that opens, where the work of databases is not seen', async () => {
  raven.databases.set('shop', 'loaded')
  raven.on(/databases\/idle/, () => json({ Message: 'No.' }, 403))
  raven.on(/^\/databases(?:\?|$)/, () => json({ Databases: [{ Name: 'shop', UpTime: '00:10:00' }] }))
  raven.on(/\/operations$/, () => json({ Results: [] }))
  await reader.read({ round: 1, also: [], all: false }, governor, signal)
  const from = raven.calls.length
  expect(await reader.read({ round: 2, also: [], all: false }, governor, signal)).toMatchObject({ isBlind: true })
  expect(requested(from)).toEqual(['shop'])
  await raven.clock.advance(60_000)
  await reader.read({ round: 2, also: [], all: false }, governor, signal)
  expect(requested(from), 'none for looking on').toEqual(['shop'])
})

it('reads all again at a click, though no work was seen since', async () => {
  raven.databases.set('shop', 'loaded')
  raven.on(/databases\/idle/, () => ({ Results: [{ Name: 'shop', IsLoaded: true, LastWork: 'x' }] }))
  raven.on(/\/operations$/, () => json({ Results: [] }))
  await reader.read({ round: 1, also: [], all: true }, governor, signal)
  const from = raven.calls.length
  await reader.read({ round: 2, also: [], all: true }, governor, signal)
  expect(requested(from)).toEqual(['shop'])
})

it('names a database that does not answer, and keeps the others', async () => {
  raven.databases.set('good', 'loaded')
  raven.databases.set('bad', 'loaded')
  raven.on(/\/operations$/, (path) =>
    path.includes('/bad/') ? json({ Message: 'No.' }, 500) : json({ Results: [operation(1, 'InProgress')] }),
  )
  const { operations, failed, answered } = await reader.read({ round: 1, also: [], all: true }, governor, signal)
  expect(operations.map(({ database }) => database)).toEqual(['good'])
  expect(failed.map(({ database }) => database)).toEqual(['bad'])
  expect(answered).toBe(1)
})

it('reads the state of an operation of the server that is on its way, and says when the server forgot it', async () => {
  const frame = (id: number): JsonObject => ({
    OperationId: id,
    TaskType: 'DatabaseCompact',
    Message: 'Compacting database: shop',
    Killable: true,
    StartTime: '2026-11-22T00:00:00.0000000Z',
    State: { Status: 'InProgress', Progress: null, Result: null },
  })
  frames = [frame(1), frame(2)]
  raven.on(/^\/operations\/state\?id=1$/, () => json({ Status: 'Canceled', Progress: null, Result: null }))
  raven.on(/^\/operations\/state\?id=2$/, () => new Response(null, { status: 404 }))
  const { operations } = await reader.read({ round: 1, also: [], all: true }, governor, signal)
  expect(operations.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual(['1 Canceled', '2 Unknown'])
})

it('says how fast a bulk insert goes on, and when the client limits it', async () => {
  raven.databases.set('shop', 'loaded')
  let progress = { Total: 800, BatchCount: 4 }
  let status = 'InProgress'
  let isBusy = false
  raven.on(/\/operations$/, () => {
    if (isBusy) return json({ Message: 'No.' }, 500)
    const bulk = operation(1, status)
    return json({ Results: [{ ...bulk, State: { Status: status, Progress: progress, Result: null } }] })
  })
  const textAfter = async (seconds: number): Promise<string | undefined> => {
    await raven.clock.advance(seconds * 1000)
    return (await reader.read({ round: 1, also: [], all: true }, governor, signal)).operations[0]?.text
  }
  expect(await textAfter(0)).toBe('800 items in 4 batches.')
  progress = { Total: 1800, BatchCount: 9 }
  expect(await textAfter(5)).toBe('1,800 items in 9 batches. Now 200 /s, a batch every 1.00 s.')
  progress = { Total: 2000, BatchCount: 10 }
  // The first is from before the bulk insert.
  merger = { mergerTimes: [times('2026-11-21T23:59:50', 0.1), times('2026-11-22T00:00:10', 0.97)] }
  expect(await textAfter(10)).toBe(
    '2,000 items in 10 batches. Now 20.0 /s, a batch every 10.0 s. The transaction merger waits for writes 97.0 % of the time: the client or the network limits it.',
  )
  merger = { mergerTimes: [times('2026-11-22T00:00:20', 0.1)] }
  expect(await textAfter(4)).toBe('2,000 items in 10 batches. No batch in the last 4.00 s.')
  isBusy = true
  expect(await textAfter(4), 'as last read').toContain('2,000 items')
  isBusy = false
  progress = { Total: 2800, BatchCount: 14 }
  expect(await textAfter(4), 'over both intervals').toContain('Now 100 /s, a batch every 2.00 s.')
  status = 'Completed'
  expect(await textAfter(4)).toBe('It is complete.')
})

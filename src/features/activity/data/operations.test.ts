import { beforeEach, expect, it } from 'vitest'
import type { JsonObject } from '../../../base/json/check.ts'
import { Governor } from '../../../ravendb/budget/governor.ts'
import { FakeRaven, json } from '../../../testing/fake-raven.ts'
import { OperationsReader } from './operations.ts'

const { signal } = new AbortController()
let raven: FakeRaven
let governor: Governor
let used: string[]
let frames: JsonObject[]
let reader: OperationsReader

const operation = (id: number, status: string, start = '2026-11-22T00:00:00.0000000Z') => ({
  Id: id,
  Description: { Description: 'Ts', TaskType: 'UpdateByQuery', StartTime: start, EndTime: null },
  Killable: true,
  State: { Status: status, Progress: null, Result: null },
})

/** Names of the databases whose operations were requested since. */
const asked = (from: number): string[] =>
  raven.calls.slice(from).flatMap(({ path }) => /\/databases\/(\w+)\/operations$/.exec(path)?.[1] ?? [])

beforeEach(() => {
  raven = new FakeRaven()
  governor = new Governor(raven.env)
  used = []
  frames = []
  reader = new OperationsReader({
    frames: () => frames,
    loaded: () => [...raven.databases].filter(([, state]) => state === 'loaded').map(([name]) => name),
    used: () => used,
  })
})

it('asks each loaded database once, then only those that are in use, and loads none', async () => {
  for (const name of ['quiet', 'busy', 'running']) raven.databases.set(name, 'loaded')
  raven.databases.set('unloaded', 'unloaded')
  raven.on(/\/operations$/, (path) =>
    json({ Results: path.includes('/running/') ? [operation(1, 'InProgress')] : [operation(2, 'Completed')] }),
  )
  const first = await reader.read(1, [], governor, signal)
  expect(first).toMatchObject({ loaded: 3, answered: 3, failed: [], more: 0 })
  expect(first.operations.map(({ database, status }) => `${database} ${status}`)).toEqual([
    'running InProgress',
    'quiet Completed',
    'busy Completed',
  ])
  expect(asked(0).toSorted()).toEqual(['busy', 'quiet', 'running'])

  used = ['busy']
  await raven.clock.advance(6000)
  let from = raven.calls.length
  await reader.read(1, [], governor, signal)
  expect(asked(from).toSorted()).toEqual(['busy', 'running'])

  from = raven.calls.length
  await reader.read(2, [], governor, signal)
  expect(asked(from).toSorted(), 'the user wants it again').toEqual(['busy', 'quiet', 'running'])
  expect(raven.loads).toEqual([])
})

it('names a database that does not answer, and keeps the others', async () => {
  raven.databases.set('good', 'loaded')
  raven.databases.set('bad', 'loaded')
  raven.on(/\/operations$/, (path) =>
    path.includes('/bad/') ? json({ Message: 'No.' }, 500) : json({ Results: [operation(1, 'InProgress')] }),
  )
  const { operations, failed, answered } = await reader.read(1, [], governor, signal)
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
  const { operations } = await reader.read(1, [], governor, signal)
  expect(operations.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual(['1 Canceled', '2 Unknown'])
})

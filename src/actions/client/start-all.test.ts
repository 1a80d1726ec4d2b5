import { expect, it } from 'vitest'
import { Observed } from '../../base/observed.ts'
import type { ActionCall } from '../model.ts'
import type { ActivityEntry, ActivityState } from './activity-entry.ts'
import { Queues } from './queues.ts'
import type { ActionSession } from './session.ts'
import { startAll } from './start-all.ts'

const callsOf = (action: string): ActionCall[] =>
  ['a', 'b', 'c'].map((database) => ({
    action,
    target: { kind: 'database', database, name: null },
    inputs: {},
    facts: {},
  }))

/** A session whose entries are in the state that the test sets. */
function setup() {
  const states = new Observed<ReadonlyMap<string, ActivityState>>(new Map())
  const started: (string | null)[] = []
  const set = (id: string, state: ActivityState): void => states.set(new Map([...states.get(), [id, state]]))
  const bound: string[] = []
  const session = {
    queues: new Queues(),
    log: {
      subscribe: states.subscribe,
      get: (id: string) => {
        const state = states.get().get(id)
        return state === undefined ? null : ({ state } as ActivityEntry)
      },
    },
    runner: {
      start: (_: string, { target: { database } }: ActionCall) => {
        started.push(database)
        set(database ?? '', 'running')
        return Promise.resolve(database)
      },
      bind: async (run: () => Promise<void>) => {
        bound.push('from')
        await run()
        bound.push('to')
      },
    },
  } as unknown as ActionSession
  return { session, set, started, bound, queue: () => session.queues.getSnapshot()[0] }
}

it('several backups wait for each other, also after one that failed, and are bound to the page meanwhile', async () => {
  const { session, set, started, bound, queue } = setup()
  const all = startAll(session, 's', callsOf('database.backup'), 'Back up now')
  await expect.poll(() => queue()?.begun).toBe(1)
  set('a', 'checking')
  await Promise.resolve()
  expect(started).toEqual(['a'])
  set('a', 'failed')
  await expect.poll(() => started).toEqual(['a', 'b'])
  set('b', 'done')
  await all
  expect([started, queue(), bound]).toEqual([['a', 'b', 'c'], undefined, ['from', 'to']])
})

it('what is yet to be sent of them can be left', async () => {
  const { session, started, queue } = setup()
  const all = startAll(session, 's', callsOf('database.compact'), 'Compact')
  await expect.poll(() => queue()).toBeDefined()
  queue()?.stop()
  await all
  expect([started, queue()]).toEqual([['a'], undefined])
})

it('what is short does not wait for its end', async () => {
  const { session, started, queue } = setup()
  await startAll(session, 's', callsOf('database.disable'), 'Disable')
  expect([started, queue()]).toEqual([['a', 'b', 'c'], undefined])
})

import { expect, it } from 'vitest'
import type { ActionTarget } from '../model.ts'
import { ConfirmationStore } from './confirmation.ts'

const target = (database: string): ActionTarget => ({ kind: 'database', database, name: null })

it('what becomes known of a target while it is to be confirmed is in the call, and no other call is touched', () => {
  const store = new ConfirmationStore()
  const call = (database: string) => ({ action: 'database.compact', target: target(database), inputs: {}, facts: {} })
  store.request({ title: 'Compact', server: 's', calls: [call('a'), call('b')] })
  let changes = 0
  store.subscribe(() => changes++)
  store.learn(target('b'), { state: 'online', documents: 7 })
  store.learn(target('b'), { state: 'online', documents: 7 })
  store.learn(target('c'), { state: 'online' })
  expect(store.getSnapshot()?.calls.map(({ facts }) => facts)).toEqual([{}, { state: 'online', documents: 7 }])
  // Facts that are not reported any more stay as they were known.
  store.learn(target('b'), { state: 'unloaded' })
  expect(store.getSnapshot()?.calls[1]?.facts).toEqual({ state: 'unloaded', documents: 7 })
  expect(changes).toBe(2)
})

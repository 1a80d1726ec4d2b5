import { beforeEach, expect, it } from 'vitest'
import { Governor } from '../../ravendb/budget/governor.ts'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import type { ActionTarget, CheckResult } from '../model.ts'
import { actionResponses } from '../worker/responses.ts'

let raven: FakeRaven
let governor: Governor
let alerts: ReadonlySet<string> | null = null
beforeEach(() => {
  raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  governor = new Governor(raven.env)
})

const { responses } = actionResponses(() => alerts)
const { signal } = new AbortController()
const check = (action: string, target: ActionTarget, accepted: unknown = true): Promise<CheckResult> =>
  Promise.resolve(
    responses['actions.check']!({ call: { action, target, inputs: {}, facts: {} }, accepted }, governor, signal),
  )

const OPERATION: ActionTarget = { kind: 'operation', database: 'shop', name: '7' }

it.each([
  [{ Status: 'Canceled', Progress: null, Result: null }, 'done'],
  [{ Status: 'Faulted', Progress: null, Result: { Message: 'Stopped.' } }, 'done'],
  [{ Status: 'Completed', Progress: null, Result: null }, 'failed'],
  [{ Status: 'InProgress', Progress: { Processed: 1, Total: 4 }, Result: null }, 'running'],
])('the end of a cancelled operation is read: %j', async (response, state) => {
  raven.on(/\/operations\/state\?id=7$/, () => json(response))
  expect((await check('operation.kill', OPERATION)).state).toBe(state)
})

it('an operation that the server has forgotten is not called cancelled', async () => {
  raven.on(/\/operations\/state\?id=7$/, () => new Response(null, { status: 404 }))
  expect(await check('operation.kill', OPERATION)).toMatchObject({ state: 'unknown' })
  expect(await check('operation.kill', { ...OPERATION, database: null })).toMatchObject({ state: 'unknown' })
})

it('a notification is dismissed when it is not listed any more, and not while nothing is received', async () => {
  const target: ActionTarget = { kind: 'notification', database: 'shop', name: 'PerformanceHint/Paging/Queries' }
  raven.on(/\/notifications\?/, () =>
    json({ TotalResults: 1, Results: [{ Id: target.name, Type: 'PerformanceHint' }] }),
  )
  expect(await check('notification.dismiss', target)).toMatchObject({ state: 'unchanged' })
  raven.on(/\/notifications\?/, () => json({ TotalResults: 0, Results: [] }))
  expect(await check('notification.dismiss', target)).toMatchObject({ state: 'done' })

  const ofServer: ActionTarget = { kind: 'notification', database: null, name: 'AlertRaised/LowSwapSize' }
  alerts = new Set(['AlertRaised/LowSwapSize'])
  expect(await check('notification.postpone', ofServer)).toMatchObject({ state: 'unchanged' })
  alerts = new Set()
  expect(await check('notification.postpone', ofServer)).toMatchObject({ state: 'done' })
  alerts = null
  expect(await check('notification.postpone', ofServer)).toMatchObject({ state: 'unknown' })
})

import { expect, it } from 'vitest'
import { Governor } from '../../ravendb/budget/governor.ts'
import { FakeRaven } from '../../testing/fake-raven.ts'
import { parseVersion } from '../../ravendb/versions.ts'
import { asksFirst, type ActionFacts, type CheckResult } from '../model.ts'
import { actionById } from '../table.ts'
import { actionResponses } from '../worker/responses.ts'

const CREATED = '2026-01-01T00:00:00.0000000Z'

function checkDeletion(indexes: readonly object[]): Promise<CheckResult> {
  const raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  raven.on(/indexes\/stats/, () => ({ Results: indexes }))
  const call = {
    action: 'index.delete',
    target: { kind: 'index', database: 'shop', name: 'Orders' },
    inputs: {},
    facts: { createdAt: CREATED },
  } as const
  const { responses } = actionResponses()
  const signal = new AbortController().signal
  return Promise.resolve(responses['actions.check']!({ call, accepted: true }, new Governor(raven.env), signal))
}

it('a deletion is done when there is no index of the name, whatever its case', async () => {
  expect(await checkDeletion([{ Name: 'Others' }])).toMatchObject({ state: 'done' })
  expect(await checkDeletion([{ Name: 'ORDERS', CreatedTimestamp: CREATED }])).toMatchObject({ state: 'unchanged' })
  expect(await checkDeletion([{ Name: 'Orders', CreatedTimestamp: CREATED, LockMode: 'LockedIgnore' }])).toEqual({
    state: 'unchanged',
    text: 'The index still exists: its lock mode is LockedIgnore.',
  })
})

it('a deletion after which there is a younger index of the name is neither done nor nothing', async () => {
  expect(await checkDeletion([{ Name: 'Orders', CreatedTimestamp: '2026-01-02T00:00:00.0000000Z' }])).toMatchObject({
    state: 'unknown',
    isLast: true,
    text: expect.stringContaining('another client') as string,
  })
})

it('what discards what a reset builds in the same database is confirmed, and says so', () => {
  const target = { kind: 'index', database: 'shop', name: 'Orders' } as const
  const version = parseVersion({ FullVersion: '7.1.5' })
  for (const id of ['index.priority', 'index.lock']) {
    const action = actionById(id)!
    const lossOf = (facts: ActionFacts) => action.loss({ action: id, target, inputs: {}, facts }, version)
    expect([asksFirst(action, {}), asksFirst(action, { rebuilding: 0 }), lossOf({ rebuilding: 0 })]).toEqual([
      false,
      false,
      null,
    ])
    expect(asksFirst(action, { rebuilding: 1 })).toBe(true)
    expect(lossOf({ rebuilding: 1 })).toContain('the server discards it')
  }
})

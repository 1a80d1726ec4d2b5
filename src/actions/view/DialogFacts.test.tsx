import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { databaseRow, stubCapture } from '../../testing/stub-capture.ts'
import { sessionOf } from '../client/session.ts'
import type { ActionFacts, ActionTarget } from '../model.ts'
import { DialogFacts } from './DialogFacts.tsx'

const index = (name: string): ActionTarget => ({ kind: 'index', database: 'shop', name })
const database = (name: string): ActionTarget => ({ kind: 'database', database: name, name: null })

function show(targets: readonly ActionTarget[], facts: ActionFacts, now: ActionFacts = {}) {
  const capture = stubCapture()
  capture.responses.set('actions.indexes', () => ({
    loaded: true,
    atMs: 1,
    indexes: [{ name: 'Orders', facts: { lock: 'LockedError', entries: 7, ...now } }],
  }))
  capture.responses.set('databases.list', () => ({ rows: [databaseRow('Shop', { state: 'disabled' })], version: 1 }))
  const { confirmation } = sessionOf(capture)
  confirmation.request({
    title: 'It',
    server: 's',
    calls: targets.map((target) => ({ action: 'a', target, inputs: {}, facts })),
  })
  renderPanel(<DialogFacts targets={targets} />, capture)
  return {
    factsOf: () => confirmation.getSnapshot()!.calls.map((call) => call.facts),
    absent: () => confirmation.getSnapshot()!.absent,
  }
}

it('learns what an index is by now, keeps what is not reported, and names those that are gone', async () => {
  const { factsOf, absent } = show([index('Orders'), index('Gone')], { entries: 5, createdAt: 'then' })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('“Gone” of “shop” does not exist any more. Nothing is sent to it.')
  expect(absent()).toEqual([index('Gone')])
  expect(factsOf()).toEqual([
    { lock: 'LockedError', entries: 7, createdAt: 'then' },
    { entries: 5, createdAt: 'then' },
  ])
})

it('learns the same of databases, whatever the case of the name, and keeps what the list does not have', async () => {
  const { factsOf, absent } = show([database('shop')], { state: 'online', volumeFreeBytes: 3 })
  await expect.poll(() => factsOf()[0]?.state).toBe('disabled')
  expect(factsOf()[0]?.volumeFreeBytes).toBe(3)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(absent() ?? []).toEqual([])
})

it('does not take an index that was created again for the one that was chosen', async () => {
  const { factsOf, absent } = show([index('Orders')], { entries: 5, createdAt: 'then' }, { createdAt: 'now' })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('“Orders” of “shop” was created again, or reset,')
  expect([factsOf(), absent()]).toEqual([[{ entries: 5, createdAt: 'then' }], [index('Orders')]])
})

it('reads at once what the list of the worker does not have yet', async () => {
  const capture = stubCapture()
  let lock = 'Unlock'
  capture.responses.set('databases.list', () => ({ rows: [databaseRow('shop', { lock })], version: 1 }))
  const renewed = (): null => {
    lock = 'PreventDeletesError'
    return null
  }
  // The server responds later than the worker, which has a list.
  capture.responses.set('databases.renew', () => new Promise((resolve) => setTimeout(() => resolve(renewed()))))
  const { confirmation } = sessionOf(capture)
  const calls = [{ action: 'a', target: database('shop'), inputs: {}, facts: {} }]
  confirmation.request({ title: 'It', server: 's', calls })
  renderPanel(<DialogFacts targets={[database('shop')]} />, capture)
  await expect.poll(() => confirmation.getSnapshot()?.calls[0]?.facts.lock).toBe('PreventDeletesError')
})

it('says nothing of what it does not know', async () => {
  show([{ kind: 'query', database: 'shop', name: '1 x' }], {})
  await Promise.resolve()
  expect(document.body.textContent).toBe('')
})

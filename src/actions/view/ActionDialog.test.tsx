import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { databaseRow, stubCapture } from '../../testing/stub-capture.ts'
import type { Access } from '../access.ts'
import type { ViewOnly } from '../contract.ts'
import type { ActivityEntry } from '../client/activity-log.ts'
import { sessionOf } from '../client/session.ts'
import { ActionHost } from './ActionHost.tsx'

afterEach(cleanup)

async function ask() {
  const capture = stubCapture()
  let access: Access = {
    certificate: { clearance: 'Operator', permissions: {} },
    licence: null,
    serverId: 's',
    version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
  }
  let viewOnly: ViewOnly = { isOn: false, isForced: false }
  capture.responses.set('actions.access', () => access)
  capture.responses.set('actions.certificate', () => access.certificate)
  capture.responses.set('actions.viewOnly', () => viewOnly)
  capture.responses.set('databases.list', () => ({ rows: [databaseRow('shop')], version: 1 }))
  const session = sessionOf(capture)
  renderPanel(<ActionHost />, capture)
  await session.viewOnly.apply()
  act(() =>
    session.confirmation.request({
      title: 'Disable',
      server: 's',
      calls: [
        {
          action: 'database.disable',
          target: { kind: 'database', database: 'shop', name: null },
          inputs: {},
          facts: {},
        },
      ],
    }),
  )
  return {
    session,
    button: await screen.findByRole<HTMLButtonElement>('button', { name: 'Disable' }),
    setViewOnly: (isOn: boolean) => {
      viewOnly = { isOn, isForced: false }
      return act(() => session.viewOnly.apply())
    },
    demote: () => {
      access = { ...access, certificate: { clearance: 'ValidUser', permissions: { shop: 'Admin' } } }
      act(() => session.forbidden.set(1))
    },
  }
}

it('does not offer what view only or a lost right has come to forbid while it asks, and says why', async () => {
  const { button, setViewOnly, demote } = await ask()
  expect([button.disabled, screen.queryByRole('alert')]).toEqual([false, null])
  await setViewOnly(true)
  expect([button.disabled, screen.getByRole('alert').textContent]).toEqual([
    true,
    'View only: allow changes by the lock in the header.',
  ])
  await setViewOnly(false)
  expect([button.disabled, screen.queryByRole('alert')]).toEqual([false, null])
  demote()
  expect((await screen.findByRole('alert')).textContent).toBe('Needs the clearance Operator or ClusterAdmin.')
  expect(button.disabled).toBe(true)
})

it('offers neither to undo nor to send again what was just done while view only is on', async () => {
  const { session, setViewOnly } = await ask()
  act(() => {
    session.confirmation.request(null)
    const call = {
      action: 'index.pause',
      target: { kind: 'index', database: 'shop', name: 'x' },
      inputs: {},
      facts: {},
    } as const
    const base = {
      server: 's',
      title: 'Pause indexing',
      startedTicks: 0,
      endedTicks: 0,
      text: '',
      progress: null,
    } as const
    const ended = { startedMs: Date.now() + 1000, endedMs: Date.now() + 1000, error: null, accepted: true, attempts: 1 }
    for (const state of ['done', 'failed'] as const)
      session.log.put({ ...base, ...ended, id: state, call, state, undoneBy: null } as ActivityEntry)
  })
  const buttons = ['Resume indexing', 'Retry'].map((name) => screen.getByRole<HTMLButtonElement>('button', { name }))
  expect(buttons.map(({ disabled }) => disabled)).toEqual([false, false])
  await setViewOnly(true)
  expect(buttons.map(({ disabled }) => disabled)).toEqual([true, true])
})

it('closes where the browser goes back', async () => {
  const { session } = await ask()
  act(() => void dispatchEvent(new PopStateEvent('popstate')))
  expect(session.confirmation.getSnapshot()).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { renderPanel, type PanelStage } from '../../testing/panel-stage.tsx'
import { databaseRow, stubCapture } from '../../testing/stub-capture.ts'
import type { Access } from '../access.ts'
import type { ViewOnly } from '../contract.ts'
import type { ActivityEntry } from '../client/activity-entry.ts'
import type { PendingConfirmation } from '../client/confirmation.ts'
import { sessionOf } from '../client/session.ts'
import { ActionHost } from './ActionHost.tsx'

afterEach(() => {
  localStorage.clear()
})

let stage: PanelStage | null = null

const DISABLE: PendingConfirmation = {
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
}

const deletion = (...names: readonly string[]): PendingConfirmation => ({
  title: 'Delete with all files',
  server: 's',
  calls: names.map((name, i) => ({
    action: 'database.delete',
    target: { kind: 'database', database: name, name: null },
    inputs: { files: 'remove' },
    facts: { documents: i + 1, ...(i === 0 ? { lastBackupTicks: null } : {}) },
  })),
})

const ofServer = (action: string, title: string): PendingConfirmation => ({
  title,
  server: 's',
  calls: [{ action, target: { kind: 'server', database: null, name: null }, inputs: {}, facts: {} }],
})

/** `exist`: databases that are still there. */
async function open(pending = DISABLE, exist = pending.calls.map(({ target }) => target.database ?? '')) {
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
  capture.responses.set('databases.list', () => ({ rows: exist.map((name) => databaseRow(name)), version: 1 }))
  const session = sessionOf(capture)
  const started = vi.spyOn(session.runner, 'start').mockResolvedValue('id')
  stage = renderPanel(<ActionHost />, capture)
  await session.viewOnly.apply()
  act(() => session.confirmation.request(pending))
  return {
    capture,
    session,
    button: await screen.findByRole<HTMLButtonElement>('button', { name: pending.title }),
    sent: () => started.mock.calls,
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
  const { button, setViewOnly, demote } = await open()
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
  const { session, setViewOnly } = await open()
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
  const { session } = await open()
  act(() => void dispatchEvent(new PopStateEvent('popstate')))
  expect(session.confirmation.getSnapshot()).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

const dialog = (): HTMLElement => screen.getByRole('dialog')
const description = (): string =>
  document.getElementById(dialog().getAttribute('aria-describedby') ?? '')?.textContent ?? ''

it('reads out what can be lost, and begins at Cancel where nothing is typed', async () => {
  await open()
  expect(description()).toContain('Can be lost: Availability.')
  expect(document.activeElement?.textContent).toBe('Cancel')
})

it('begins at the name to type, and Enter deletes once it is the name that is shown', async () => {
  const user = userEvent.setup()
  const name = 'Caf\u0301e\u0301  \u202Eby\u200BName'
  const { button, sent } = await open(deletion(name))
  const field = screen.getByRole('textbox')
  expect(document.activeElement).toBe(field)
  await user.keyboard('Cafe{Enter}')
  expect([button.disabled, sent()]).toEqual([true, []])
  expect(screen.getByRole('status').textContent).toContain('capital letters count')
  await user.clear(field)
  // As on the screen, and as keyboards compose it.
  await user.keyboard('Caf\u0301\u00E9 \\u202EbyName')
  expect([button.disabled, screen.getByRole('status').textContent]).toEqual([false, ''])
  await user.keyboard('{Enter}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await expect.poll(() => sent().length).toBe(1)
})

it('has the name to copy as it is compared', async () => {
  const user = userEvent.setup()
  const { button } = await open(deletion('a\tb  c'))
  await user.click(screen.getByRole('button', { name: 'Copy the name' }))
  await user.click(screen.getByRole('textbox'))
  await user.paste(await navigator.clipboard.readText())
  expect(button.disabled).toBe(false)
})

it('sends nothing to what is gone by now', async () => {
  const { button, sent } = await open(deletion('a', 'gone'), ['a'])
  expect((await screen.findByRole('alert')).textContent).toContain('“gone” does not exist any more')
  await userEvent.setup().keyboard('2{Enter}')
  await expect.poll(() => sent().map(([, { target }]) => target.database)).toEqual(['a'])
  cleanup()
  const last = await open(DISABLE, [])
  await screen.findByRole('alert')
  expect([last.button.disabled, button.isConnected]).toEqual([true, false])
})

it('lists what happens to several in one list, with what of each can be lost', async () => {
  const { button } = await open(deletion('a', 'b'))
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(items).toEqual([
    expect.stringMatching(/^“a” \(1,059 documents.*\) is deleted.*Can be lost: /),
    expect.stringMatching(/^“b” \(1,059 documents.*\) is deleted.*Can be lost: /),
  ])
  expect(dialog().textContent.match(/Can be lost/g)).toHaveLength(2)
  await userEvent.setup().keyboard('2')
  expect(button.disabled).toBe(false)
  expect(screen.queryByRole('button', { name: 'Copy the name' })).toBeNull()
})

it('says once what can be lost of several where it is the same', async () => {
  const [call] = DISABLE.calls
  const other = { ...call!, target: { ...call!.target, database: 'b' } }
  await open({ ...DISABLE, calls: [call!, other] })
  expect(dialog().textContent.match(/Can be lost/g)).toHaveLength(1)
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
})

it.each([
  ['server.create-database', 'Create database', 'Name', 'Create database “gamma”'],
  ['server.restore-database', 'Restore a backup', 'New database', 'Restore a backup as “gamma”'],
])('%s is about the database that it makes', async (action, title, field, named) => {
  await open(ofServer(action, title))
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(title)
  await userEvent.setup().type(screen.getByRole('textbox', { name: field }), 'gamma')
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(named)
})

it('says which button cancels the operation and which the dialog', async () => {
  const target = { kind: 'operation', database: 'shop', name: '7' } as const
  const { session } = await open({
    title: 'Cancel operation',
    server: 's',
    calls: [{ action: 'operation.kill', target, inputs: {}, facts: {} }],
  })
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  await userEvent.setup().click(screen.getByRole('button', { name: 'Keep it running' }))
  expect(session.confirmation.getSnapshot()).toBeNull()
})

it('is sent once for two activations in the same step', async () => {
  const { button, sent } = await open()
  act(() => {
    button.click()
    button.click()
  })
  await expect.poll(() => sent().length).toBe(1)
  await Promise.resolve()
  expect(sent()).toHaveLength(1)
})

it('opens the database that was made from its notice', async () => {
  const { session } = await open()
  act(() => {
    session.confirmation.request(null)
    session.log.put({
      id: 'made',
      server: 's',
      title: 'Create database',
      call: { ...ofServer('server.create-database', '').calls[0]!, inputs: { name: 'gamma' } },
      startedTicks: 0,
      endedTicks: 0,
      startedMs: Date.now() + 1000,
      endedMs: Date.now() + 1000,
      state: 'done',
      text: '',
      progress: null,
      error: null,
      accepted: true,
      attempts: 1,
      undoneBy: null,
    } as unknown as ActivityEntry)
  })
  expect(screen.getByRole('region', { name: 'Actions just done' }).textContent).toContain('Database created: “gamma”')
  await userEvent.setup().click(screen.getByRole('button', { name: 'Open “gamma”' }))
  expect(stage?.opened).toEqual([{ panel: 'database', parts: { database: 'gamma' } }])
})

it('reads while one types whether the server would do harm, says so, and does not send it', async () => {
  const { session, capture } = await open()
  capture.responses.set('actions.refusal', (params) =>
    /"name":"shop"/i.test(JSON.stringify(params)) ? '“Shop” exists: the server would delete it.' : null,
  )
  act(() =>
    session.confirmation.request({
      title: 'Restore a backup',
      server: 's',
      retryOf: 'e',
      calls: [
        {
          action: 'server.restore-database',
          target: { kind: 'server', database: null, name: null },
          inputs: { name: 'Shop', file: '/b/x.ravendb-snapshot' },
          facts: {},
        },
      ],
    }),
  )
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Restore a backup' })
  expect((await screen.findByRole('alert')).textContent).toBe('“Shop” exists: the server would delete it.')
  expect(button.disabled).toBe(true)
  fireEvent.change(screen.getByLabelText('New database'), { target: { value: 'other' } })
  await expect.poll(() => [button.disabled, screen.queryByRole('alert')]).toEqual([false, null])
  fireEvent.change(screen.getByLabelText('New database'), { target: { value: 'sHOP' } })
  await expect.poll(() => button.disabled).toBe(true)
})

it('lets the browser ask before one leaves while something goes on that ends with the page, and only then', async () => {
  const { session } = await open()
  const leaves = (): boolean => dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(leaves()).toBe(true)
  let end = (): void => undefined
  const work = new Promise<void>((resolve) => (end = resolve))
  let bound = Promise.resolve()
  act(() => void (bound = session.runner.bind(() => work)))
  expect(leaves()).toBe(false)
  await act(() => {
    end()
    return bound
  })
  expect(leaves()).toBe(true)
})

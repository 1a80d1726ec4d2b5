import { describe, expect, it, vi } from 'vitest'
import type { Access } from '../access.ts'
import type { ErrorInfo } from '../../capture/client/state.ts'
import type { ActionCall, ActionFacts } from '../model.ts'
import { actionById } from '../table.ts'
import type { ActivityEntry } from './activity-entry.ts'
import { ConfirmationStore } from './confirmation.ts'
import { remedyOf } from './remedy.ts'
import { retryOf } from './retry.ts'
import { startUndo, undo } from './undo.ts'
import type { ActionSession } from './session.ts'

const ACCESS: Access = {
  certificate: null,
  licence: null,
  serverId: 's',
  version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
}

const entryOf = (action: string, parts: Partial<ActivityEntry> = {}): ActivityEntry =>
  ({
    id: 'e',
    server: 's',
    title: 'It',
    call: { action, target: { kind: 'database', database: 'shop', name: null }, inputs: { folder: '/b' }, facts: {} },
    state: 'failed',
    ...parts,
  }) as unknown as ActivityEntry

function setup(now: ActionFacts | null = null) {
  const confirmation = new ConfirmationStore()
  const retry = vi.fn(() => Promise.resolve())
  const start = vi.fn(() => Promise.resolve('undo'))
  const patch = vi.fn()
  const log = { get: () => null, patch }
  const session = { confirmation, log, runner: { retry, start }, factsNow: () => Promise.resolve(now) }
  return { confirmation, retry, start, patch, session: session as unknown as ActionSession }
}

const PRIORITY: ActionCall = {
  action: 'index.priority',
  target: { kind: 'index', database: 'shop', name: 'Orders' },
  inputs: { priority: 'High' },
  facts: { priority: 'Low', rebuilding: 0 },
}

describe('an undo', () => {
  const done = entryOf('index.priority', { call: PRIORITY, state: 'done', undoneBy: null })

  it.each([
    ['a replacement that is being built since', { rebuilding: 1 }],
    ['what cannot be read', null],
  ])('is confirmed because of %s, and sent once it is', async (_, now) => {
    const { session, confirmation, start, patch } = setup(now)
    await undo(session, done, ACCESS)
    expect(start).not.toHaveBeenCalled()
    const pending = confirmation.getSnapshot()!
    expect(pending).toMatchObject({ undoes: 'e', calls: [{ action: 'index.priority', inputs: { priority: 'Low' } }] })
    expect(actionById('index.priority')!.loss(pending.calls[0]!, ACCESS.version)).toContain('the server discards it')
    await startUndo(session, 'e', 's', pending.calls[0]!, pending.title)
    expect(patch).toHaveBeenCalledWith('e', { undoneBy: 'undo' })
  })

  it('is sent at once where nothing is built', async () => {
    const { session, confirmation, start, patch } = setup({ rebuilding: 0 })
    await undo(session, done, ACCESS)
    expect(start).toHaveBeenCalledTimes(1)
    expect(confirmation.getSnapshot()).toBeNull()
    expect(patch).toHaveBeenCalledWith('e', { undoneBy: 'undo' })
  })

  it('that has a dialog by itself has it here, too', async () => {
    const { session, confirmation, start } = setup()
    const call = { ...PRIORITY, action: 'index.enable', inputs: {} }
    await undo(session, entryOf('index.enable', { call, state: 'done', undoneBy: null }), ACCESS)
    expect(start).not.toHaveBeenCalled()
    expect(confirmation.getSnapshot()).toMatchObject({ calls: [{ action: 'index.disable' }], undoes: 'e' })
  })
})

describe('a retry', () => {
  it('of what had to be confirmed is confirmed again, and is a retry then', async () => {
    const { session, confirmation, retry } = setup()
    for (const action of ['database.delete', 'database.backup']) {
      const entry = entryOf(action)
      await retryOf(session, entry, ACCESS)?.run()
      expect(confirmation.getSnapshot()).toMatchObject({ calls: [entry.call], retryOf: 'e' })
    }
    expect(retry).not.toHaveBeenCalled()
  })

  it('of what needs no confirmation is sent at once', async () => {
    const { session, confirmation, retry } = setup()
    const entry = entryOf('database.load')
    await retryOf(session, entry, ACCESS)?.run()
    expect(retry).toHaveBeenCalledWith('e', entry.call)
    expect(confirmation.getSnapshot()).toBeNull()
  })

  it('asks by what is known now, not by what was when it was chosen', async () => {
    const before = entryOf('index.priority', { call: PRIORITY })
    const { session, confirmation, retry } = setup({ rebuilding: 1 })
    await retryOf(session, before, ACCESS)?.run()
    expect(retry).not.toHaveBeenCalled()
    expect(confirmation.getSnapshot()).toMatchObject({ calls: [{ facts: { rebuilding: 1, priority: 'Low' } }] })
  })

  it('is offered where the server may accept the same later, else with what was entered', () => {
    const { session } = setup()
    const titleOf = (call: Partial<ActionCall>, error: Partial<ErrorInfo> | null): string | undefined => {
      const entry = entryOf('index.pause')
      return retryOf(session, { ...entry, call: { ...entry.call, ...call }, error } as ActivityEntry, ACCESS)?.title
    }
    const refused = { kind: 'bad-request', status: 500, serverMessage: 'No.' } as const
    const count = { action: 'document.count' }
    expect(titleOf(count, { kind: 'network', status: null, serverMessage: null })).toBe('Retry')
    expect(titleOf(count, { ...refused, status: null })).toBe('Retry')
    expect(titleOf(count, refused)).toBe('Correct …')
    expect(titleOf({}, null)).toBe('Retry')
    expect(titleOf({}, { ...refused, kind: 'licence', status: 402 })).toBeUndefined()
    expect(titleOf({}, refused)).toBeUndefined()
    expect(titleOf({ action: 'index.delete' }, { ...refused, serverMessage: 'lock mode LockedError' })).toBe('Retry')
    const remove = { action: 'document.delete', inputs: {} }
    expect(titleOf({ ...remove, facts: {} }, { ...refused, status: 409 })).toBe('Retry')
    expect(titleOf({ ...remove, facts: { changeVector: 'A:1' } }, { ...refused, status: 409 })).toBeUndefined()
  })

  it('is not offered of what runs or was done', () => {
    const { session } = setup()
    expect(retryOf(session, entryOf('database.load', { state: 'running' }), ACCESS)).toBeNull()
    expect(retryOf(session, entryOf('database.load', { state: 'done' }), ACCESS)).toBeNull()
  })
})

describe('what removes the cause of a failure', () => {
  const target = { kind: 'index', database: 'shop', name: 'Orders' } as const
  const call = { action: 'index.delete', target, inputs: {}, facts: {} }
  const text = 'Cannot delete existing index Orders with lock mode LockedError'

  it('is to unlock what could not be deleted for its lock', async () => {
    const { session, start } = setup({ rebuilding: 0, lock: 'LockedError' })
    const remedy = remedyOf(session, entryOf('index.delete', { call, text }), ACCESS)!
    expect([remedy.title, remedy.refusal]).toEqual(['Unlock', null])
    await remedy.run()
    const unlock = { action: 'index.lock', target, inputs: { mode: 'Unlock' } }
    expect(start).toHaveBeenCalledWith('s', expect.objectContaining(unlock), 'Unlock')
  })

  it('is not known of others', () => {
    const { session } = setup()
    const of = (parts: Partial<ActivityEntry>): unknown =>
      remedyOf(session, entryOf('index.delete', { call, text, ...parts }), ACCESS)
    expect(of({ text: 'Disk full.' })).toBeNull()
    expect(of({ state: 'done' })).toBeNull()
    expect(of({ call: { ...call, action: 'index.pause' } })).toBeNull()
    const locked = 'Nothing has changed. The database still exists: its lock mode is PreventDeletesIgnore.'
    expect(of({ call: { ...call, action: 'database.delete' }, state: 'nothing', text: locked })).not.toBeNull()
  })
})

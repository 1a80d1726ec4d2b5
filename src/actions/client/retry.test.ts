import { describe, expect, it, vi } from 'vitest'
import type { Access } from '../access.ts'
import type { ActivityEntry } from './activity-log.ts'
import { ConfirmationStore } from './confirmation.ts'
import { retryOf } from './retry.ts'
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

function setup() {
  const confirmation = new ConfirmationStore()
  const retry = vi.fn(() => Promise.resolve())
  return { confirmation, retry, session: { confirmation, runner: { retry } } as unknown as ActionSession }
}

describe('a retry', () => {
  it('of what had to be confirmed is confirmed again, and is a retry then', () => {
    const { session, confirmation, retry } = setup()
    for (const action of ['database.delete', 'database.backup']) {
      const entry = entryOf(action)
      retryOf(session, entry, ACCESS)?.run()
      expect(confirmation.getSnapshot()).toMatchObject({ calls: [entry.call], retryOf: 'e' })
    }
    expect(retry).not.toHaveBeenCalled()
  })

  it('of what needs no confirmation is sent at once', () => {
    const { session, confirmation, retry } = setup()
    retryOf(session, entryOf('database.load'), ACCESS)?.run()
    expect(retry).toHaveBeenCalledWith('e')
    expect(confirmation.getSnapshot()).toBeNull()
  })

  it('is not offered of what runs or was done', () => {
    const { session } = setup()
    expect(retryOf(session, entryOf('database.load', { state: 'running' }), ACCESS)).toBeNull()
    expect(retryOf(session, entryOf('database.load', { state: 'done' }), ACCESS)).toBeNull()
  })
})

import { act, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { stubCapture } from '../../testing/stub-capture.ts'
import type { ActivityEntry } from '../client/activity-entry.ts'
import { sessionOf } from '../client/session.ts'
import { ActionHost } from './ActionHost.tsx'

afterEach(() => {
  localStorage.clear()
})

const callOf = (database: string): ActivityEntry['call'] => ({
  action: 'database.compact',
  target: { kind: 'database', database, name: null },
  inputs: {},
  facts: {},
})

const entry = (id: string, parts: Partial<ActivityEntry>): ActivityEntry =>
  ({
    id,
    server: 's',
    title: 'Compact',
    call: callOf(id),
    startedTicks: 0,
    endedTicks: null,
    startedMs: Date.now() - 60_000,
    endedMs: null,
    state: 'running',
    text: '',
    progress: null,
    error: null,
    accepted: null,
    attempts: 1,
    undoneBy: null,
    ...parts,
  }) as ActivityEntry

it('says how ended what was begun before a reload of the page, and nothing of what had ended by then', async () => {
  const capture = stubCapture()
  capture.responses.set('actions.access', () => ({
    certificate: null,
    licence: null,
    serverId: 's',
    version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
  }))
  capture.responses.set('actions.viewOnly', () => ({ isOn: false, isForced: false }))
  const { log, runner } = sessionOf(capture)
  runner.adopt = () => undefined
  log.put(entry('old', { state: 'failed', endedMs: Date.now() - 30_000 }))
  log.put(entry('shop', {}))
  renderPanel(<ActionHost />, capture)
  const notices = screen.getByRole('region', { name: 'Actions just done' })
  await expect.poll(() => capture.calls.some(([name]) => name === 'actions.access')).toBe(true)
  expect(notices.textContent).toBe('')
  act(() => log.patch('shop', { state: 'failed', text: 'No space left.', endedMs: Date.now() + 1000 }))
  await expect.poll(() => notices.textContent).toContain('Compact: “shop”No space left.')
  expect(notices.textContent).not.toContain('“old”')

  // Tried again with success, its failure is history.
  act(() =>
    log.put(entry('again', { call: callOf('shop'), state: 'done', startedMs: Date.now(), endedMs: Date.now() + 2000 })),
  )
  await expect.poll(() => notices.textContent).toContain('Compacted')
  expect(notices.textContent).not.toContain('No space left.')
})

import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ActivityEntry } from '../../../actions/client/activity-entry.ts'
import { sessionOf } from '../../../actions/client/session.ts'
import { parseEntry } from '../../../actions/client/stored-entries.ts'
import { ActionNotices } from '../../../actions/view/ActionNotices.tsx'
import { RecentActivity } from '../../../actions/view/RecentActivity.tsx'
import { Reminders } from '../../../actions/view/Reminders.tsx'
import { AllPanels, renderPanel } from '../../../testing/panel-stage.tsx'
import { inGate } from '../../../testing/gate.ts'
import { FakeStorage } from '../../../testing/fake-storage.ts'
import { stubCapture } from '../../../testing/stub-capture.ts'
import type { Ticks } from '../../../base/ticks.ts'
import { DoneHere } from './DoneHere.tsx'

let storage = new FakeStorage()
beforeEach(() => {
  storage = new FakeStorage()
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const side = { startTicks: 0, endTicks: 9, batches: 3, documents: 4, medianTicks: 5, busyShare: 0.1, isPartial: false }
const estimate = { value: 5, low: 4, high: 6, lowest: 3, highest: null }
const figure = { label: 'Size', unit: 'bytes', value: 4, range: [1, 5], aim: 'less' } as const
const ENTRY: ActivityEntry = {
  id: 'e',
  server: 's',
  call: {
    action: 'index.priority',
    target: { kind: 'index', database: 'shop', name: 'Orders' },
    inputs: { priority: 'Low' },
    facts: { priority: 'Normal', documents: 3, isAuto: false, lastBackupTicks: 5 as Ticks },
  },
  title: 'Set priority low',
  startedTicks: 5 as Ticks,
  endedTicks: 8 as Ticks,
  startedMs: 1_800_000_000_000,
  endedMs: 1_800_000_000_900,
  state: 'done',
  text: 'The server reports priority Low.',
  progress: 0.5,
  error: { kind: 'network', endpoint: '/x', status: 500, message: 'Lost.', serverMessage: 'x', hint: 'Wait.' },
  accepted: { OperationId: 4 },
  attempts: 2,
  undoneBy: null,
  isOver: true,
  mark: { newestTicks: 4 as Ticks, ofServer: { number: 4, startedAt: '2026' }, failedTicks: null },
  figures: { before: [figure], after: [{ ...figure, unit: 'ticks', range: [1, 2] }] },
  beside: { before: [figure], after: null },
  before: { ...side, median: estimate },
  after: { ...side, median: estimate },
}

const VALUES = [null, undefined, '', 'x', -1, 1e308, true, [], {}, [null], { a: 1 }]

const withPart = (value: object, name: string, part: unknown): unknown =>
  Array.isArray(value) ? value.with(Number(name), part) : { ...value, [name]: part }

/** The value with each of its parts replaced by each of `VALUES`. */
function variants(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return VALUES
  const parts = Object.entries(value).flatMap(([name, part]) =>
    variants(part).map((variant) => withPart(value, name, variant)),
  )
  return [...VALUES, ...parts]
}

function show(): void {
  const capture = stubCapture()
  capture.responses.set('actions.access', () => ({
    certificate: null,
    licence: null,
    serverId: 's',
    version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
  }))
  renderPanel(
    <AllPanels>
      <DoneHere />
      <ActionNotices entries={sessionOf(capture).log.getSnapshot()} access={null} />
      <RecentActivity database="shop" />
      <Reminders database="shop" still={() => true} readMs={null} />
    </AllPanels>,
    capture,
  )
}

describe('the list of what was done', () => {
  it('is shown whatever is stored: an entry that could break it is none', async () => {
    const states = ['done', 'running', 'failed', 'unknown', 'gone'] as const
    const texts = states
      .flatMap((state) => variants({ ...ENTRY, state }))
      // Every seventh in the gate: of each state other parts.
      .filter((_, i) => i % inGate(7, 1) === 0)
      .map((variant, i) => {
        const isObject = typeof variant === 'object' && variant !== null && !Array.isArray(variant)
        return [`v${i}`, JSON.stringify(isObject ? { ...variant, id: `v${i}`, server: 's' } : variant)] as const
      })
    const good = texts.filter(([id, text]) => parseEntry(text, id) !== null)
    expect([texts.length > inGate(570, 4000), good.length > inGate(70, 500)]).toEqual([true, true])
    for (let from = 0; from < good.length; from += 200) {
      storage.items.clear()
      const part = good.slice(from, from + 200)
      for (const [id, text] of part) storage.setItem(`rookery.activity.${id}`, text)
      show()
      const list = await screen.findByRole('list', { name: 'Actions from this browser' })
      expect(list.children).toHaveLength(part.length)
      expect(screen.getByRole('button', { name: 'Clear the list' })).toBeTruthy()
      cleanup()
    }
  }, 60_000)

  it('says what could not be read, and what this browser did not store', async () => {
    storage.setItem(
      'rookery.activity',
      JSON.stringify([{ id: 'a', call: null, state: 'done', startedTicks: 1 }, ENTRY]),
    )
    storage.setItem('rookery.activity.b', '{}')
    renderPanel(<DoneHere />, stubCapture())
    expect(await screen.findByText('2 stored entries could not be read.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText(/could not be read/)).toBeNull()
    cleanup()
    storage.room = 0
    const capture = stubCapture()
    sessionOf(capture).log.put({ ...ENTRY, id: 'c' })
    renderPanel(<DoneHere />, capture)
    expect(await screen.findByText('This browser did not store 1 action.')).toBeTruthy()
  })
})

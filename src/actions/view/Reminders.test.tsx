import { cleanup, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { type Ticks } from '../../base/ticks.ts'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { stubCapture } from '../../testing/stub-capture.ts'
import type { ActivityEntry } from '../client/activity-entry.ts'
import { sessionOf } from '../client/session.ts'
import { Reminders } from './Reminders.tsx'
import { StoppedHere } from './StoppedHere.tsx'

beforeEach(() => localStorage.clear())
const ENDED_MS = 1_800_000_000_000
const PAUSED: ActivityEntry = {
  id: 'p',
  server: 's',
  call: {
    action: 'index.pause',
    target: { kind: 'index', database: 'shop', name: 'Orders' },
    inputs: {},
    facts: {},
  },
  title: 'Pause indexing',
  startedTicks: 0 as Ticks,
  endedTicks: 1 as Ticks,
  startedMs: ENDED_MS - 100,
  endedMs: ENDED_MS,
  state: 'done',
  text: '',
  progress: null,
  error: null,
  accepted: true,
  attempts: 1,
  undoneBy: null,
}

function captureWith(...entries: readonly ActivityEntry[]) {
  const capture = stubCapture()
  capture.responses.set('actions.access', () => ({
    certificate: null,
    licence: null,
    serverId: 's',
    version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
  }))
  for (const entry of entries) sessionOf(capture).log.put(entry)
  return capture
}

/** `isPaused`: what was read of the index, so long after it was paused. */
async function show(readings: readonly (readonly [isPaused: boolean, afterMs: number])[]): Promise<number> {
  const capture = captureWith(PAUSED)
  for (const [isPaused, afterMs] of readings) {
    cleanup()
    renderPanel(
      <>
        <p>shown</p>
        <Reminders database="shop" still={() => isPaused} readMs={ENDED_MS + afterMs} />
      </>,
      capture,
    )
    await screen.findByText('shown')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return screen.queryAllByText(/paused by you/).length
}

it('reminds of what was stopped, also after a list that was read before it took effect', async () => {
  expect(await show([[true, 10_000]])).toBe(1)
  expect(
    await show([
      [false, 1000],
      [true, 10_000],
    ]),
  ).toBe(1)
})

it('does not once another client started it, and not either when that one stops it again', async () => {
  expect(
    await show([
      [true, 10_000],
      [false, 20_000],
    ]),
  ).toBe(0)
  expect(
    await show([
      [false, 20_000],
      [true, 30_000],
    ]),
  ).toBe(0)
})

it('a finding says that the index was stopped from this browser, when, and resumes it', async () => {
  const words = async (indexes: readonly string[], entry: ActivityEntry): Promise<string | undefined> => {
    cleanup()
    renderPanel(
      <>
        <p>shown</p>
        <StoppedHere database="shop" indexes={indexes} at={(ticks) => `tick ${String(ticks)}`} />
      </>,
      captureWith(entry),
    )
    await screen.findByText('shown')
    await new Promise((resolve) => setTimeout(resolve, 50))
    return screen.queryByRole('list', { name: 'Stopped from this browser' })?.textContent
  }
  expect(await words(['Orders'], PAUSED)).toBe('Paused from this browser at tick 1 Resume indexing')
  expect(await words(['Orders', 'Other'], PAUSED)).toBe('Orders paused from this browser at tick 1 Resume indexing')
  expect(await words([], PAUSED)).toContain('Orders paused')
  expect(await words(['Other'], PAUSED)).toBeUndefined()
  expect(await words(['Orders'], { ...PAUSED, undoneBy: 'q' })).toBeUndefined()
  expect(await words(['Orders'], { ...PAUSED, server: 'another' })).toBeUndefined()
})

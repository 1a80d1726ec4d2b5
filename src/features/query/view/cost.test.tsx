import { act, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { TICKS_PER_SECOND, ticksFromMs, type Ticks } from '../../../base/ticks.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { sourceState, stubCapture } from '../../../testing/stub-capture.ts'
import { Cost } from './Cost.tsx'

afterEach(() => {
  vi.useRealTimers()
})

it('reports that index batches are missing until they are read for the first time, and then shows them', async () => {
  vi.useFakeTimers()
  const nowTicks = (ticksFromMs(Date.now()) + TICKS_PER_SECOND) as Ticks
  const capture = stubCapture({ sources: [sourceState({ kind: 'database', name: 'Shop' })], nowTicks })
  let awaited: readonly string[] = ['db:Shop']
  let batches = 0
  capture.responses.set('io.summary', () => ({ kinds: [] }))
  capture.responses.set('indexing.indexes', () => ({ indexes: [], awaited }))
  capture.responses.set('indexing.summary', () => ({
    total: { counts: { batches }, busyTicks: TICKS_PER_SECOND, documentsIn: 12 },
  }))
  const endedMs = Date.now() - 600_000
  renderPanel(
    <Cost database="Shop" times={{ startedMs: endedMs - 5, endedMs }} shown="on" onShow={() => undefined} />,
    capture,
  )
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(screen.getByRole('status').textContent).toContain('these are not all here yet')
  awaited = []
  batches = 3
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(screen.getByRole('status').textContent).not.toContain('not all here yet')
  expect(screen.getByRole('rowheader', { name: 'Index batches' })).toBeTruthy()
})

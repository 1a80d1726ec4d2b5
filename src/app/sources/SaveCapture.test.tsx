import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { exportJobs, type ExportJob } from '../../capture/exporting/export-jobs.ts'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { sourceState, stubCapture } from '../../testing/stub-capture.ts'
import type { Ticks } from '../../base/ticks.ts'
import { DEFAULT_VIEW } from '../url/url.ts'
import SaveCapture from './SaveCapture.tsx'

it('says what it would save and how large that is, and saves all sources with the picture in front', async () => {
  const capture = stubCapture()
  const extent = { startTicks: 1_000_000 as Ticks, endTicks: 9_000_000 as Ticks }
  const sources = [sourceState({ kind: 'database', name: 'shop' }), sourceState({ kind: 'server' })]
  capture.setState({ sources, extent, nowTicks: extent.endTicks })
  capture.responses.set('archive.held', () => ({
    events: 1_000_000,
    batches: 20,
    samples: 600,
    lines: 2,
    snapshots: 1,
    threads: 43,
  }))
  const start = vi.spyOn(exportJobs(capture), 'start').mockResolvedValue()
  const params = { 'timeline.composed': 'server.cpu!db2:8080,io.syncs!db2:8080@db:a,server.cpu' }
  const view = { ...DEFAULT_VIEW, sources: ['db:shop'], liveSpan: 2_000_000 as never, params }
  renderPanel(<SaveCapture panel="io" view={view} onClose={() => undefined} />, capture)
  expect(
    await screen.findByText(
      /^2 sources: 1,000,000 I\/O events, 20 index batches, 600 samples of figures, 1 stack snapshot, 2 lines of logs, .*; about \d+/,
    ),
  ).toBeTruthy()
  expect(screen.getByText(/^2 lanes of other servers are left out/)).toBeTruthy()
  await userEvent.setup().click(screen.getByRole('button', { name: 'Save capture' }))
  const [order] = start.mock.calls[0] ?? []
  expect(order?.exporter).toBe('archive.capture')
  expect(order?.fileName).toMatch(/^rookery-capture-.*\.rookery$/)
  const saved = order?.params as { address: string; places: readonly { source: string }[] }
  expect(saved.places.map(({ source }) => source)).toEqual(['db:shop', 'server'])
  // The picture of a live view is that of the moment.
  expect(saved.address).toMatch(/^#\/io\?v=2&s=file:rookery\.capture\/.*\/shop&range=7000000\.\.9000000/)
})

it('counts rows that are saved in the same form as all of them', () => {
  const capture = stubCapture()
  capture.responses.set('archive.held', () => ({
    events: 12_400,
    batches: 0,
    samples: 0,
    lines: 0,
    snapshots: 0,
    threads: 0,
  }))
  vi.spyOn(exportJobs(capture), 'getSnapshot').mockReturnValue(JOB)
  renderPanel(<SaveCapture panel="io" view={DEFAULT_VIEW} onClose={() => undefined} />, capture)
  expect(screen.getByText('Saving: 4,096 rows of 12,400.')).toBeTruthy()
})

const JOB: ExportJob = {
  exporter: 'archive.capture',
  phase: 'running',
  fileName: 'a.rookery',
  rows: 4096,
  totalRows: 12_400,
  contents: null,
  bytes: 0,
  startedMs: 0,
  atMs: 0,
  message: '',
}

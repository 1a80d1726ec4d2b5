import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseTicks } from '../../../base/ticks.ts'
import type { ExportBeginParams, ExportNextParams } from '../../../capture/exporting/exporter.ts'
import { Exports } from '../../../capture/exporting/exports.ts'
import { plainStore } from '../../../testing/exported.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { LaneNames } from '../../../feeds/io/data/responses/lane-names.ts'
import { NO_FILTER } from '../../../feeds/io/contract/rows.ts'
import type { IoExportParams } from '../../../feeds/io/contract/exports.ts'
import { ExportButton } from '../../../capture/exporting/ExportButton.tsx'
import { countExport, ioExporters } from '../../../feeds/io/data/exports/exporters.ts'
import * as save from '../../../ui/save.ts'
import { ioExport } from './subject.ts'

const saved = { names: [] as string[], text: '', slow: false }

beforeEach(() => {
  vi.spyOn(save, 'chooseSaveTarget').mockImplementation(({ name }) => {
    saved.names.push(name)
    return Promise.resolve({
      isDownload: true,
      write: async (piece: Uint8Array) => {
        saved.text += new TextDecoder().decode(piece)
        if (saved.slow) await new Promise((resolve) => setTimeout(resolve, 20))
      },
      finish: () => Promise.resolve(),
      discard: () => Promise.resolve(void (saved.text = '')),
    })
  })
})
afterEach(() => void vi.restoreAllMocks())

/** Shared by tests, which only read it. */
const store = plainStore(90_000, 'db:Shop')

/** 90,000 events of three kinds, 0.1 ms apart; in view are the first 300 of one kind. */
function show(change: (capture: ReturnType<typeof stubCapture>) => void = () => undefined) {
  const [lane] = store.lanes.values()
  const start = parseTicks('2026-11-20T04:01:30.0000000Z')
  const view = {
    sources: ['db:Shop'],
    rows: [{ lane: lane?.id ?? '', kind: 'JournalWrite', file: null }],
    range: { startTicks: start, endTicks: (start + 900_000) as typeof start },
    filter: NO_FILTER,
    known: { startTicks: start, endTicks: (start + 90_000_000) as typeof start },
    gaps: [],
  }
  const capture = stubCapture()
  const exports = new Exports(() => ioExporters(store, new LaneNames()))
  capture.responses.set('io.exportCount', (request) => countExport(store, new LaneNames(), request as IoExportParams))
  capture.responses.set('host.export.begin', (params) => exports.begin(params as ExportBeginParams))
  capture.responses.set('host.export.next', (params) => exports.next((params as ExportNextParams).id))
  capture.responses.set('host.export.cancel', (params) => exports.cancel((params as ExportNextParams).id))
  change(capture)
  renderPanel(<ExportButton subject={ioExport(view)} />, capture)
  return userEvent.setup()
}

afterEach(() => {
  saved.names = []
  saved.text = ''
  saved.slow = false
})

describe('the export dialog', () => {
  it('says how much it will be, what opens each format, and saves what is in view', async () => {
    const user = show()
    await user.click(screen.getByRole('button', { name: 'Export' }))
    expect(screen.getByRole('dialog', { name: 'Export I/O events' })).toBeTruthy()
    expect(await screen.findByText(/^300 events, about /)).toBeTruthy()
    expect(screen.getAllByRole('radio', { name: /Opens|jq|DuckDB/ }).length).toBe(5)
    await user.click(screen.getByRole('radio', { name: /CSV/ }))
    await user.click(screen.getAllByRole('button', { name: 'Export' }).at(-1) as HTMLElement)
    expect(await screen.findByText(/^Done: 300 events, /)).toBeTruthy()
    expect(saved.names).toEqual(['rookery-io-shop-2026-11-20T0401Z.csv'])
    expect(saved.text.split('\r\n').length).toBe(302)
  })

  it('everything is all kinds and times', async () => {
    const user = show()
    await user.click(screen.getByRole('button', { name: 'Export' }))
    await user.click(screen.getByRole('radio', { name: 'Everything' }))
    expect(await screen.findByText(/^90,000 events, about /)).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: /NDJSON/ }))
    await user.click(screen.getAllByRole('button', { name: 'Export' }).at(-1) as HTMLElement)
    expect(await screen.findByText(/^Done: 90,000 events, /)).toBeTruthy()
    expect(saved.text.trimEnd().split('\n').length).toBe(90_000)
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says why nothing was counted, and exports all the same', async () => {
    const user = show((capture) =>
      capture.responses.set('io.exportCount', () => {
        throw new Error('the worker gave up')
      }),
    )
    await user.click(screen.getByRole('button', { name: 'Export' }))
    expect(await screen.findByText('Not counted: the worker gave up')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: /CSV/ }))
    await user.click(screen.getAllByRole('button', { name: 'Export' }).at(-1) as HTMLElement)
    expect(await screen.findByText(/^Done: 300 events, /)).toBeTruthy()
  })

  it('goes on while hidden, says how far it is, and can be stopped', async () => {
    const user = show()
    saved.slow = true
    await user.click(screen.getByRole('button', { name: 'Export' }))
    await user.click(screen.getByRole('radio', { name: 'Everything' }))
    await user.click(screen.getByRole('radio', { name: /NDJSON/ }))
    await user.click(screen.getAllByRole('button', { name: 'Export' }).at(-1) as HTMLElement)
    expect(await screen.findByRole('progressbar')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Hide' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(await screen.findByRole('button', { name: /^Exporting: / }))
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(await screen.findByText('Stopped; no file was kept.')).toBeTruthy()
    expect(saved.text).toBe('')
    await user.click(screen.getByRole('button', { name: 'Export more' }))
    expect(await screen.findByText(/^300 events/)).toBeTruthy()
  })
})

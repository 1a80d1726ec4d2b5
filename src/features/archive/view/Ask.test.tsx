import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { parseTicks } from '../../../base/ticks.ts'
import { emptyManifest } from '../../../capture/archive/manifest.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { sourceState, stubCapture } from '../../../testing/stub-capture.ts'
import { Ask } from './Ask.tsx'
import { askLeft } from './ask-left.ts'

afterEach(() => {
  askLeft.set(null)
  vi.unstubAllGlobals()
})

it('shows the typed SQL and its answer again after the panel was left', async () => {
  const asked = { columns: [{ name: 'counted', type: 'BIGINT' }], rows: [[7]], hasMore: false, ms: 1 }
  vi.stubGlobal('location', { search: '?archive' })
  vi.stubGlobal('fetch', (_: string, request?: RequestInit) =>
    Promise.resolve(Response.json(request === undefined ? { tables: [], missing: '' } : asked)),
  )
  const sql = 'select count(*) as counted from io'
  const first = renderPanel(<Ask recordings={[]} />, stubCapture(), {})
  fireEvent.change(await screen.findByLabelText('SQL'), { target: { value: sql } })
  await userEvent.setup().click(screen.getByRole('button', { name: 'Run' }))
  expect((await screen.findByRole('status')).textContent).toMatch(/^1 row in /)
  first.unmount()

  renderPanel(<Ask recordings={[]} />, stubCapture(), {})
  expect((await screen.findByLabelText<HTMLTextAreaElement>('SQL')).value).toBe(sql)
  expect(screen.getByRole('status').textContent).toMatch(/^1 row in /)
})

it('says why the time of a row is not shown where its hours cannot be read', async () => {
  const columns = [
    { name: 'hour', type: 'TIMESTAMP' },
    { name: 'writes', type: 'BIGINT' },
  ]
  const asked = { columns, rows: [['2026-11-26 02:00:00', 7]], hasMore: false, ms: 1 }
  vi.stubGlobal('location', { search: '?archive' })
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ tables: [], missing: '' })))
  askLeft.set({ sql: 'select 1', asked })
  const ticks = parseTicks('2026-11-26T02:00:00.0000000Z')
  const path = 'io/node=a_8080/day=2026-11-26/2.parquet'
  const file = {
    path,
    table: 'io',
    node: 'a_8080',
    day: '2026-11-26',
    rows: 1,
    bytes: 5,
    minTicks: ticks,
    maxTicks: ticks,
  }
  const recording = {
    name: 'away',
    manifest: { ...emptyManifest(), files: [file as never] },
    journals: [],
    read: () => Promise.reject(new Error('It is away.')),
  }
  const stage = renderPanel(<Ask recordings={[recording]} />, stubCapture(), {})
  const chart = await screen.findByRole('application', { name: 'writes over time' })
  fireEvent.keyDown(chart, { key: 'ArrowRight' })
  fireEvent.keyDown(chart, { key: 'Enter' })
  expect((await screen.findByRole('alert')).textContent).toBe('Not shown on the timeline: It is away.')
  expect(stage.opened).toEqual([])
})

it('opens the server that the node of a row names', async () => {
  const columns = [
    { name: 'at', type: 'TIMESTAMP' },
    { name: 'node', type: 'VARCHAR' },
    { name: 'value', type: 'BIGINT' },
  ]
  vi.stubGlobal('location', { search: '?archive' })
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ tables: [], missing: '' })))
  askLeft.set({ sql: 'select 1', asked: { columns, rows: [['2026-11-26 02:00:00', 'b', 7]], hasMore: false, ms: 1 } })
  const recordings = ['a', 'b'].map((node) => ({
    name: `of ${node}`,
    manifest: { ...emptyManifest(), nodes: [{ name: node, url: '', journal: 0 }] },
    journals: [],
    read: () => Promise.reject(new Error('Not to be read.')),
  }))
  const sources = ['of a/a/shop', 'of b/b/shop'].map((name) => sourceState({ kind: 'file', name }))
  const stage = renderPanel(<Ask recordings={recordings} />, stubCapture({ sources }), {})
  fireEvent.click(await screen.findByRole('cell', { name: 'b' }))
  await expect.poll(() => stage.opened).toHaveLength(1)
  expect(stage.opened[0]?.parts.sources).toEqual(['file:of b/b/shop'])
})

it('loads the engine into the page only at a click, and says its size and what is missing before', async () => {
  vi.stubGlobal('location', { search: '' })
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  renderPanel(<Ask recordings={[]} />, stubCapture(), {})
  expect((await screen.findByRole('button', { name: /^Load DuckDB/ })).textContent).toMatch(
    /^Load DuckDB \([\d.]+ MiB\)$/,
  )
  expect(screen.getByText(/Nothing is open yet/)).toBeTruthy()
  expect(fetched).not.toHaveBeenCalled()
})

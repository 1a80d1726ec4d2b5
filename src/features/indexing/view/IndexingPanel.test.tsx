import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { formatCount, formatDuration } from '../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { settled } from '../../../charts/timeline/settle.ts'
import { fakeSource } from '../../../testing/fake-capture.ts'
import { inGate } from '../../../testing/gate.ts'
import { fakeIndexing, type FakeIndexing } from '../../../testing/fake-indexing.ts'
import { openMenu } from '../../../testing/open-menu.ts'
import { renderPanel, type PanelStage } from '../../../testing/panel-stage.tsx'
import { parseBatchRef } from '../../../feeds/indexing/contract/batch-ref.ts'
import { indexingPanel } from '../panel.ts'
import IndexingPanel from './IndexingPanel.tsx'
import type { IndexingWantResponse } from '../../../feeds/indexing/contract/want.ts'

const SECONDS = 60

async function openPanel(capture: FakeIndexing, parts = {}): Promise<PanelStage> {
  const { startTicks } = capture.indexing
  const range = { startTicks, endTicks: (startTicks + SECONDS * TICKS_PER_SECOND) as Ticks }
  const stage = renderPanel(<IndexingPanel panel={indexingPanel} />, capture, { sources: ['db:shop'], range, ...parts })
  await screen.findByRole('application')
  await settled()
  return stage
}

/** Those in view that have completed. */
const batchesOf = (capture: FakeIndexing, index: string): FakeIndexing['indexing']['batches'] =>
  capture.indexing.batches.filter(
    (batch) =>
      batch.index.name === index &&
      batch.startTicks < capture.indexing.startTicks + SECONDS * TICKS_PER_SECOND &&
      batch.state !== 'open',
  )

describe('batches', () => {
  it('says first what stands out, then each index, then its operations, which sum to the total', async () => {
    const capture = await fakeIndexing()
    await openPanel(capture)
    await waitFor(() => expect(screen.getByText(/Busiest index: /)).toBeTruthy())
    const table = screen.getByRole('table', { name: 'Indexes in view' })
    const batches = batchesOf(capture, 'Orders/Totals')
    const row = await within(table).findByRole('row', { name: /Orders\/Totals/ })
    const cells = within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent)
    expect(cells[1]).toBe(formatDuration(batches.reduce((sum, batch) => sum + batch.durationTicks, 0)))
    expect(cells[3]).toBe(formatCount(batches.length))
    const operations = await screen.findByRole('group', { name: 'Time by operation, table' })
    expect(within(operations).getByRole('row', { name: /^Total/ })).toBeTruthy()
    expect(within(operations).getByRole('row', { name: /^other: unattributed/ })).toBeTruthy()
  })

  it('is one sentence and the way to the last batch where nothing is in view', async () => {
    const user = userEvent.setup()
    const capture = await fakeIndexing()
    // Two batches are still open then.
    const last = capture.indexing.endTicks
    const nowTicks = (last + 7 * 60 * TICKS_PER_SECOND) as Ticks
    capture.setState({ nowTicks, extent: { startTicks: capture.indexing.startTicks, endTicks: nowTicks } })
    const range = { startTicks: (nowTicks - 60 * TICKS_PER_SECOND) as Ticks, endTicks: nowTicks }
    const stage = renderPanel(<IndexingPanel panel={indexingPanel} />, capture, { sources: ['db:shop'], range })
    const go = await screen.findByRole('button', { name: 'Last batch 7 min ago: go there' })
    expect(screen.getByRole('status').textContent).toContain('in the 1 min in view.')
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByRole('toolbar')).toBeNull()
    expect(screen.getByRole('radio', { name: 'Budgets' })).toBeTruthy()
    await user.click(go)
    await waitFor(() => expect(stage.view().range!.startTicks).toBeLessThan(last))
    expect(stage.view().range!.endTicks).toBeGreaterThan(last)
    expect(await screen.findByRole('table', { name: 'Indexes in view' })).toBeTruthy()
  })

  it('shows where the time of one index went at a click on it', async () => {
    const user = userEvent.setup()
    const capture = await fakeIndexing()
    const stage = await openPanel(capture)
    const table = screen.getByRole('table', { name: 'Indexes in view' })
    await user.click(await within(table).findByRole('row', { name: /Orders\/Totals/ }))
    expect(stage.view().params['indexing.focus']).toBe('db:shop|Orders/Totals')
    await waitFor(() =>
      expect(capture.requested.findLast(({ name }) => name === 'indexing.operations')!.query).toMatchObject({
        indexes: ['db:shop|Orders/Totals'],
      }),
    )
    await user.click(screen.getByRole('button', { name: 'All indexes' }))
    expect(stage.view().params['indexing.focus']).toBeUndefined()
  })

  it('pins a batch from the list, shows its card, and walks on with n and p', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(await fakeIndexing())
    const list = screen.getByRole('region', { name: 'Largest in view' })
    await user.click((await within(list).findAllByRole('button', { name: /With documents/ }))[1]!)
    const first = parseBatchRef(stage.view().selection)
    expect(first).not.toBeNull()
    const card = await screen.findByRole('region', { name: 'Selected batch' })
    await waitFor(() => expect(card.textContent).toMatch(/Started.*\.\d{7} UTC/))
    expect(card.textContent).toMatch(/documents|Documents/)
    expect(within(card).getByRole('list', { name: 'Operations, in order' }).textContent).toContain('Map')
    const menu = openMenu(/^Act on it: /, card)
    await vi.waitFor(() => expect(menu.textContent).toMatch(/Pause/))
    await user.keyboard('n')
    const second = parseBatchRef(stage.view().selection)
    expect(second).not.toEqual(first)
    await user.keyboard('p')
    expect(parseBatchRef(stage.view().selection)).toEqual(first)
  })

  it('has the actions on an index at its lane, by button, menu key and right click', async () => {
    const capture = await fakeIndexing()
    await openPanel(capture)
    const lanes = screen.getByRole('group', { name: 'Lanes' })
    const name = 'Actions on “Orders/Totals” of “shop”'
    const button = await within(lanes).findByRole('button', { name })
    expect(within(lanes).getByRole('menu', { hidden: true, name }).textContent).toBe('')
    const menu = openMenu(name, lanes)
    await vi.waitFor(() => expect(menu.textContent).toMatch(/Pause indexing.*Reset in place/))
    const opened = vi.spyOn(button, 'click')
    const lane = within(lanes).getByRole('button', { name: /^Orders\/Totals/ })
    // False: the menu of the browser stays away.
    expect(fireEvent.contextMenu(lane, { buttons: 0 })).toBe(false)
    expect(opened).toHaveBeenCalledTimes(1)
    fireEvent.contextMenu(lane, { buttons: 2 })
    expect(opened).toHaveBeenCalledTimes(1)
    fireEvent.pointerUp(lane)
    await waitFor(() => expect(opened).toHaveBeenCalledTimes(2))
    const plot = screen.getByRole('application', { name: 'Index batches' })
    fireEvent.keyDown(plot, { key: 'm' })
    const all = within(lanes).getAllByRole('button', { name: /^Actions on/ })
    const clicks = all.map((each) => (each === button ? opened : vi.spyOn(each, 'click')))
    const times = (): number => clicks.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    fireEvent.keyDown(plot, { key: 'F10', shiftKey: true })
    expect(times()).toBe(3)
    fireEvent.keyDown(plot, { key: 'ContextMenu' })
    expect(times()).toBe(4)
    fireEvent.keyDown(plot, { key: 'F10' })
    expect(times()).toBe(4)
  })

  it('shows the I/O of the batch beneath it on demand, and the way to all of it', async () => {
    const user = userEvent.setup()
    const capture = await fakeIndexing()
    await openPanel(capture)
    const list = screen.getByRole('region', { name: 'Largest in view' })
    await user.click((await within(list).findAllByRole('button', { name: /With documents/ }))[0]!)
    const card = await screen.findByRole('region', { name: 'Selected batch' })
    expect(capture.requested.some(({ name }) => name.startsWith('io.'))).toBe(false)
    await user.click(await within(card).findByRole('button', { name: 'I/O beneath it' }))
    expect(await within(card).findByRole('img', { name: /^Journal writes, flushes and syncs of/ })).toBeTruthy()
    expect(card.textContent).toMatch(/\d+ journal writes?/)
    expect(within(card).getByRole('link', { name: 'Open in the I/O panel' })).toBeTruthy()
    expect(within(card).getByRole('link', { name: 'Its thread now' })).toBeTruthy()
  })

  it('opens a lane into operations, asks for no more than open lanes, and keeps that in the link', async () => {
    const user = userEvent.setup()
    const capture = await fakeIndexing()
    const stage = await openPanel(capture)
    await user.click(screen.getByRole('button', { name: /^Users\/ByName/ }))
    expect(stage.view().params['indexing.open']).toBe('db:shop|Users/ByName')
    await waitFor(() => expect(capture.requested.some(({ name }) => name === 'indexing.icicle')).toBe(true))
    const requested = capture.requested.filter(({ name }) => name === 'indexing.icicle')
    expect(requested.every(({ query }) => (query as { index: string }).index === 'db:shop|Users/ByName')).toBe(true)
    expect(screen.getByRole('button', { name: /^Users\/ByName/ }).getAttribute('aria-expanded')).toBe('true')
  })

  it('does by keyboard what a mouse does: focus the longest, step, pin, leave', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(await fakeIndexing())
    screen.getByRole('application').focus()
    await user.keyboard('m')
    const spoken = await screen.findByText(/Enter pins it/)
    const first = spoken.textContent
    await user.keyboard('{ArrowRight}')
    await waitFor(() => expect(spoken.textContent).not.toBe(first))
    await user.keyboard('{Enter}')
    expect(parseBatchRef(stage.view().selection)).not.toBeNull()
    await user.keyboard('{Escape}{Escape}')
    expect(stage.view().selection).toBeNull()
  })

  it('lists faulty indexes, and has words for what is not measured', async () => {
    await openPanel(await fakeIndexing())
    const faulty = screen.getByRole('region', { name: 'Faulty and changed indexes' })
    expect(faulty.textContent).toContain('Orders/Broken')
    expect(faulty.textContent).toContain('could not open it')
  })

  it('asks for no more lanes than are near sight, with many indexes', async () => {
    const capture = await fakeIndexing({ indexes: inGate(130, 200), seconds: 30 })
    await openPanel(capture)
    const requested = capture.requested
      .filter(({ name }) => name === 'indexing.marks')
      .map(({ query }) => (query as { indexes: string[] }).indexes.length)
    expect(Math.max(...requested)).toBeGreaterThan(15)
    expect(Math.max(...requested)).toBeLessThan(120)
  })

  it('has a table twin, and filters that are in the link', async () => {
    const user = userEvent.setup()
    const capture = await fakeIndexing()
    const stage = await openPanel(capture)
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    await user.type(screen.getByRole('textbox', { name: 'Duration from' }), 'soon{Enter}')
    expect(await screen.findByText('Write it like 200 ms, 1.5 s or 300 µs.')).toBeTruthy()
    await user.clear(screen.getByRole('textbox', { name: 'Duration from' }))
    await user.type(screen.getByRole('textbox', { name: 'Duration from' }), '100 ms{Enter}')
    await user.click(screen.getByRole('button', { name: 'Table' }))
    expect(stage.view().params).toMatchObject({ 'indexing.duration': '1000000-', 'indexing.table': 'on' })
    const { startTicks } = capture.indexing
    const long = capture.indexing.batches.filter(
      (batch) =>
        batch.durationTicks >= 1_000_000 &&
        batch.startTicks >= startTicks &&
        batch.startTicks < startTicks + SECONDS * TICKS_PER_SECOND,
    )
    const table = await screen.findByRole('table', { name: 'Batches in view' })
    await waitFor(() => expect(table.getAttribute('aria-rowcount')).toBe(String(long.length + 1)))
  })

  it('says again and again that it is looked at, and what that costs', async () => {
    const capture = await fakeIndexing()
    await openPanel(capture)
    expect(capture.requested.find(({ name }) => name === 'indexing.want')!.query).toEqual({
      sources: ['db:shop'],
      budgets: false,
    })
    expect(await screen.findByText(/^shop: by socket every 3\.00 s, [\d.]+ [KM]iB a minute\./)).toBeTruthy()
  })
})

describe('budgets', () => {
  const params = { 'indexing.view': 'budgets' }

  it('shows findings with names and evidence, and goes to their moment', async () => {
    const user = userEvent.setup()
    const capture = await fakeIndexing({ budgetsHeld: true })
    const stage = await openPanel(capture, { params })
    const watch = await screen.findByRole('region', { name: 'Budget watch' })
    await waitFor(() => expect(watch.textContent).toContain('Budget not lowered after memory was released'))
    expect(watch.textContent).toContain('Users/Search')
    const { findings } = await capture.request('indexing.findings', { sources: ['db:shop'] })
    await user.click(within(watch).getByRole('button', { name: 'Show the moment' }))
    expect(stage.view().params['indexing.at']).toBe(String(findings[0]!.atTicks))
    expect((await screen.findAllByText(/^Budget not lowered after memory was released since/)).length).toBe(1)
  })

  it('finds nothing in healthy data, and says what was and was not checked', async () => {
    await openPanel(await fakeIndexing(), { params })
    const watch = await screen.findByRole('region', { name: 'Budget watch' })
    await waitFor(() => expect(watch.textContent).toContain('No issues found. Kept budgets: checked on all'))
    expect(watch.textContent).toMatch(/[\d,]+ budgets checked/)
    expect(watch.textContent).toMatch(/Budgets of batches that ran at once: at most \d+ MiB of 23\.5 GiB\./)
  })

  it('shows the whole of the memory at the cursor, which a click and the keys set', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(await fakeIndexing(), { params })
    const memory = screen.getByRole('region', { name: 'Memory at the cursor' })
    await waitFor(() => expect(memory.textContent).toContain('reclaimable at once'))
    expect(memory.textContent).toContain('Memory at the end of the view')
    const chart = screen.getByRole('application', { name: 'Memory budgets' })
    chart.focus()
    await user.keyboard('m')
    const first = Number(stage.view().params['indexing.at'])
    await user.keyboard('{ArrowRight}')
    expect(Number(stage.view().params['indexing.at'])).toBeGreaterThan(first)
    await waitFor(() => expect(memory.textContent).toContain('Memory at the cursor'))
    await user.click(within(memory).getByRole('button', { name: 'Let go' }))
    expect(stage.view().params['indexing.at']).toBeUndefined()
  })

  it('has lanes of other panels below its own, on the same axis', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(await fakeIndexing(), { params })
    await user.click(await screen.findByRole('button', { name: 'Add lane' }))
    await user.type(screen.getByRole('searchbox', { name: 'Find a lane' }), 'batches{Enter}')
    const added = await screen.findByRole('application', { name: 'Added lanes' })
    const before = stage.view().range
    added.focus()
    await user.keyboard('+')
    await waitFor(() => expect(stage.view().range).not.toEqual(before))
    expect(screen.getByRole('application', { name: 'Memory budgets' })).toBeTruthy()
  })

  it('asks for threads and memory only while budgets are shown', async () => {
    const capture = await fakeIndexing()
    await openPanel(capture, { params })
    expect(capture.requested.find(({ name }) => name === 'indexing.want')!.query).toMatchObject({ budgets: true })
  })
})

describe('compare', () => {
  it('puts two indexes side by side, and holds a range of one of them', async () => {
    const user = userEvent.setup()
    const capture = await fakeIndexing()
    const { startTicks } = capture.indexing
    const range = { startTicks, endTicks: (startTicks + SECONDS * TICKS_PER_SECOND) as Ticks }
    const stage = renderPanel(<IndexingPanel panel={indexingPanel} />, capture, {
      sources: ['db:shop'],
      range,
      params: { 'indexing.view': 'compare' },
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Index A' }), 'Orders/Totals')
    const figures = await screen.findByRole('table', { name: 'Figures side by side' })
    const count = formatCount(batchesOf(capture, 'Orders/Totals').length)
    await waitFor(() =>
      expect(within(within(figures).getByRole('row', { name: /^Batches/ })).getAllByRole('cell')[0]?.textContent).toBe(
        count,
      ),
    )
    await user.click(screen.getAllByRole('button', { name: 'Pin range' })[0]!)
    expect(stage.view().params['indexing.a']).toBe(`${range.startTicks}~${range.endTicks}~db:shop|Orders/Totals`)
    await user.click(screen.getByRole('button', { name: 'Follow the view' }))
    expect(stage.view().params['indexing.a']).toBe('~~db:shop|Orders/Totals')
  })
})

describe('states', () => {
  it('zooms and pans, which pauses, and goes back to live', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(await fakeIndexing(), { range: null })
    await user.click(screen.getByRole('button', { name: 'Zoom in' }))
    await waitFor(() => expect(stage.view().range).not.toBeNull())
    await user.click(screen.getByRole('button', { name: /^Live/ }))
    expect(stage.view().range).toBeNull()
  })

  it('asks for figures once a pan rests, and says meanwhile that they are of a moment ago', async () => {
    const capture = await fakeIndexing()
    const stage = await openPanel(capture)
    const figures = ['Indexes in view', 'Time by operation', 'Largest in view'].map((name) =>
      screen.getByRole('region', { name }),
    )
    const busy = (): (string | null)[] => figures.map((figure) => figure.getAttribute('aria-busy'))
    await waitFor(() => expect(busy()).toEqual(['false', 'false', 'false']))
    const summaries = (): unknown[] =>
      capture.requested
        .filter(({ name }) => name === 'indexing.summary' || name === 'indexing.operations')
        .map(({ query }) => query)
    const before = summaries().length
    // All in one turn: on a busy machine a pan would rest between two clicks that wait.
    fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }))
    for (let i = 0; i < 4; i++) {
      fireEvent.click(screen.getByRole('button', { name: 'Later' }))
      expect(busy()).toEqual(['true', 'true', 'true'])
    }
    await waitFor(() => expect(busy()).toEqual(['false', 'false', 'false']))
    const requested = summaries().slice(before)
    expect(requested).toHaveLength(2)
    for (const each of requested) expect(each).toMatchObject({ ...stage.view().range })
  })

  it('has words for nothing chosen, only the server, no index, refused, and a failed response', async () => {
    renderPanel(<IndexingPanel panel={indexingPanel} />, await fakeIndexing(), {})
    expect(screen.getByRole('heading', { name: 'Select a database' })).toBeTruthy()
    cleanup()
    renderPanel(<IndexingPanel panel={indexingPanel} />, await fakeIndexing(), { sources: ['server'] })
    expect(await screen.findByRole('heading', { name: 'The server’s own storage has no indexes' })).toBeTruthy()
    cleanup()
    const bare = await fakeIndexing()
    bare.setState({ sources: [fakeSource('db:bare')] })
    renderPanel(<IndexingPanel panel={indexingPanel} />, bare, { sources: ['db:bare'] })
    expect(await screen.findByRole('heading', { name: 'No index yet' })).toBeTruthy()
    cleanup()
    const refused = await fakeIndexing()
    refused.setState({ sources: [fakeSource('db:shop', { phase: 'refused' })] })
    renderPanel(<IndexingPanel panel={indexingPanel} />, refused, { sources: ['db:shop'] })
    expect(await screen.findByText('The server refuses the indexing of shop')).toBeTruthy()
    cleanup()
    const broken = await fakeIndexing()
    broken.failWith({
      endpoint: 'indexing.indexes',
      status: null,
      message: 'The capture could not answer.',
      serverMessage: null,
      hint: 'Reload the page.',
    })
    renderPanel(<IndexingPanel panel={indexingPanel} />, broken, { sources: ['db:shop'] })
    expect(await screen.findByText('The capture could not answer.')).toBeTruthy()
  })

  it('does not say that there is no index where the call for them is refused', async () => {
    const half = await fakeIndexing()
    half.setState({ sources: [fakeSource('db:bare')] })
    const request: FakeIndexing['request'] = async (name, params, signal) => {
      const response = await half.request(name, params, signal)
      if (name !== 'indexing.want') return response
      const want = response as IndexingWantResponse
      const ways = want.ways.map((way) => Object.assign(way, { problem: 'Refused (403).' }))
      return { ...want, ways } as typeof response
    }
    renderPanel(<IndexingPanel panel={indexingPanel} />, { ...half, request }, { sources: ['db:bare'] })
    expect(await screen.findByRole('heading', { name: 'Index data is not available' })).toBeTruthy()
    expect(screen.getByText(/Refused \(403\)\. Retries are automatic/)).toBeTruthy()
  })

  it('does not say that there is no index before the first response, where another panel has connected the database', async () => {
    const half = await fakeIndexing()
    half.setState({ sources: [fakeSource('db:bare')] })
    const request: FakeIndexing['request'] = async (name, params, signal) => {
      const response = await half.request(name, params, signal)
      if (name === 'indexing.indexes') Object.assign(response as object, { awaited: ['db:bare'] })
      return response
    }
    renderPanel(<IndexingPanel panel={indexingPanel} />, { ...half, request }, { sources: ['db:bare'] })
    expect(await screen.findByText('Reading the indexes of bare …')).toBeTruthy()
    expect(screen.queryByText(/has no index/)).toBeNull()
  })

  it('loads an unloaded database only at a click', async () => {
    const user = userEvent.setup()
    const capture = await fakeIndexing()
    capture.setState({ sources: [fakeSource('db:shop', { phase: 'unloaded' })] })
    await openPanel(capture)
    expect(capture.loaded).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Load shop' }))
    expect(capture.loaded).toEqual(['shop'])
  })
})

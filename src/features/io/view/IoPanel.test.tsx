import { CaptureError, type CaptureClient } from '../../../capture/client/client.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { formatCount, formatDuration } from '../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { settled } from '../../../charts/timeline/settle.ts'
import { filledIo, fillIo, requestsOf } from '../../../testing/filled-feeds.ts'
import { inGate } from '../../../testing/gate.ts'
import { fakeCapture, fakeSource, type FakeCapture } from '../../../testing/fake-capture.ts'
import { renderPanel, type PanelStage } from '../../../testing/panel-stage.tsx'
import { formatEventRef, parseEventRef } from '../../../feeds/io/contract/event-ref.ts'
import { ioPanel } from '../panel.ts'
import IoPanel from './IoPanel.tsx'
import type { IoScope } from '../../../feeds/io/contract/rows.ts'

const SOURCES = ['db:shop', 'server']

async function openPanel(capture: FakeCapture, parts = {}): Promise<PanelStage> {
  const { startTicks } = capture.data
  const range = { startTicks, endTicks: (startTicks + 20 * TICKS_PER_SECOND) as Ticks }
  const stage = renderPanel(<IoPanel panel={ioPanel} />, capture, { sources: SOURCES, range, ...parts })
  await screen.findByRole('table')
  await settled()
  return stage
}
const eventsOf = (capture: FakeCapture, kind: string, seconds = 20): FakeCapture['data']['events'] =>
  capture.data.events.filter(
    (event) =>
      event.kind === kind &&
      event.startTicks >= capture.data.startTicks &&
      event.startTicks < capture.data.startTicks + seconds * TICKS_PER_SECOND,
  )

describe('IoPanel', () => {
  it('has at each lane what can be done to its environment, and nothing at kinds and at lanes of the server', async () => {
    const capture = fakeCapture()
    await openPanel(capture)
    const lanes = screen.getByRole('group', { name: 'Lanes' })
    const buttons = within(lanes)
      .getAllByRole('button', { name: /^Actions on/ })
      .map((button) => button.getAttribute('aria-label'))
    expect(buttons).toMatchInlineSnapshot(`
      [
        "Actions on “shop”",
        "Actions on “shop”",
        "Actions on “Orders/FanOut” of “shop”",
        "Actions on “Orders/Totals” of “shop”",
        "Actions on “Places/Near” of “shop”",
        "Actions on “Users/ByCity” of “shop”",
        "Actions on “Users/ByName” of “shop”",
        "Actions on “Users/Search” of “shop”",
      ]
    `)
  })

  it('says first what stands out, then sums up each kind, then lists the slowest', async () => {
    const capture = fakeCapture()
    await openPanel(capture)
    await waitFor(() => expect(screen.getByText(/^Slowest journal write /)).toBeTruthy())
    const row = screen.getByRole('row', { name: /Journal write/ })
    const writes = eventsOf(capture, 'JournalWrite')
    expect(within(row).getAllByRole('cell')[0]?.textContent).toBe(formatCount(writes.length))
    const slowest = formatDuration(Math.max(...writes.map((event) => event.durationTicks)))
    expect(within(row).getAllByRole('cell')[1]?.textContent).toBe(slowest)
    expect(screen.getByText(/^Slowest journal write /).textContent).toContain(`(commits wait for these): ${slowest} on`)
    expect(
      within(screen.getByRole('region', { name: 'Slowest in view' })).getAllByRole('button').length,
    ).toBeGreaterThan(20)
  })

  it('draws the lanes that are there, and asks for no more rows than are near sight', async () => {
    const capture = fakeCapture({ indexes: inGate(60, 120) })
    await openPanel(capture)
    expect(screen.getByRole('button', { name: 'Documents' })).toBeTruthy()
    const requested = capture.requested
      .filter(({ name }) => name === 'io.marks')
      .map(({ query }) => (query as { rows: unknown[] }).rows.length)
    expect(Math.max(...requested)).toBeGreaterThan(20)
    expect(Math.max(...requested)).toBeLessThan(200)
  })

  it('pins an event from the list, shows its card, and walks on with n and p', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(fakeCapture())
    const list = screen.getByRole('region', { name: 'Slowest in view' })
    await user.click((await within(list).findAllByRole('button'))[1]!)
    const first = parseEventRef(stage.view().selection)
    expect(first).not.toBeNull()
    const card = await screen.findByRole('region', { name: 'Selected event' })
    await waitFor(() => expect(card.textContent).toMatch(/Start.*\.\d{7} UTC/))
    expect(card.textContent).toMatch(/2nd slowest|slowest of/)
    await user.keyboard('n')
    const second = parseEventRef(stage.view().selection)!
    expect(second.durationTicks).toBeLessThanOrEqual(first!.durationTicks)
    await user.keyboard('pp')
    expect(parseEventRef(stage.view().selection)!.durationTicks).toBeGreaterThanOrEqual(first!.durationTicks)
  })

  it('goes from a figure of the summary to the event that it is', async () => {
    const user = userEvent.setup()
    const capture = fakeCapture()
    const stage = await openPanel(capture)
    const writes = eventsOf(capture, 'JournalWrite').toSorted((a, b) => a.durationTicks - b.durationTicks)
    for (const [title, wanted] of [
      ['Max', writes.at(-1)!],
      ['p99', writes[Math.ceil(0.99 * writes.length) - 1]!],
      ['p50', writes[Math.ceil(0.5 * writes.length) - 1]!],
    ] as const) {
      await user.click(
        screen.getByRole('button', { name: new RegExp(`, ${title} of journal writes: go to the event`) }),
      )
      await waitFor(() =>
        expect(parseEventRef(stage.view().selection)).toMatchObject({
          kind: 'JournalWrite',
          durationTicks: wanted.durationTicks,
        }),
      )
      const card = await screen.findByRole('region', { name: 'Selected event' })
      await waitFor(() => expect(card.textContent).toContain(`Duration${formatDuration(wanted.durationTicks)}`))
    }
  })

  it('shows no rate of data syncs, and what their size is', async () => {
    await openPanel(fakeCapture())
    const row = screen.getByRole('row', { name: /Data sync/ })
    const cells = within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
    const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(heads).toEqual('Kind|Count|Max|p50|p90|p99|p99.9|Bytes|Bytes/s|Events/s|Busy'.split('|'))
    expect(cells[heads.indexOf('Bytes') - 1]).toMatch(/^covers [\d.]+ [KMG]iB$/)
    expect(cells[heads.indexOf('Bytes/s') - 1]).toBe('—')
  })

  it('walks with n and p from the timeline and from a card whose overlaps are replaced, and from nowhere else', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(fakeCapture())
    const selected = () => parseEventRef(stage.view().selection)?.durationTicks ?? 0
    await within(screen.getByRole('region', { name: 'Slowest in view' })).findAllByRole('button')
    for (const place of [document.body, screen.getByRole('checkbox', { name: /Compression/ })]) {
      place.focus()
      await user.keyboard('np')
    }
    expect(selected()).toBe(0)
    screen.getByRole('application', { name: 'I/O timeline' }).focus()
    await user.keyboard('n')
    const first = selected()
    expect(first).toBeGreaterThan(0)
    const card = await screen.findByRole('region', { name: 'Selected event' })
    within(card).getByRole('button', { name: 'Unpin' }).focus()
    await user.keyboard('nn')
    expect(selected()).toBeLessThan(first)
    await user.click(screen.getByRole('button', { name: 'Unpin' }))
    await user.keyboard('n')
    expect(selected()).toBe(first)
    screen.getByRole('textbox', { name: 'Size from' }).focus()
    await user.keyboard('n')
    expect(selected()).toBe(first)
  })

  it('says that the event of a link is gone, also where nothing is in view', async () => {
    const capture = fakeCapture()
    const last = capture.data.events.at(-1)!
    const nowTicks = (last.startTicks + 7 * 60 * TICKS_PER_SECOND) as Ticks
    capture.setState({ nowTicks, extent: { startTicks: capture.data.startTicks, endTicks: nowTicks }, gaps: [] })
    const selection = formatEventRef({ ...last, startTicks: (last.startTicks + 1) as Ticks })
    const stage = renderPanel(<IoPanel panel={ioPanel} />, capture, { sources: SOURCES, selection })
    const card = await screen.findByRole('region', { name: 'Selected event' })
    await within(card).findByText(/^This event is not in this capture/)
    await userEvent.setup().click(within(card).getByRole('button', { name: 'Unpin' }))
    expect(stage.view().selection).toBeNull()
  })

  it('says why a click on a figure led to no event', async () => {
    const user = userEvent.setup()
    const capture = fakeCapture()
    await openPanel(capture)
    const row = await screen.findByRole('row', { name: /Journal write/ })
    capture.failWith({ endpoint: 'io.ofDuration', status: null, message: 'gave up', serverMessage: null, hint: '' })
    await user.click(within(row).getAllByRole('button')[0]!)
    expect((await screen.findByText('Could not find the event: gave up')).getAttribute('role')).toBe('alert')
  })

  it('is one sentence and the way to the last I/O where nothing is in view', async () => {
    const user = userEvent.setup()
    const capture = fakeCapture()
    const last = capture.data.events.at(-1)!
    const nowTicks = (last.startTicks + 7 * 60 * TICKS_PER_SECOND) as Ticks
    capture.setState({ nowTicks, extent: { startTicks: capture.data.startTicks, endTicks: nowTicks }, gaps: [] })
    const stage = renderPanel(<IoPanel panel={ioPanel} />, capture, { sources: SOURCES, params: { 'io.fold': 'off' } })
    expect(await screen.findByText('No I/O in the 1 min in view.')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByRole('toolbar')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Last I/O 7 min ago: go there' }))
    await waitFor(() => expect(stage.view().range).not.toBeNull())
    expect(stage.view().range!.startTicks).toBeLessThan(last.startTicks)
    expect(stage.view().range!.endTicks).toBeGreaterThan(last.startTicks)
    expect(await screen.findByRole('row', { name: /Journal write/ })).toBeTruthy()
    expect(await screen.findByText(/^Slowest journal write/)).toBeTruthy()
  })

  it('keeps the filters where they hold everything back, and clears them', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(fakeCapture())
    await user.type(screen.getByRole('textbox', { name: 'Duration from' }), '1 h{Enter}')
    expect(
      await screen.findByText('No I/O that passes the filters in the 20.0 s in view.', { exact: false }),
    ).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.getByRole('textbox', { name: 'Duration from' })).toBeTruthy()
    await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!)
    expect(stage.view().params).toEqual({})
    expect(await screen.findByRole('row', { name: /Journal write/ })).toBeTruthy()
  })

  it('shows the card of the mark under the pointer, where it was drawn', async () => {
    const capture = fakeCapture()
    const stage = await openPanel(capture, { params: { 'io.fold': 'off' } })
    const plot = screen.getByRole('application', { name: 'I/O timeline' })
    const canvas = plot.querySelector('canvas')!
    const slowest = eventsOf(capture, 'DataSync').toSorted((a, b) => b.durationTicks - a.durationTicks)[0]!
    await waitFor(() => expect(stage.recordings.get(canvas)!.of('fillRect').length).toBeGreaterThan(50))
    const widthPx = (slowest.durationTicks / (20 * TICKS_PER_SECOND)) * 1000
    const drawn = await waitFor(() => {
      const rect = stage.recordings
        .get(canvas)!
        .of('fillRect')
        .find(({ args }) => Math.abs(Number(args[2]) - widthPx) < 0.01)
      expect(rect).toBeTruthy()
      return rect!.args.map(Number)
    })
    fireEvent.pointerMove(plot, {
      clientX: drawn[0]! + drawn[2]! / 2,
      clientY: drawn[1]! + drawn[3]! / 2,
      pointerId: 1,
      pointerType: 'mouse',
    })
    const card = await screen.findByRole('tooltip')
    await waitFor(() => expect(card.textContent).toContain('Rank'))
    expect(card.textContent).toContain(formatDuration(slowest.durationTicks))
    expect(card.textContent).toContain('Data sync')
  })

  it('does by keyboard what a mouse does: focus the slowest mark, step, pin, leave', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(fakeCapture())
    screen.getByRole('application', { name: 'I/O timeline' }).focus()
    await user.keyboard('m')
    const spoken = await screen.findByText(/Enter pins it/)
    const first = spoken.textContent
    await user.keyboard('{ArrowRight}')
    await waitFor(() => expect(spoken.textContent).not.toBe(first))
    await user.keyboard('{Enter}')
    expect(stage.view().selection).not.toBeNull()
    await user.keyboard('{Escape}{Escape}')
    expect(stage.view().selection).toBeNull()
  })

  it('zooms and pans, which pauses, and goes back to live', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(fakeCapture(), { range: null })
    expect(screen.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Zoom in' }))
    await waitFor(() => expect(stage.view().range).not.toBeNull())
    const zoomed = stage.view().range!
    await user.click(screen.getByRole('button', { name: 'Earlier' }))
    await waitFor(() => expect(stage.view().range!.startTicks).toBeLessThan(zoomed.startTicks))
    await user.click(screen.getByRole('button', { name: /^Live.* behind$/ }))
    expect(stage.view().range).toBeNull()
  })

  it('keeps filters, open lanes and folds in the view, and asks only for what is left', async () => {
    const user = userEvent.setup()
    const capture = fakeCapture()
    const stage = await openPanel(capture)
    await user.click(screen.getByRole('checkbox', { name: /Compression/ }))
    await user.type(screen.getByRole('textbox', { name: 'Duration from' }), '10 ms{Enter}')
    await user.click(screen.getByRole('button', { name: 'Documents' }))
    expect(stage.view().params).toMatchObject({ 'io.hide': 'Compression', 'io.duration': '100000-' })
    expect(decodeURIComponent(stage.view().params['io.open']!)).toContain('db:shop|')
    expect(screen.getByRole('button', { name: 'Documents' }).getAttribute('aria-expanded')).toBe('true')
    expect(await screen.findByRole('button', { name: 'Filters: 2' })).toBeTruthy()
    await waitFor(() =>
      expect(capture.requested.findLast(({ name }) => name === 'io.summary')!.query).toMatchObject({
        filter: { minTicks: 100_000 },
      }),
    )
    const { rows } = capture.requested.findLast(({ name }) => name === 'io.summary')!.query as { rows: IoScope }
    expect(rows.hiddenKinds).toEqual(['Compression'])
  })

  it('refuses a bound that is none and says how to write it', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(fakeCapture())
    await user.type(screen.getByRole('textbox', { name: 'Size from' }), 'huge{Enter}')
    expect(await screen.findByText('Write it like 4096, 64 KiB or 1.5 MiB.')).toBeTruthy()
    expect(stage.view().params).toEqual({})
  })

  it('has a table twin of the view', async () => {
    const user = userEvent.setup()
    const capture = fakeCapture()
    await openPanel(capture)
    await user.click(screen.getByRole('button', { name: 'Table' }))
    const table = await screen.findByRole('table', { name: 'Events in view' })
    const all = ['JournalWrite', 'DataFlush', 'DataSync', 'Compression'].reduce(
      (sum, kind) => sum + eventsOf(capture, kind).length,
      0,
    )
    await waitFor(() => expect(table.getAttribute('aria-rowcount')).toBe(String(all + 1)))
  })

  it('loads an unloaded database only at a click', async () => {
    const user = userEvent.setup()
    const capture = fakeCapture()
    capture.setState({ sources: [fakeSource('db:shop', { phase: 'unloaded' })] })
    await openPanel(capture)
    expect(capture.loaded).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Load shop' }))
    expect(capture.loaded).toEqual(['shop'])
  })

  it('says why nothing comes and keeps what is there', async () => {
    const capture = fakeCapture()
    const waiting = fakeSource('db:shop', {
      phase: 'waiting',
      retryAtMs: Date.now() + 8000,
      message: 'The server closed the connection',
    })
    capture.setState({ sources: [waiting, fakeSource('server', { phase: 'refused' })] })
    await openPanel(capture)
    expect(screen.getByText('The server closed the connection')).toBeTruthy()
    expect(screen.getByText(/Trying again in \d s\./)).toBeTruthy()
    expect(screen.getByText(/needs the right Operator/)).toBeTruthy()
    expect(screen.getByRole('row', { name: /Journal write/ })).toBeTruthy()
  })

  it('says that a file of what is watched counts twice', async () => {
    const whole = fakeCapture()
    const io = filledIo(whole.data)
    for (const source of SOURCES) fillIo(io, whole.data, source, 'file:a')
    const capture: FakeCapture = { ...whole, request: requestsOf([io]) }
    await openPanel(capture, { sources: [...SOURCES, 'file:a'] })
    expect(
      await screen.findByText(/^shop, a and Server report the same \d+ environments at the same times$/),
    ).toBeTruthy()
    expect(screen.getByText(/count the same events more than once/)).toBeTruthy()
  })

  it('has words for nothing chosen, nothing yet, and a failed response', async () => {
    renderPanel(<IoPanel panel={ioPanel} />, fakeCapture(), {})
    expect(screen.getByRole('heading', { name: 'Select a database' })).toBeTruthy()
    cleanup()
    const empty = fakeCapture()
    empty.setState({ sources: [fakeSource('db:empty')] })
    renderPanel(<IoPanel panel={ioPanel} />, empty, { sources: ['db:empty'] })
    expect(await screen.findByText(/waiting for the first journal write/)).toBeTruthy()
    cleanup()
    empty.setState({ sources: [fakeSource('db:empty', { phase: 'connecting', frames: 0 })] })
    renderPanel(<IoPanel panel={ioPanel} />, empty, { sources: ['db:empty'] })
    expect(await screen.findByText('Waiting for the first response of empty …')).toBeTruthy()
    cleanup()
    empty.setState({ sources: [fakeSource('db:empty', { phase: 'unloaded', frames: 0 })] })
    renderPanel(<IoPanel panel={ioPanel} />, empty, { sources: ['db:empty'] })
    expect(await screen.findByText('empty is idle: not loaded on the server')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Load empty' })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'No I/O yet' })).toBeNull()
    cleanup()
    const broken = fakeCapture()
    broken.failWith({
      endpoint: 'io.lanes',
      status: null,
      message: 'The capture could not answer.',
      serverMessage: null,
      hint: 'Reload the page.',
    })
    renderPanel(<IoPanel panel={ioPanel} />, broken, { sources: SOURCES })
    expect(await screen.findByText('The capture could not answer.')).toBeTruthy()
  })

  it('says in sight that marks could not be computed, instead of lanes that look idle', async () => {
    const whole = fakeCapture()
    const info = { endpoint: 'io.marks', status: null, message: 'No marks.', serverMessage: null, hint: '' }
    const broken: CaptureClient = {
      ...whole,
      request: (name, ...rest) =>
        name === 'io.marks' ? Promise.reject(new CaptureError(info)) : whole.request(name, ...rest),
    }
    renderPanel(<IoPanel panel={ioPanel} />, broken, { sources: SOURCES })
    expect((await screen.findByRole('alert')).textContent).toBe('The marks are not up to date: No marks.')
  })
})

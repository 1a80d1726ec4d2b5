import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { generateServer, SERVER_NOW, serverCapture, type ServerScene } from '../../../testing/generated-server.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { unanswered } from '../../../testing/stub-capture.ts'
import { readStored } from '../../../ui/storage.ts'
import { serverPanel } from '../panel.ts'
import ServerPanel from './ServerPanel.tsx'

afterEach(cleanup)

const range = { startTicks: (SERVER_NOW - 1800 * TICKS_PER_SECOND) as Ticks, endTicks: SERVER_NOW }

function open(scene: ServerScene, params: Readonly<Record<string, string>> = {}) {
  const capture = serverCapture(generateServer(scene))
  return { capture, stage: renderPanel(<ServerPanel panel={serverPanel} />, capture, { range, params }) }
}

describe('the server panel', () => {
  it('describes the server in a sentence and its memory as one bar with its source and the low-memory limit', async () => {
    open('healthy')
    expect(await screen.findByText(/^The machine is 19 % busy, 12 % with this server/)).toBeTruthy()
    const memory = await screen.findByRole('region', { name: 'Memory' })
    const bar = within(memory).getByRole('img')
    expect(bar.getAttribute('aria-label')).toContain('Generation 2 ')
    expect(bar.getAttribute('aria-label')).toContain('Compiled code 110 MiB')
    const figure = (name: string): string =>
      within(within(memory).getByRole('group', { name: 'Figures of memory' })).getByText(name, { selector: 'dt' })
        .nextElementSibling!.textContent
    expect(figure('Private')).toBe('2.01 GiB')
    expect(figure('Available')).toBe('15.4 GiB')
    expect(figure('Free')).toBe('9.00 GiB')
    expect(memory.textContent).toContain('Low-memory limit 2.00 GiB available (default). As the kernel reports')
    expect(memory.textContent).not.toContain('quarter')
    expect(within(memory).getByText('enough')).toBeTruthy()
  })

  it('draws what there is over time, and describes the point under the pointer', async () => {
    const { stage } = open('healthy')
    const plot = await screen.findByRole('application', { name: 'Figures of the server over time' })
    expect(await screen.findByRole('button', { name: 'Requests and writes' })).toBeTruthy()
    await screen.findByText('Recent mean duration')
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
    fireEvent.pointerMove(plot, { clientX: 900, clientY: 60, pointerType: 'mouse' })
    const card = await screen.findByRole('tooltip')
    expect(card.textContent).toContain('CPU')
    await waitFor(() => expect(card.textContent).toContain('Samples'))
    expect(card.textContent).toMatch(/Each point is \d+ s, from what was kept every 1 s/)
    const texts = [...stage.recordings.values()].flatMap((recording) => recording.texts())
    expect(texts).toContain('100 %')
    expect(texts).toContain('tab was hidden')
  })

  it('shows how the writes of databases at work are merged, and measures latencies at a click only', async () => {
    const { capture } = open('trouble')
    const merger = await screen.findByRole('region', { name: 'Transaction merger' })
    const orders = within(merger).getByRole('row', { name: /Orders/ })
    expect(
      within(orders)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['640', '97.2 %', '51', '2.14 s'])
    const latency = screen.getByRole('region', { name: 'Latency of requests' })
    expect(await within(latency).findByRole('row', { name: /Queries 412/ })).toBeTruthy()
    const started = () =>
      capture.calls.filter(([name, ask]) => name === 'server.latency' && (ask as { readonly start: boolean }).start)
    expect(started()).toEqual([])
    await userEvent.setup().click(within(latency).getByRole('button', { name: 'Measure for 10 s' }))
    expect(started()).toHaveLength(1)
  })

  it('says why latencies could not be measured', async () => {
    const { capture } = open('trouble')
    const latency = await screen.findByRole('region', { name: 'Latency of requests' })
    capture.responses.set('server.latency', () => {
      throw new Error('the worker is gone.')
    })
    await userEvent.setup().click(within(latency).getByRole('button', { name: 'Measure for 10 s' }))
    expect((await within(latency).findByRole('alert')).textContent).toContain('Could not measure: the worker is gone.')
  })

  it('opens and closes groups, and keeps that in the link', async () => {
    const { stage } = open('healthy')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Requests and writes' }))
    expect(stage.view().params['server.closed']).toBe('gc,merger,network,requests')
    expect(screen.getByRole('button', { name: 'Requests and writes' }).getAttribute('aria-expanded')).toBe('false')
  })

  it('has the same figures as a table', async () => {
    open('healthy', { 'server.table': 'on' })
    const table = await screen.findByRole('table', { name: 'Figures of every series in the range in view' })
    const row = await within(table).findByRole('row', { name: /Recent mean duration/ })
    expect(row.textContent).toMatch(/ms/)
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((each) => each.textContent),
    ).toEqual(['Series', 'Newest', 'Least', 'Mean', 'Largest', 'Samples', 'Kept every'])
  })

  it('shows volumes, collections, credits and low memory beside it', async () => {
    open('trouble')
    const volumes = await screen.findByRole('region', { name: 'Volumes' })
    expect(volumes.textContent).toContain('11.0 GiB free of 931 GiB')
    expect(volumes.textContent).toContain('full in 1 h 30 min')
    expect(volumes.textContent).toContain('<img src=x onerror=alert(1)>')
    const credits = screen.getByRole('region', { name: 'CPU credits' })
    expect(credits.textContent).toContain('18.4 of 576 left. At this rate they are used up in 4 min 8 s.')
    expect(screen.getByRole('region', { name: 'Garbage collection' }).textContent).toContain('1.24 s')
    // The right for it is missing: it is said once, and there is no empty card.
    expect(screen.queryByRole('region', { name: 'Low-memory events' })).toBeNull()
    expect(screen.getAllByText(/Operator/)).toHaveLength(1)
  })

  it('tells what a volume has left, by what was seen or by limits that stay', async () => {
    open('healthy')
    const ceiling = await screen.findByRole('group', { name: /^Ceiling of / })
    await waitFor(() =>
      expect(ceiling.textContent).toMatch(/IOPS[\d.,]+ of [\d.,]+ IOPS seen \([\d.]+ %\), at least [\d.,]+ left/),
    )
    expect(ceiling.textContent).toContain('the volume may do more')
    const user = userEvent.setup()
    await user.click(within(ceiling).getByText('Limits of this volume'))
    await user.type(within(ceiling).getByLabelText(/IOPS limit/), '5000{Enter}')
    await waitFor(() => expect(ceiling.textContent).toContain('of 5,000 IOPS'))
    cleanup()
    open('healthy')
    const again = await screen.findByRole('group', { name: /^Ceiling of / })
    await waitFor(() => expect(again.textContent).toContain('of 5,000 IOPS'))
  })

  it('goes to a low-memory event', async () => {
    const { stage } = open('healthy')
    const events = await screen.findByRole('region', { name: 'Low-memory events' })
    await userEvent.setup().click(within(events).getByRole('button', { name: '2026-11-20 02:41:30' }))
    const shown = stage.view().range!
    expect((shown.startTicks + shown.endTicks) / 2).toBe(SERVER_NOW - 93 * 60 * TICKS_PER_SECOND)
  })

  it('shows the nodes side by side, and why one’s figures cannot be had', async () => {
    open('trouble', { 'server.view': 'cluster' })
    const table = await screen.findByRole('table', { name: 'Nodes of the cluster, side by side' })
    expect(within(table).getAllByRole('columnheader')).toHaveLength(4)
    const cpu = within(table).getByRole('row', { name: /^CPU of the machine/ })
    expect(
      within(cpu)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['19 %', '40 %', '—'])
    expect(screen.getByText(/clearance ClusterAdmin/)).toBeTruthy()
  })

  it('shows what the server raised, as text', async () => {
    open('trouble', { 'server.view': 'alerts' })
    expect(await screen.findByText('<b>Slow</b> I/O')).toBeTruthy()
    expect(screen.getByText('3 alerts not dismissed, newest first.')).toBeTruthy()
    cleanup()
    open('healthy', { 'server.view': 'alerts' })
    expect(await screen.findByRole('heading', { name: 'The server has raised no alert' })).toBeTruthy()
  })

  it('shows the monitoring overhead, and takes other limits', async () => {
    const { capture } = open('healthy', { 'server.view': 'overhead' })
    const field = await screen.findByRole('textbox', { name: 'Limit for everything else' })
    const user = userEvent.setup()
    await screen.findByDisplayValue('0.5')
    await user.clear(field)
    await user.type(field, '2{Enter}')
    expect(capture.calls).toContainEqual(['governor.limits', { attended: 0.02, background: 0.02 }])
    expect(readStored('overhead-limits')).toBe('{"attended":0.02,"background":0.02}')
    const { meter } = capture.getState()
    const limits = { attended: 0.02, background: 0.02 }
    act(() => capture.setState({ meter: { ...meter, cost: { ...meter.cost, limits } } }))
    await user.click(screen.getByRole('button', { name: 'Back to 2.00 % and 0.50 %' }))
    expect(readStored('overhead-limits')).toBe('{"attended":0.02,"background":0.005}')
    await user.type(field, '00{Enter}')
    expect(screen.getByRole('alert').textContent).toBe('At most 20.')
    expect(screen.getByText('Databases loaded by this page').nextSibling?.textContent).toBe('0')
    await user.click(screen.getByRole('checkbox', { name: 'Go on collecting when no page shows it' }))
    expect(capture.calls).toContainEqual(['server.record', { on: true }])
  })

  it('says that nothing has arrived yet', async () => {
    open('silent')
    expect(await screen.findByRole('heading', { name: 'Nothing has arrived yet' })).toBeTruthy()
  })

  it('does not say that figures come soon from a server that does not answer', async () => {
    const capture = serverCapture(generateServer('silent'))
    capture.setState({ serverError: unanswered })
    renderPanel(<ServerPanel panel={serverPanel} />, capture, {})
    expect(await screen.findByText('No figures of the server: it does not answer.')).toBeTruthy()
    expect(screen.getByText(/once the server answers/)).toBeTruthy()
  })

  it('says of a pause by the overhead limit that it is one, and ends it at a click', async () => {
    const server = generateServer('healthy')
    const message = 'It takes 0.99 % of a core of the server while open, more than the overhead limit leaves for it.'
    const watch = { ...server.now.watch, phase: 'paused-by-rookery', message }
    const capture = serverCapture({ ...server, now: { ...server.now, watch } })
    renderPanel(<ServerPanel panel={serverPanel} />, capture, {})
    expect(await screen.findByText('Paused by Rookery (overhead limit)')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Resume now' }))
    expect(capture.calls).toContainEqual(['governor.resume', null])
    expect(screen.getByText(message)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull()
  })

  it('says since when it is watched where the view begins before', async () => {
    open('healthy', {})
    expect(screen.queryByText(/^No data before/)).toBeNull()
    cleanup()
    const server = generateServer('healthy')
    const extent = { startTicks: (SERVER_NOW - 20 * TICKS_PER_SECOND) as Ticks, endTicks: SERVER_NOW }
    renderPanel(<ServerPanel panel={serverPanel} />, serverCapture({ ...server, now: { ...server.now, extent } }), {})
    expect(await screen.findByText(/^No data before 04:14:10\./)).toBeTruthy()
  })
})

describe('a card that a link means', () => {
  it('is marked where it is there, and explained where the server reports nothing for it', async () => {
    const open = (label: string) =>
      renderPanel(<ServerPanel panel={serverPanel} />, serverCapture(generateServer('healthy')), {
        params: { 'server.show': label },
      })
    open('Volumes')
    expect((await screen.findByRole('region', { name: 'Volumes' })).getAttribute('aria-current')).toBe('true')
    expect(screen.queryByText(/^The link leads to/)).toBeNull()
    cleanup()
    const stage = open('CPU credits')
    expect(
      await screen.findByText(/^The link leads to “CPU credits”, of which the server reports nothing now\./),
    ).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(stage.view().params['server.show']).toBeUndefined()
  })
})

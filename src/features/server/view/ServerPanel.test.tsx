import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { msFromTicks, type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { FakeServer, healthyServer, troubledServer } from '../../../testing/server/fake-server.ts'
import { secondsAgo, SERVER_NOW } from '../../../testing/server/server-load.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { unanswered } from '../../../testing/stub-capture.ts'
import { readStored } from '../../../ui/storage.ts'
import { clusterPanel, serverPanel } from '../panel.ts'
import ClusterPanel from './ClusterPanel.tsx'
import ServerPanel from './ServerPanel.tsx'

// The clock of the page goes on from where that of the server stopped.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: msFromTicks(SERVER_NOW) }))
afterEach(() => {
  vi.useRealTimers()
})

const healthy = await healthyServer()
const troubled = await troubledServer()
const range = { startTicks: (SERVER_NOW - 1800 * TICKS_PER_SECOND) as Ticks, endTicks: SERVER_NOW }

function open(
  server: FakeServer,
  params: Readonly<Record<string, string>> = {},
  panel = <ServerPanel panel={serverPanel} />,
) {
  const capture = server.capture()
  return { capture, stage: renderPanel(panel, capture, { range, params }) }
}

describe('the server panel', () => {
  it('describes the server in a sentence and its memory as one bar with its source and the low-memory limit', async () => {
    open(healthy)
    await waitFor(() =>
      expect(screen.getAllByRole('status').map((each) => each.textContent)).toContainEqual(
        expect.stringMatching(/^The machine is 19 % busy, this server uses 12 %/),
      ),
    )
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
    await waitFor(() =>
      expect(memory.textContent).toContain('Low-memory limit 2.00 GiB available (default). As the kernel reports'),
    )
    expect(memory.textContent).not.toContain('quarter')
    expect(within(memory).getByText('enough')).toBeTruthy()
  })

  it('draws what there is over time, and describes the point under the pointer', async () => {
    const server = new FakeServer({ seconds: 240 })
    await server.watch(60)
    await server.hide(30)
    await server.watch(150)
    const stage = renderPanel(<ServerPanel panel={serverPanel} />, server.capture(), {
      range: { startTicks: secondsAgo(240), endTicks: SERVER_NOW },
    })
    const plot = await screen.findByRole('application', { name: 'Figures of the server over time' })
    expect(await screen.findByRole('button', { name: 'Requests and writes' })).toBeTruthy()
    await screen.findByText('Recent mean')
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
    const server = await troubledServer(60)
    open(server)
    const merger = await screen.findByRole('region', { name: 'Transaction merger' })
    const orders = within(merger).getByRole('row', { name: /Orders/ })
    expect(
      within(orders)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['640', '97.2 %', '51', '2.14 s'])
    const latency = screen.getByRole('region', { name: 'Latency of requests' })
    const listening = () =>
      server.raven.sockets.filter(({ url, readyState }) => url.includes('traffic-watch') && readyState < 2)
    expect(latency.textContent).toContain('reads every request for ten seconds')
    // Triage looks for writes that fail, a few requests at a time.
    expect(listening()).toHaveLength(1)
    await userEvent.setup().click(within(latency).getByRole('button', { name: 'Measure for 10 s' }))
    await waitFor(() => expect(listening()).toHaveLength(2))
    const socket = listening().at(-1)
    socket!.accept()
    const request = { TrafficWatchType: 'Http', Type: 'Queries' }
    for (let row = 1; row <= 412; row++)
      socket!.frame(
        JSON.stringify({ ...request, ElapsedMilliseconds: row, ResponseStatusCode: row % 100 === 0 ? 500 : 200 }),
      )
    await server.pass(11)
    const row = await within(latency).findByRole('row', { name: /^Queries 412/ })
    expect(
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['412', '206 ms', '392 ms', '408 ms', '412 ms'])
    expect(within(row).getByText('412').getAttribute('title')).toBe('4 of them failed')
    expect(latency.textContent).toContain('412 requests')
    expect(socket!.readyState).toBe(3)
  })

  it('says why latencies could not be measured', async () => {
    const { capture } = open(troubled)
    const latency = await screen.findByRole('region', { name: 'Latency of requests' })
    capture.responses.set('server.latency', () => {
      throw new Error('the worker is gone.')
    })
    await userEvent.setup().click(within(latency).getByRole('button', { name: 'Measure for 10 s' }))
    expect((await within(latency).findByRole('alert')).textContent).toContain('Could not measure: the worker is gone.')
  })

  it('opens and closes groups, and keeps that in the link', async () => {
    const { stage } = open(healthy)
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Requests and writes' }))
    expect(stage.view().params['server.closed']).toBe('gc,merger,network,requests')
    expect(screen.getByRole('button', { name: 'Requests and writes' }).getAttribute('aria-expanded')).toBe('false')
  })

  it('continues its charts by what limited the server, its operations, and any lane that is added', async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
    const { stage } = open(healthy)
    const below = within(await screen.findByRole('region', { name: 'Lanes below the charts' }))
    const namesOf = () => below.getAllByRole('button', { expanded: true }).map(({ textContent }) => textContent)
    await waitFor(() =>
      expect(namesOf()).toEqual([expect.stringContaining('Bottleneck'), expect.stringContaining('Operations')]),
    )
    await user.click(below.getByRole('button', { name: 'Add lane' }))
    await user.type(screen.getByRole('searchbox', { name: 'Find a lane' }), 'journal{Enter}')
    expect(stage.view().params['server.composed']).toBe('server.bottleneck,server.operations,io.journals')
  })

  it('has the same figures as a table', async () => {
    open(healthy, { 'server.table': 'on' })
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
    open(troubled)
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
    open(healthy)
    const name = 'Ceiling of /var/lib/ravendb'
    const ceiling = await screen.findByRole('group', { name })
    await waitFor(() => expect(ceiling.textContent).toContain('IOPS351 of 661 IOPS seen (53.1 %), at least 310 left'))
    expect(ceiling.textContent).toContain('the volume may do more')
    const user = userEvent.setup()
    await user.click(within(ceiling).getByText('Limits of this volume'))
    await user.type(within(ceiling).getByLabelText(/IOPS limit/), '5000{Enter}')
    await waitFor(() => expect(ceiling.textContent).toContain('of 5,000 IOPS'))
    cleanup()
    open(healthy)
    const again = await screen.findByRole('group', { name })
    await waitFor(() => expect(again.textContent).toContain('of 5,000 IOPS'))
  })

  it('goes to a low-memory event', async () => {
    const { stage } = open(healthy)
    const events = await screen.findByRole('region', { name: 'Low-memory events' })
    await userEvent.setup().click(within(events).getByRole('button', { name: '2026-11-20 02:41:30' }))
    const shown = stage.view().range!
    expect((shown.startTicks + shown.endTicks) / 2).toBe(SERVER_NOW - 93 * 60 * TICKS_PER_SECOND)
  })

  it('shows the nodes side by side, and why one’s figures cannot be had', async () => {
    open(troubled, {}, <ClusterPanel panel={clusterPanel} />)
    const table = await screen.findByRole('table', { name: 'Nodes of the cluster, side by side' })
    expect(within(table).getAllByRole('columnheader')).toHaveLength(4)
    const cpu = within(table).getByRole('row', { name: /^CPU of the machine/ })
    expect(
      within(cpu)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['97 %', '40 %', '—'])
    expect(
      screen.getByText(/wants a ClusterAdmin certificate for it\. The leader reports: Connection refused/),
    ).toBeTruthy()
  })

  it('shows what the server raised, as text', async () => {
    open(troubled, { 'server.view': 'alerts' })
    expect(await screen.findByText('<b>Slow</b> I/O')).toBeTruthy()
    expect(screen.getByText('3 alerts not dismissed, newest first.')).toBeTruthy()
    cleanup()
    open(healthy, { 'server.view': 'alerts' })
    expect(await screen.findByRole('heading', { name: 'The server has raised no alert' })).toBeTruthy()
  })

  it('shows the monitoring overhead, and takes other limits', async () => {
    const { capture } = open(healthy, { 'server.view': 'overhead' })
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
    open(new FakeServer({ seconds: 0 }))
    expect(await screen.findByRole('heading', { name: 'Nothing has arrived yet' })).toBeTruthy()
  })

  it('does not say that figures come soon from a server that does not answer', async () => {
    const capture = new FakeServer({ seconds: 0 }).capture()
    capture.setState({ serverError: unanswered })
    renderPanel(<ServerPanel panel={serverPanel} />, capture, {})
    expect(await screen.findByText('No figures of the server: it does not answer.')).toBeTruthy()
    expect(screen.getByText(/once the server answers/)).toBeTruthy()
  })

  it('says of a pause by the overhead limit that it is one, and ends it at a click', async () => {
    const server = new FakeServer({ seconds: 400 })
    server.governor.overhead.setLimits({ attended: 0.0005, background: 0.0005 })
    const isPaused = () => server.governor.meter().cost.pausedSockets.length > 0
    while (!isPaused() && server.nowTicks < SERVER_NOW) await server.watch(1)
    const capture = server.capture()
    renderPanel(<ServerPanel panel={serverPanel} />, capture, {})
    expect(await screen.findByText('Paused by Rookery (overhead limit)')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Resume now' }))
    expect(capture.calls).toContainEqual(['governor.resume', null])
    expect(
      screen.getByText(
        /^It takes [\d.]+ % of a core of the server while open, more than the overhead limit leaves for it\.$/,
      ),
    ).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull()
  })

  it('says since when it is watched where the view begins before', async () => {
    const stage = open(healthy, {}).stage
    // Watched since 04:13:00; mergers report their last 20 s, of which the longest sums are of whole minutes.
    expect((await screen.findByText(/Lines are means/)).textContent).toMatch(/^No data before 04:12:00\. Lines/)
    act(() => stage.unmount())
    const within = { startTicks: secondsAgo(60), endTicks: SERVER_NOW }
    renderPanel(<ServerPanel panel={serverPanel} />, healthy.capture(), { range: within })
    await screen.findByText(/Lines are means/)
    expect(screen.queryByText(/No data before/)).toBeNull()
  })
})

describe('a card that a link means', () => {
  it('is marked where it is there, and explained where the server reports nothing for it', async () => {
    const open = (label: string) =>
      renderPanel(<ServerPanel panel={serverPanel} />, healthy.capture(), {
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

import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { msFromTicks, type Ticks, TICKS_PER_SECOND, type TickSpan } from '../../../base/ticks.ts'
import type { CaptureClient } from '../../../capture/client/client.ts'
import { ViewContext, type ViewStore } from '../../../capture/client/view.ts'
import { CaptureProvider } from '../../../testing/CaptureProvider.tsx'
import { json, never } from '../../../testing/fake-raven.ts'
import { FakeServer, healthyServer, troubledServer } from '../../../testing/server/fake-server.ts'
import { AllPanels } from '../../../testing/panel-stage.tsx'
import { recordedJson } from '../../../testing/recorded.ts'
import { serverTime } from '../../../testing/server/server-frames.ts'
import { HEALTHY, SERVER_NOW, type FakeDatabase } from '../../../testing/server/server-load.ts'
import { stubCapture, unanswered } from '../../../testing/stub-capture.ts'
import { triagePanel } from '../panel.ts'
import TriagePanel from './TriagePanel.tsx'

const open = vi.fn<ViewStore['open']>()

function show(capture: CaptureClient) {
  const store: ViewStore = {
    view: {
      sources: [],
      database: null,
      range: null,
      liveSpan: 600_000_000 as TickSpan,
      selection: null,
      clock: 'utc',
      params: {},
    },
    change: () => undefined,
    open,
    href: (panel) => `#/${panel}`,
  }
  return render(
    <ViewContext value={store}>
      <CaptureProvider capture={capture}>
        <AllPanels>
          <TriagePanel panel={triagePanel} />
        </AllPanels>
      </CaptureProvider>
    </ViewContext>,
  )
}

/** The clock of the page goes on from where that of the server stopped. */
const startClock = (atMs = msFromTicks(SERVER_NOW)): void =>
  void vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: atMs })

beforeEach(() => startClock())
afterEach(() => {
  open.mockReset()
  vi.useRealTimers()
})

const healthy = await healthyServer()
const troubled = await troubledServer()
const aroundTicks = 5 * 60 * TICKS_PER_SECOND

describe('triage', () => {
  it('is calm when all is well: a sentence, the vital signs, nothing else', async () => {
    show(healthy.capture())
    expect((await screen.findByText(/^No issues found/)).textContent).toBe(
      'No issues found by 24 of 27 checks: 8 of 12 databases loaded, CPU at 19 %, 1,340 requests a second.',
    )
    expect(screen.queryByRole('alert')).toBeNull()
    const vital = await screen.findByRole('region', { name: 'Vital signs' })
    expect(vital.textContent).toContain('19 %')
    expect(vital.textContent).toContain('9.00 GiB')
    expect(screen.queryByText('critical')).toBeNull()
  })

  it('says what limits the server, since when and by which figures', async () => {
    show(healthy.capture())
    const limit = async () => (await screen.findByRole('note', { name: 'Bottleneck' })).textContent
    expect(await limit()).toBe(
      'The server waits for its clients since 04:13:00: The busiest transaction merger waited for writes 83.8 % of the time, executed transactions 6.93 %, committed 9.26 %. About 410 /s written.',
    )
    cleanup()
    show(troubled.capture())
    expect(await limit()).toMatch(
      /^CPU credits is the limit since 04:04:30: 18\.4 CPU credits left; below 24 the server holds back\.How is this judged.*Also at its limit in that time: .* Queue of \/var\/lib\/ravendb: 47\.0 requests on average\./,
    )
  })

  it('calls nothing well before there are figures, which are on screen within tenths of a second of their arrival', async () => {
    const server = new FakeServer({ seconds: 90 })
    await server.feed.later()
    server.feed.begin(server.governor)
    await server.raven.clock.advance(1000)
    const dashboard = server.raven.sockets.find(({ url }) => url.includes('cluster-dashboard'))!
    dashboard.accept()
    dashboard.frame(JSON.stringify(serverTime(server.nowTicks)))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
    vi.setSystemTime(server.raven.clock.nowMs + 100)
    /** React renders in turns of its own, which no timer waits for. */
    const goOn = async (forMs: number): Promise<void> => {
      for (let ms = 0; ms < forMs; ms += 50) {
        await vi.advanceTimersByTimeAsync(50)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const capture = server.capture()
    const { container } = show(capture)
    const sentence = (): HTMLElement | null => container.querySelector('header p')
    await goOn(100)
    expect(sentence()?.textContent).toBe('No figures from the server yet.')
    expect(sentence()?.querySelector('[data-verdict]')?.getAttribute('data-verdict')).toBe('open')
    await server.pass(1)
    await goOn(350)
    expect(sentence()?.textContent).toMatch(/^Checking: \d+ of \d+\. 8 of 12 databases loaded/)
    const requested = () => capture.calls.filter(([name]) => name === 'triage.now').length
    const before = requested()
    await goOn(400)
    expect(requested()).toBe(before)
  })

  it('keeps the collecting on, and asks nothing of a database that is not used', async () => {
    const server = await healthyServer(30)
    const capture = server.capture()
    show(capture)
    await screen.findByText(/^No issues found/)
    const names = new Set(capture.calls.map(([name]) => name))
    expect(names.has('server.want')).toBe(true)
    expect([...names].every((name) => /^(server|triage)\./.test(name))).toBe(true)
    await server.pass(25)
    expect(server.feed.responses['server.now'](null, server.governor).watch.role).toBe('leader')
    const requested = server.raven.paths(/^\/databases\//).map((path) => path.split('/')[2])
    expect(new Set(requested)).toEqual(new Set(['Orders', 'Users', 'tenant-3', 'tenant-4']))
    expect(server.raven.loads).toEqual([])
  })

  it('keeps the result of a check, with its time, while another panel is shown', async () => {
    const server = await healthyServer(30)
    const capture = server.capture()
    show(capture)
    await userEvent.click(await screen.findByRole('button', { name: 'Run more checks' }))
    const judged = /^Judged by what 8 loaded databases and the server answered at /
    const result = await waitFor(
      async () => {
        await server.pass(1)
        return screen.getByText(judged)
      },
      { timeout: 30_000 },
    )
    const words = result.textContent
    expect(words).toContain('4 databases that are not loaded were left alone.')
    cleanup()
    show(capture)
    expect((await screen.findByText(/^Judged by what/)).textContent).toBe(words)
    expect(screen.getByRole('button', { name: 'Check again' })).toBeTruthy()
    expect(capture.calls.filter(([name]) => name === 'triage.check')).toHaveLength(1)
  }, 40_000)

  it('lists the worst first, each with since when, evidence and its reason', async () => {
    show(troubled.capture())
    const [first] = await screen.findAllByRole('list')
    const titlesIn = (list: HTMLElement) =>
      within(list)
        .getAllByRole('heading', { level: 2 })
        .map((heading) => heading.textContent)
    expect(titlesIn(first!)).toEqual([
      'The database “archive-2019” failed to load.',
      'CPU credits are nearly used up, and the server holds back.',
      'The server is low on memory.',
      'Node C is out of reach of the leader.',
      'The index “Orders/Totals” of “Orders” stopped with errors.',
    ])
    expect(first!.textContent).toContain('since 04:04:35 (9 min)')
    expect(first!.textContent).toContain('Journal 0000000000000000012.journal is corrupt at 4,096')
    expect(first!.textContent).toContain('No client can read or write it until the cause is removed')
    const fold = screen.getByText('11 more findings, less urgent').closest('details')!
    const [more] = within(fold).getAllByRole('list')
    expect(titlesIn(more!)).toContain('The disk /var/lib/ravendb will be full in 1 h 30 min.')
    expect(more!.textContent).toContain('since before 04:02:35')
    expect(screen.getByText('The database “archive-2019” failed to load. 12 more issues.')).toBeTruthy()
  })

  it('leads to the right panel at the right time', async () => {
    show(troubled.capture())
    const [first] = await screen.findAllByRole('list')
    const user = userEvent.setup()
    const link = within(first!).getByRole('link', { name: 'Open Indexing' })
    expect(link.getAttribute('href')).toBe('#/indexing')
    await user.click(link)
    const index = 'db:Orders|Orders/Totals'
    expect(open).toHaveBeenLastCalledWith('indexing', {
      params: {
        'indexing.view': '',
        'indexing.find': '',
        'indexing.focus': index,
        'indexing.open': index,
        'indexing.errors': 'on',
      },
      sources: ['db:Orders'],
      range: null,
      selection: null,
    })
    await user.click(within(first!).getAllByRole('link', { name: 'Orders' })[0]!)
    expect(open).toHaveBeenLastCalledWith('database', { database: 'Orders' })
    await user.click(within(first!).getByRole('link', { name: 'Open Vitals at that time' }))
    const { items } = await troubled.capture().request('triage.now', null)
    expect(open).toHaveBeenLastCalledWith('server', {
      params: { 'server.view': '', 'server.show': 'Memory' },
      range: items.find(({ rule }) => rule === 'low-memory')!.link.range,
      selection: null,
    })
  })

  it('has the way to all databases, and without a server to files', async () => {
    show(healthy.capture())
    const way = await screen.findByRole('link', { name: 'All databases' })
    await userEvent.setup().click(way)
    expect(open).toHaveBeenCalledWith('databases', {})
    cleanup()

    const silent = stubCapture()
    silent.setState({ serverError: unanswered })
    show(silent)
    expect(screen.getByRole('heading', { name: 'No server answers here' })).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Open files' }))
    expect(open).toHaveBeenLastCalledWith('files', { params: { 'files.focus': 'drop' } })
  })

  it('says once what could not be judged and what is lacking', async () => {
    const server = new FakeServer({ seconds: 60 })
    server.raven.on(/low-mem-log/, () => json(recordedJson('7.1', 'error-403-operator-required.json'), 403))
    server.raven.on(/tcp\/stats/, () => json(recordedJson('7.1', 'error-route-not-found.json'), 404))
    await server.watch(60)
    show(server.capture())
    expect(
      await screen.findByText(
        /^2 checks could not be judged: writes to disk take long; commits are held up\. \d checks? judged without a history that is long enough: /,
      ),
    ).toBeTruthy()
    // The missing right is among the findings already.
    expect(screen.getByText('Not shown here: network')).toBeTruthy()
    expect(screen.getByText('The certificate may not see 1 thing.')).toBeTruthy()
    expect(screen.getByText('The server reports to this certificate only the databases that it may read.')).toBeTruthy()
    expect(screen.getByText('How this is judged: 27 rules')).toBeTruthy()
  })

  it('says that it waits, and how old its figures are when the server is gone', async () => {
    show(stubCapture())
    expect(screen.getByText(/^Requesting the state of the server/)).toBeTruthy()
    expect(screen.queryByText(/could not be judged/)).toBeNull()
    cleanup()

    const justGone = healthy.capture()
    justGone.setState({ serverError: unanswered })
    show(justGone)
    expect(await screen.findByText(/^The server does not answer. Last known: No issues found/)).toBeTruthy()
    cleanup()

    startClock(msFromTicks(SERVER_NOW) + 134_000)
    const gone = healthy.capture()
    gone.setState({ serverError: unanswered })
    show(gone)
    expect(await screen.findByText(/^As of 2 min 1\d s ago: No issues found/)).toBeTruthy()
    cleanup()

    const server = await troubledServer(60)
    server.raven.on(/./, never)
    await server.raven.clock.advance(15_000)
    startClock(server.raven.clock.nowMs)
    const found = server.capture()
    found.setState({ serverError: unanswered })
    show(found)
    expect((await screen.findByText(/^The server has been unresponsive .* more issues/)).textContent).toMatch(
      /^The server has been unresponsive for 15\.0 s\. \d+ more issues\.$/,
    )
  })

  it('says why a server that answers gives no figures', async () => {
    const server = new FakeServer({ seconds: 0 })
    server.raven.on(
      /./,
      () => new Response('<html>Forbidden</html>', { status: 403, headers: { 'content-type': 'text/html' } }),
    )
    show(server.capture())
    await screen.findByText(/^Requesting the state/)
    await server.raven.clock.advance(25_000)
    expect(await screen.findByRole('heading', { name: 'No figures from this server' })).toBeTruthy()
    expect(screen.getByText(/^The server answers, but not the requests for its figures\. /)).toBeTruthy()
    expect(screen.queryByText(/^Requesting the state/)).toBeNull()
  })

  it('names the databases that are busiest, and a name opens the page of its database', async () => {
    show(healthy.capture())
    const busiest = await screen.findByRole('region', { name: 'Busiest now' })
    const row = within(busiest).getAllByRole('row')[1]!
    expect(row.textContent).toContain('Orders')
    await userEvent.setup().click(within(row).getByRole('link', { name: 'Orders' }))
    expect(open).toHaveBeenCalledWith('database', { database: 'Orders' })
  })

  it('says that nothing is busy, and of what is not reported that it is unknown', async () => {
    const databases = HEALTHY.databases.map((each) => ({ ...each, requests: 0, writes: 0, indexed: 0 }))
    const idle = new FakeServer({ seconds: 20, loadAt: () => ({ ...HEALTHY, databases }) })
    await idle.watch(20)
    show(idle.capture())
    expect(
      await screen.findByText('No other client reads from or writes to a database, and none is indexed.'),
    ).toBeTruthy()
    cleanup()
    // Only the vital signs, as while another panel is shown.
    const unknown = new FakeServer({ seconds: 20 })
    unknown.feed.begin(unknown.governor)
    await unknown.pass(20)
    show(unknown.capture())
    expect(await screen.findByText('No activity of the databases received yet.')).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Vital signs' }).textContent).toMatch(/Requests[\d.≈ ,]+\/sours included/)
  })

  it('lists what is over by now, as text, the newest first and the way to that time', async () => {
    const { server, stallTicks } = await eventfulServer()
    show(server.capture())
    const happened = await screen.findByRole('region', { name: 'What happened' })
    expect(happened.textContent).toContain('watched since 04:11:01 and, before, until 04:07:00')
    const items = () => within(happened).getAllByRole('listitem')
    expect(items()).toHaveLength(6)
    expect(items()[0]!.textContent).toContain(
      'A journal write of <b>Orders</b> stalled for 9.00 s. · for 9 seconds · 2 times since 04:04:50',
    )
    const user = userEvent.setup()
    await user.click(within(items()[0]!).getByRole('link', { name: /^Open: A journal write of <b>/ }))
    expect(open).toHaveBeenCalledWith('io', {
      params: { 'io.hide': '', 'io.find': '' },
      sources: ['db:Orders'],
      range: { startTicks: stallTicks - aroundTicks / 5, endTicks: stallTicks + aroundTicks / 5 },
      selection: 'stall',
    })
    await user.click(within(happened).getByRole('button', { name: '3 more, older' }))
    await waitFor(() => expect(items()).toHaveLength(9))
    expect(
      items()
        .map((item) => item.querySelector('bdi')!.textContent)
        .slice(1),
    ).toEqual([
      'tenant-7 was created.',
      'tenant-7 was deleted.',
      'tenant-6 was enabled.',
      'tenant-6 and tenant-3 were unloaded.',
      'tenant-6 was disabled.',
      'tenant-5 was loaded.',
      'The server was low on memory.',
      'The server started.',
    ])
    // The day is said where it is another one.
    expect(items()[8]!.textContent).toContain('2026-11-19 08:14:30')
  })

  it('says what nothing means', async () => {
    const server = new FakeServer({ seconds: 20, loadAt: () => ({ ...HEALTHY, lowMemory: [] }) })
    await server.watch(20)
    show(server.capture())
    const happened = await screen.findByRole('region', { name: 'What happened' })
    expect(happened.textContent).toContain('Nothing that is over by now')
  })
})

/** Two visits with four minutes between; a write stalled in each, and databases came and went. */
async function eventfulServer(): Promise<{ readonly server: FakeServer; readonly stallTicks: Ticks }> {
  const changes: readonly (readonly [leftSeconds: number, name: string, parts: Partial<FakeDatabase> | null])[] = [
    [190, 'tenant-3', { isOnline: false }],
    [180, 'tenant-5', { isOnline: true }],
    [170, 'tenant-6', { isDisabled: true, isOnline: false }],
    [160, 'tenant-6', { isDisabled: false, isOnline: false }],
    [150, 'tenant-7', null],
    [140, 'tenant-7', {}],
  ]
  let stallTicks: Ticks | null = null
  const server = new FakeServer({
    seconds: 720,
    startedSeconds: 20 * 3600,
    loadAt: (leftSeconds) => ({
      ...HEALTHY,
      databases: HEALTHY.databases.flatMap((each) => {
        const last = changes.findLast(([at, name]) => at >= leftSeconds && name === each.name)
        return last?.[2] === null ? [] : [{ ...each, ...last?.[2] }]
      }),
    }),
    others: () => ({
      heldUp: null,
      slowCommits: null,
      isIoAwaited: false,
      unwatched: [],
      indexes: null,
      slowWrites:
        stallTicks === null
          ? []
          : [
              {
                source: 'db:Orders',
                environment: '<b>Orders</b>',
                kind: 'JournalWrite',
                startTicks: stallTicks,
                durationTicks: (9 * TICKS_PER_SECOND) as TickSpan,
                endsWithSync: false,
                selection: 'stall',
              },
            ],
    }),
  })
  const stall = async (): Promise<void> => {
    stallTicks = server.nowTicks
    await server.watch(20)
    stallTicks = null
  }
  await server.watch(140)
  await stall()
  await server.watch(110)
  await server.leave(240)
  await server.watch(100)
  const last = server.nowTicks
  await stall()
  await server.watch(90)
  return { server, stallTicks: last }
}

import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { TickSpan } from '../../../../base/ticks.ts'
import type { CaptureClient } from '../../../../capture/client/client.ts'
import { CaptureProvider } from '../../../../testing/CaptureProvider.tsx'
import { ViewContext, type ViewStore } from '../../../../capture/client/view.ts'
import { AllPanels } from '../../../../testing/panel-stage.tsx'
import { triagePanel } from '../../panel.ts'
import { generateServer, serverCapture } from '../../../../testing/generated-server.ts'
import { unanswered } from '../../../../testing/stub-capture.ts'
import TriagePanel from './TriagePanel.tsx'

const open = vi.fn<ViewStore['open']>()

function show(capture: CaptureClient) {
  const store: ViewStore = {
    view: { sources: [], range: null, liveSpan: 600_000_000 as TickSpan, selection: null, clock: 'utc', params: {} },
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

afterEach(() => {
  cleanup()
  open.mockReset()
})

describe('triage', () => {
  it('is calm when all is well: a sentence, the vital signs, nothing else', async () => {
    const capture = serverCapture(generateServer('healthy'))
    show(capture)
    expect(await screen.findByText(/^All is well/)).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    const vital = await screen.findByRole('region', { name: 'Vital signs' })
    expect(vital.textContent).toContain('19 %')
    expect(vital.textContent).toContain('9.00 GiB')
    expect(screen.queryByText('critical')).toBeNull()
  })

  it('calls nothing well before there are figures, which are on screen within tenths of a second of their arrival', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
    vi.setSystemTime(1_800_000_000_100)
    /** React renders in turns of its own, which no timer waits for. */
    const goOn = async (forMs: number): Promise<void> => {
      for (let ms = 0; ms < forMs; ms += 50) {
        await vi.advanceTimersByTimeAsync(50)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    try {
      const server = generateServer('healthy')
      const capture = serverCapture(server)
      let isThere = false
      const waiting = { calm: false, hasFigures: false, sentence: 'No figures from the server yet.' }
      capture.responses.set('server.triage', () => (isThere ? server.triage : { ...server.triage, ...waiting }))
      const { container } = show(capture)
      const sentence = (): HTMLElement | null => container.querySelector('header p')
      await goOn(100)
      expect(sentence()?.textContent).toBe('No figures from the server yet.')
      expect(sentence()?.querySelector('svg')).toBeNull()
      isThere = true
      await goOn(350)
      expect(sentence()?.textContent).toMatch(/^All is well/)
      const asked = () => capture.calls.filter(([name]) => name === 'server.triage').length
      const before = asked()
      await goOn(400)
      expect(asked()).toBe(before)
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps the collecting on, and asks nothing of a database', async () => {
    const capture = serverCapture(generateServer('healthy'))
    show(capture)
    await screen.findByText(/^All is well/)
    const names = new Set(capture.calls.map(([name]) => name))
    expect(names.has('server.want')).toBe(true)
    expect([...names].every((name) => name.startsWith('server.'))).toBe(true)
  })

  it('lists the worst first, each with since when, evidence and its reason', async () => {
    show(serverCapture(generateServer('trouble')))
    const [first] = await screen.findAllByRole('list')
    const items = within(first!)
      .getAllByRole('heading', { level: 2 })
      .map((heading) => heading.textContent)
    expect(items[0]).toBe('Orders/Totals of Orders stopped after 500 errors')
    expect(items).toHaveLength(5)
    expect(first!.textContent).toContain('since 04:02:30 (12 min)')
    expect(first!.textContent).toContain('last one: Attempted to divide by zero')
    expect(first!.textContent).toContain('since before 02:39:30')
    expect(screen.getByText('2 more findings, less urgent')).toBeTruthy()
  })

  it('leads to the right panel at the right time', async () => {
    const server = generateServer('trouble')
    show(serverCapture(server))
    const link = await screen.findByRole('link', { name: 'Open Indexing at that time' })
    expect(link.getAttribute('href')).toBe('#/indexing')
    await userEvent.setup().click(link)
    expect(open).toHaveBeenCalledWith('indexing', {
      params: {},
      sources: ['db:Orders'],
      range: server.triage.items[0]!.link.range,
      selection: null,
    })
  })

  it('has the way to all databases, and without a server to files', async () => {
    show(serverCapture(generateServer('healthy')))
    const way = await screen.findByRole('link', { name: 'All databases' })
    await userEvent.setup().click(way)
    expect(open).toHaveBeenCalledWith('databases', {})
    cleanup()

    const silent = serverCapture(generateServer('healthy'))
    silent.responses.clear()
    silent.setState({ serverError: unanswered })
    show(silent)
    expect(screen.getByRole('heading', { name: 'No server answers here' })).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Open files' }))
    expect(open).toHaveBeenLastCalledWith('files', { params: { 'files.focus': 'drop' } })
  })

  it('says once what could not be judged and what is lacking', async () => {
    show(serverCapture(generateServer('trouble')))
    expect(await screen.findByText('1 check could not be judged: low-memory events.')).toBeTruthy()
    // The missing right is among the findings already.
    expect(screen.getByText('Not shown here: shared clean memory')).toBeTruthy()
    expect(screen.getByText('The server reports to this certificate only the databases that it may read.')).toBeTruthy()
    expect(screen.getByText('How this is judged: 2 rules')).toBeTruthy()
  })

  it('says that it waits, and how old its figures are when the server is gone', async () => {
    const silent = serverCapture(generateServer('healthy'))
    silent.responses.clear()
    show(silent)
    expect(screen.getByText(/^Asking the server how it is/)).toBeTruthy()
    expect(screen.queryByText(/could not be judged/)).toBeNull()
    cleanup()

    const server = generateServer('healthy')
    const watch = { ...server.now.watch, lastReceivedMs: Date.now() - 134_000 }
    const gone = serverCapture({ ...server, now: { ...server.now, watch } })
    gone.setState({ serverError: unanswered })
    show(gone)
    expect(await screen.findByText(/^As of 2 min 1\d s ago: All is well/)).toBeTruthy()
    cleanup()

    const justNow = { ...server.now.watch, lastReceivedMs: Date.now() }
    const justGone = serverCapture({ ...server, now: { ...server.now, watch: justNow } })
    justGone.setState({ serverError: unanswered })
    show(justGone)
    expect(await screen.findByText(/^The server does not answer. Last known: All is well/)).toBeTruthy()
    cleanup()

    const trouble = generateServer('trouble')
    const sentence = 'The server is unresponsive for 33.2 s. 3 more issues.'
    const items = trouble.triage.items.map((item, row) => (row === 0 ? { ...item, rule: 'server-unresponsive' } : item))
    const found = serverCapture({
      ...trouble,
      now: { ...trouble.now, watch },
      triage: { ...trouble.triage, sentence, items },
    })
    found.setState({ serverError: unanswered })
    show(found)
    expect((await screen.findByText(/The server is unresponsive/)).textContent).toBe(sentence)
  })

  it('names the databases that are busiest, and a name leads to its I/O', async () => {
    const server = generateServer('healthy')
    show(serverCapture(server))
    const busiest = await screen.findByRole('region', { name: 'Busiest now' })
    const [first] = server.activity.busiest!
    const row = within(busiest).getAllByRole('row')[1]!
    expect(row.textContent).toContain(first!.name)
    await userEvent.setup().click(within(row).getByRole('link', { name: first!.name }))
    expect(open).toHaveBeenCalledWith('io', { sources: [`db:${first!.name}`], range: null })
  })

  it('says that nothing is busy, and of what is not reported that it is unknown', async () => {
    const server = generateServer('healthy')
    show(serverCapture({ ...server, activity: { ...server.activity, busiest: [] } }))
    expect(await screen.findByText('No database is read from, written to or indexed.')).toBeTruthy()
    cleanup()
    show(serverCapture({ ...server, activity: { ...server.activity, busiest: null } }))
    expect(await screen.findByText('No activity of the databases received yet.')).toBeTruthy()
  })

  it('lists what is over by now, as text, the newest first and the way to that time', async () => {
    const server = generateServer('trouble')
    show(serverCapture(server))
    const happened = await screen.findByRole('region', { name: 'What happened' })
    expect(happened.textContent).toContain('watched since 03:54:30 and, before, until 03:50:30')
    const items = () => within(happened).getAllByRole('listitem')
    expect(items()).toHaveLength(6)
    expect(items()[0]!.textContent).toContain(
      '<b>A write</b> of Orders took 9.00 s. · for 1 min · 3 times since 03:44:30',
    )
    const user = userEvent.setup()
    await user.click(within(items()[0]!).getByRole('link', { name: /^Open: <b>A write/ }))
    expect(open).toHaveBeenCalledWith('io', {
      params: {},
      sources: ['db:Orders'],
      range: server.activity.happened[0]!.link!.range,
      selection: null,
    })
    await user.click(within(happened).getByRole('button', { name: '3 more, older' }))
    expect(items()).toHaveLength(9)
    // The day is said where it is another one.
    expect(items()[8]!.textContent).toContain('2026-11-19 08:14:30')
  })

  it('says what nothing means', async () => {
    show(serverCapture(generateServer('healthy')))
    const happened = await screen.findByRole('region', { name: 'What happened' })
    expect(happened.textContent).toContain('Nothing that is over by now')
  })
})

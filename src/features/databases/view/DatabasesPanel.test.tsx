import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createQueryClient } from '../../../capture/client/requests/queries.ts'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import type { TickSpan } from '../../../base/ticks.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CaptureError } from '../../../capture/client/client.ts'
import { CaptureContext, ViewContext } from '../../../capture/client/view.ts'
import type { View, ViewStore } from '../../../capture/client/view.ts'
import type { DatabaseRow } from '../../../ravendb/databases/databases.ts'
import { inGate } from '../../../testing/gate.ts'
import { databaseRow, stubCapture, unanswered } from '../../../testing/stub-capture.ts'
import type { StubCapture } from '../../../testing/stub-capture.ts'
import { databasesPanel } from '../panel.ts'
import DatabasesPanel from './DatabasesPanel.tsx'

const EVIL = '<img src=x onerror=alert(1)>'

let capture: StubCapture
let list: DatabaseRow[]
const open = vi.fn<ViewStore['open']>()

function Page() {
  const [view, setView] = useState<View>({
    sources: [],
    database: null,
    range: null,
    liveSpan: 1 as TickSpan,
    selection: null,
    clock: 'utc',
    params: {},
  })
  const store: ViewStore = {
    view,
    change: (parts) => setView({ ...view, ...parts, params: { ...view.params, ...parts.params } }),
    open,
    href: () => '#/io',
  }
  return (
    <QueryClientProvider client={queries}>
      <CaptureContext value={capture}>
        <ViewContext value={store}>
          <DatabasesPanel panel={databasesPanel} />
        </ViewContext>
      </CaptureContext>
    </QueryClientProvider>
  )
}

let queries: QueryClient

beforeEach(() => {
  open.mockReset()
  queries = createQueryClient()
  capture = stubCapture()
  list = [
    databaseRow('Orders', { documents: 5 }),
    databaseRow('__proto__', { state: 'unloaded', upTimeMs: null, documents: 3 }),
    databaseRow(EVIL, { state: 'faulted', error: 'Journal is corrupt', documents: null }),
  ]
  capture.responses.set('databases.list', () => ({ rows: list, complete: true }))
})

afterEach(() => {
  queries.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const names = (): (string | null)[] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[1]?.querySelector('bdi')?.textContent ?? null)

describe('the databases panel', () => {
  it('says in the column of indexing that it was paused, where a rate would be zero', async () => {
    list = [databaseRow('Orders', { indexingStatus: 'Paused' })]
    render(<Page />)
    expect(await screen.findByRole('cell', { name: 'paused' })).toBeTruthy()
  })

  it('shows every database as text, with its state, and asks for nothing but the list', async () => {
    const { container } = render(<Page />)
    expect(await screen.findByText('3 databases: 1 faulted, 1 online, 1 unloaded; this page loads none.')).toBeTruthy()
    expect(names()).toEqual(['__proto__', EVIL, 'Orders'])
    expect(container.querySelector('img')).toBeNull()
    const broken = screen.getAllByRole('row')[2]!
    expect(broken.textContent).toContain('faulted')
    expect(broken.textContent).toContain('Journal is corrupt')
    expect(within(broken).getAllByTitle('not known')[0]?.textContent).toBe('—')
    // The feeds of the server send no request to a database.
    const requested = capture.calls.map(([name]) => name)
    // Menus come later, and are about the server as well.
    expect(new Set(requested.filter((name) => !name.startsWith('actions.')))).toEqual(
      new Set(['databases.list', 'server.want', 'server.databases']),
    )
  })

  it('says which load and for how long, and at a click how far the server is', async () => {
    const user = userEvent.setup()
    list = [databaseRow('slow', { state: 'loading' }), databaseRow('leaving', { deletingOn: ['B'] })]
    render(<Page />)
    expect(await screen.findByText('1 database is loading')).toBeTruthy()
    expect(screen.getByText('being deleted').title).toContain('node B')
    expect(capture.calls.map(([name]) => name)).not.toContain('databases.loadStory')
    const atMs = Date.UTC(2026, 10, 20)
    const steps = [
      { atMs, words: 'Initializing DocumentStorage' },
      { atMs: atMs + 12_000, words: 'Initializing static index: `<img>`' },
    ]
    capture.responses.set('databases.loadStory', () => ({
      state: 'loading',
      message: 'It is at “x”.',
      hint: 'Wait.',
      steps,
    }))
    await user.click(screen.getByRole('button', { name: 'Ask how far it is: slow' }))
    const done = await screen.findByRole('list', { name: 'What the server has done' })
    expect(
      within(done)
        .getAllByRole('listitem')
        .map((step) => step.textContent),
    ).toEqual(['Initializing DocumentStorage 12 s', 'Initializing static index: `<img>` goes on'])
    capture.responses.set('databases.loadStory', () => ({ state: 'ended' }))
    await user.click(screen.getByRole('button', { name: 'Ask again: slow' }))
    expect(await screen.findByText('The load has ended; the list shows it in a moment.')).toBeTruthy()
  })

  it('opens the page of the database whose row is clicked', async () => {
    const user = userEvent.setup()
    render(<Page />)
    await user.click(await screen.findByText('__proto__'))
    expect(open).toHaveBeenCalledWith('database', { database: '__proto__' })
  })

  it.each([
    ['a row', false],
    ['a card, on a phone', true],
  ])('opens the page of a database from %s', async (_of, matches) => {
    const query = { matches, addEventListener: () => undefined, removeEventListener: () => undefined }
    vi.stubGlobal('matchMedia', () => query)
    const user = userEvent.setup()
    render(<Page />)
    const button = await screen.findByRole('button', { name: 'Details of Orders' })
    expect(button.closest('li') !== null).toBe(matches)
    await user.click(button)
    expect(open).toHaveBeenCalledWith('database', { database: 'Orders' })
  })

  it('opens several, an unloaded one and the server among them', async () => {
    const user = userEvent.setup()
    render(<Page />)
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Open I/O' })).disabled).toBe(true)
    await user.click(await screen.findByRole('checkbox', { name: 'Choose Orders' }))
    await user.click(screen.getByRole('checkbox', { name: 'Choose __proto__' }))
    await user.click(screen.getByRole('checkbox', { name: /^Server/ }))
    await user.click(screen.getByRole('button', { name: 'Open I/O of 3' }))
    expect(open.mock.calls[0]?.[1]?.sources).toEqual(['db:Orders', 'db:__proto__', 'server'])
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Choose Orders' }).checked).toBe(false)
  })

  it('chooses by keyboard: Space ticks, Enter opens', async () => {
    const user = userEvent.setup()
    render(<Page />)
    await screen.findByText('Orders')
    act(() => screen.getAllByRole('row')[1]!.focus())
    await user.keyboard('{End} ')
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Choose Orders' }).checked).toBe(true)
    await user.keyboard('{Home}{Enter}')
    expect(open).toHaveBeenCalledWith('database', { database: '__proto__' })
  })

  it('filters by text and says how many are left', async () => {
    const user = userEvent.setup()
    render(<Page />)
    await screen.findByText('Orders')
    await user.type(screen.getByRole('searchbox'), 'onerror=')
    expect(names()).toEqual([EVIL])
    expect(screen.getByText('1 of 3')).toBeTruthy()
    await user.type(screen.getByRole('searchbox'), '(((')
    expect(screen.getByRole('heading', { name: 'No name holds this text' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show all' }))
    expect(names()).toHaveLength(3)
  })

  it('sorts by a column', async () => {
    const user = userEvent.setup()
    render(<Page />)
    await screen.findByText('Orders')
    await user.click(screen.getByRole('button', { name: 'Documents' }))
    expect(names()).toEqual(['Orders', '__proto__', EVIL])
    await user.click(screen.getByRole('button', { name: /Documents/ }))
    expect(names()).toEqual(['__proto__', 'Orders', EVIL])
  })

  it('is renewed, and keeps the old list with its age when a poll fails', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    render(<Page />)
    await screen.findByText('Orders')
    list = [...list, databaseRow('New')]
    await act(() => vi.advanceTimersByTimeAsync(5100))
    expect(names()).toContain('New')
    capture.responses.set('databases.list', () => {
      throw new CaptureError(unanswered)
    })
    await act(() => vi.advanceTimersByTimeAsync(5100))
    expect(screen.getByText(unanswered.message)).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(3000))
    expect(screen.getByText(/What is listed below is \d+ seconds old/)).toBeTruthy()
    expect(names()).toContain('New')
  })

  it('says how old the list is when nothing newer came for long, and no more', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    render(<Page />)
    await screen.findByText('Orders')
    capture.responses.set('databases.list', () => null)
    await act(() => vi.advanceTimersByTimeAsync(12_000))
    expect(screen.queryByText(/seconds old/)).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(5000))
    expect(screen.getByText(/What is listed below is 1\d seconds old/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull()
  })

  it('says only how old the list is while the shell says that the server is gone', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    render(<Page />)
    await screen.findByText('Orders')
    capture.responses.set('databases.list', () => {
      throw new CaptureError(unanswered)
    })
    act(() => capture.setState({ serverError: unanswered }))
    await act(() => vi.advanceTimersByTimeAsync(5100))
    expect(screen.queryByText(unanswered.message)).toBeNull()
    expect(screen.getByText(/What is listed below is \d+ seconds? old/)).toBeTruthy()
  })

  it('adds what the server reports besides: rates, idle time, when each unloads and what prevents it', async () => {
    const idle = { isLoaded: true, unloadsAtNextSweep: false, loadedTicks: null, idleForMs: 180_000, blockers: [] }
    const facts = {
      name: 'orders',
      erroredIndexes: 2,
      requestsPerSecond: 0,
      averageMs: 3,
      writesPerSecond: 0,
      indexedPerSecond: 0,
      mappedPerSecond: null,
      reducedPerSecond: null,
      idle: { ...idle, unloadsInMs: 720_000 },
    }
    const held = { ...facts, name: 'Held', idle: { ...idle, unloadsInMs: null, blockers: ['2 clients listen'] } }
    const work = { staleIndexes: 7, itemsLeft: 1200, waiting: 0 }
    const busy = { ...facts, name: 'Busy', work, requestsPerSecond: 12.5, idle: { ...idle, unloadsInMs: 5000 } }
    const failure = { message: 'It is damaged.\nVoron says so.' }
    const gone = { ...held, name: '__proto__', failure }
    list = [...list, databaseRow('Held'), databaseRow('Busy')]
    capture.responses.set('server.databases', () => ({
      total: 4,
      matching: 4,
      rows: [facts, held, busy, gone],
      maxIdleMs: 900_000,
      sweepEveryMs: 60_000,
    }))
    render(<Page />)
    const cell = async (name: string): Promise<string | null | undefined> =>
      (await screen.findByText(name)).closest('[role=row]')?.textContent
    expect(await screen.findByText('Unloaded after 15 min idle, checked every 60 s.')).toBeTruthy()
    const orders = await cell('Orders')
    for (const text of ['3 min', '12 min']) expect(orders).toContain(text)
    expect(await cell('Held')).toContain('stays loaded')
    expect(await cell('Busy')).toContain('in use')
    expect(await cell('Busy')).toContain('12.5 /s')
    expect(screen.getByTitle('7 indexes with 1,200 documents to go').textContent).toBe('7')
    // The list calls it unloaded again two seconds after it failed.
    expect(screen.getByRole('row', { name: /__proto__/ }).textContent).toContain('faulted')
    expect(screen.getByText('2 databases failed to load: what the server says')).toBeTruthy()
    expect(screen.getByText(/Voron says so/, { selector: 'pre' })).toBeTruthy()
    // Unloaded by the newest list: what the sweep said before is history.
    expect(screen.getAllByTitle('Stays loaded: 2 clients listen')).toHaveLength(1)
  })

  it('says when it waits, when there is none, and when it is refused', async () => {
    capture.responses.delete('databases.list')
    render(<Page />)
    expect(screen.getByRole('heading', { name: 'Requesting the list of databases' })).toBeTruthy()
    cleanup()

    queries = createQueryClient()
    capture.responses.set('databases.list', () => ({ rows: [], complete: true }))
    render(<Page />)
    expect(await screen.findByRole('heading', { name: 'This server has no database that you may see' })).toBeTruthy()
    cleanup()

    queries = createQueryClient()
    capture.responses.set('databases.list', () => {
      throw new CaptureError({ ...unanswered, status: 403, message: 'This certificate may not list databases.' })
    })
    render(<Page />)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('This certificate may not list databases.')
    expect(alert.textContent).toContain('HTTP 403')
    expect(screen.queryByRole('table')).toBeNull()
  })

  const MANY = inGate(1000, 5000)

  it(`holds ${String(MANY)} databases and has only some in the document`, async () => {
    list = Array.from({ length: MANY }, (_, index) => databaseRow(`tenant-${String(index)}`))
    render(<Page />)
    expect(await screen.findByText('tenant-0')).toBeTruthy()
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe(String(MANY + 1))
    expect(screen.getAllByRole('row').length).toBeLessThan(60)
  })
})

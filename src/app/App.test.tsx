import { QueryClientProvider } from '@tanstack/react-query'
import { createQueryClient } from '../capture/client/requests/queries.ts'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bytes } from '../base/brand.ts'
import { databaseRow, emptyState, sourceState, stubCapture, unanswered } from '../testing/stub-capture.ts'
import type { StubCapture } from '../testing/stub-capture.ts'
import type { PanelDefinition } from '../capture/frame/panel.ts'
import { App } from './App.tsx'
import { createAddressStore } from './url/view-store.ts'
import type { AddressStore } from './url/view-store.ts'

/** Stands in for the I/O panel: the shell is what is tested here. */
const io = vi.hoisted(() => ({ broken: false }))
vi.mock('../features/io/panel.ts', async (original) => ({
  ioPanel: {
    ...(await original<{ readonly ioPanel: PanelDefinition }>()).ioPanel,
    Component: () => {
      if (io.broken) throw new Error('row 17 has no lane')
      return <p>lanes</p>
    },
  },
}))

let capture: StubCapture
let store: AddressStore

function open(hash = ''): void {
  window.history.replaceState(null, '', `/studio/index.html${hash}`)
  store = createAddressStore(['databases', 'io', 'files'], [])
  render(
    <QueryClientProvider client={createQueryClient()}>
      <App client={capture} store={store} />
    </QueryClientProvider>,
  )
}

const callsOf = (name: string): readonly (readonly unknown[])[] => capture.calls.filter(([each]) => each === name)

beforeEach(() => {
  io.broken = false
  capture = stubCapture()
  capture.responses.set('host.serverId', () => {
    throw new Error('refused')
  })
  capture.responses.set('databases.list', () => ({
    rows: [databaseRow('Orders'), databaseRow('Northwind')],
    complete: true,
  }))
})

afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
  store.dispose()
  vi.restoreAllMocks()
})

describe('the shell', () => {
  it('lands on the databases, watches nothing and loads nothing', async () => {
    open()
    expect(await screen.findByRole('heading', { level: 1, name: 'Databases' })).toBeTruthy()
    expect(location.hash).toBe('#/databases?v=2')
    expect(screen.getByRole('link', { name: 'Databases' }).getAttribute('aria-current')).toBe('page')
    expect(await screen.findByText('Northwind')).toBeTruthy()
    expect(callsOf('watch')).toEqual([['watch', []]])
    // The feeds of the server as a whole send no request to a database.
    const expected = [
      'watch',
      'setHidden',
      'setFront',
      'databases.list',
      'server.want',
      'server.databases',
      'triage.badge',
      // Requests of the menus, whose code is loaded after the list.
      'actions.access',
      'actions.viewOnly',
    ]
    const called = (): Set<string> => new Set(capture.calls.map(([name]) => name))
    await expect.poll(called).toEqual(new Set(expected))
  })

  it('says what the overhead limit holds back; one click resumes it, another allows more', async () => {
    const user = userEvent.setup()
    open()
    expect(screen.queryByRole('button', { name: /^Allow/ })).toBeNull()
    const { meter } = capture.getState()
    const paused = { endpoint: '/x', what: 'batches of indexes', shareOfCore: 0.01, openMs: 1, pauseMs: 1 }
    act(() =>
      capture.setState({
        meter: { ...meter, slowed: 'Overhead limit: less.', cost: { ...meter.cost, pausedSockets: [paused] } },
      }),
    )
    expect(screen.getByText('Overhead limit: less.')).toBeTruthy()
    const refuse = (): never => {
      throw new Error('the worker is gone.')
    }
    capture.responses.set('governor.resume', refuse).set('governor.limits', refuse)
    await user.click(await screen.findByRole('button', { name: 'Resume now' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Could not resume: the worker is gone.')
    expect(callsOf('governor.resume')).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Allow 5 %' }))
    expect(await screen.findByText('Could not raise the limit: the worker is gone.')).toBeTruthy()
    capture.responses.set('governor.limits', () => null)
    await user.click(screen.getByRole('button', { name: 'Allow 5 %' }))
    expect(callsOf('governor.limits').at(-1)).toEqual(['governor.limits', { attended: 0.05, background: 0.02 }])
    act(() =>
      capture.setState({ meter: { ...meter, isServerSlow: true, cost: { ...meter.cost, pausedSockets: [paused] } } }),
    )
    expect(screen.queryByRole('button', { name: /^Allow/ })).toBeNull()
  })

  it('applies the overhead limit of an earlier visit, and that of another page when it changes there', () => {
    localStorage.setItem('rookery.overhead-limits', '{"attended":0.05,"background":0.02}')
    open()
    expect(callsOf('governor.limits')).toEqual([['governor.limits', { attended: 0.05, background: 0.02 }]])
    localStorage.setItem('rookery.overhead-limits', '{"attended":7,"background":"x"}')
    globalThis.dispatchEvent(new StorageEvent('storage', { key: 'rookery.overhead-limits' }))
    expect(callsOf('governor.limits').at(-1)).toEqual(['governor.limits', { attended: 0.2, background: 0.005 }])
    localStorage.clear()
  })

  it('calls a database as the server spells it', async () => {
    capture.responses.set('databases.spelling', (request) =>
      (request as { name: string }).name === 'ORDERS' ? 'Orders' : null,
    )
    open('#/io?v=2&s=db:ORDERS&s=db:orders&s=db:gone')
    await waitFor(() => expect(store.getSnapshot().view.sources).toEqual(['db:Orders', 'db:gone']))
    expect(callsOf('databases.spelling')).toHaveLength(2)
    act(() => store.change({ sources: ['db:Orders', 'db:gone', 'db:oRDERS'] }))
    expect(store.getSnapshot().view.sources).toEqual(['db:Orders', 'db:gone'])
    expect(callsOf('watch').at(-1)).toEqual(['watch', ['db:Orders', 'db:gone']])
  })

  it('reports what the panel in front shows while the user is attentive', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    open('#/io?v=2')
    expect(callsOf('setFront')).toEqual([['setFront', ['io', 'server']]])
    act(() => store.open('stacks'))
    expect(callsOf('setFront').at(-1)).toEqual(['setFront', ['stacks']])
    act(() => void vi.advanceTimersByTime(500_000))
    document.dispatchEvent(new Event('pointermove'))
    act(() => void vi.advanceTimersByTime(599_000))
    expect(callsOf('setFront').at(-1)).toEqual(['setFront', ['stacks']])
    act(() => void vi.advanceTimersByTime(2000))
    expect(callsOf('setFront').at(-1)).toEqual(['setFront', null])
    act(() => void document.dispatchEvent(new Event('keydown')))
    expect(callsOf('setFront').at(-1)).toEqual(['setFront', ['stacks']])
  })

  it('watches exactly what the address says, and follows it', async () => {
    const user = userEvent.setup()
    open('#/io?v=2&s=db:Orders&s=server')
    expect(await screen.findByText('lanes')).toBeTruthy()
    expect(callsOf('watch').at(-1)).toEqual(['watch', ['db:Orders', 'server']])
    await user.click(screen.getByRole('button', { name: 'Remove Orders' }))
    expect(callsOf('watch').at(-1)).toEqual(['watch', ['server']])
    expect(location.hash).toBe('#/io?v=2&s=server')
  })

  it('does not watch again when something else of the view changes', () => {
    open('#/io?v=2&s=server')
    act(() => store.change({ clock: 'utc' }))
    expect(callsOf('watch')).toHaveLength(1)
  })

  it('shows each source with its state in words', () => {
    capture.setState({
      sources: [sourceState({ kind: 'database', name: 'Northwind' }, { phase: 'unloaded', message: 'Not in use.' })],
    })
    open('#/io?v=2&s=db:Northwind&s=file:gone.json')
    const sources = within(screen.getByRole('region', { name: 'Sources' }))
    expect(sources.getByText('unloaded')).toBeTruthy()
    expect(sources.getByTitle('Not in use.')).toBeTruthy()
    expect(sources.getByText('not here')).toBeTruthy()
  })

  it('offers what can be looked at where nothing is chosen: one by a click, several by ticks, loading none', async () => {
    const user = userEvent.setup()
    open('#/io?v=2')
    await user.click(await screen.findByRole('checkbox', { name: 'Choose Northwind' }))
    await user.click(screen.getByRole('checkbox', { name: 'Choose Orders' }))
    await user.click(screen.getByRole('button', { name: 'Open 2 selected' }))
    expect(callsOf('watch').at(-1)).toEqual(['watch', ['db:Northwind', 'db:Orders']])
    expect(await screen.findByText('lanes')).toBeTruthy()
    act(() => store.change({ sources: [] }))
    await user.click(await screen.findByText('Orders'))
    expect(callsOf('watch').at(-1)).toEqual(['watch', ['db:Orders']])
    act(() => store.change({ sources: [] }))
    await user.click(await screen.findByRole('button', { name: 'The server’s own storage' }))
    expect(callsOf('watch').at(-1)).toEqual(['watch', ['server']])
    expect(callsOf('databases.load')).toEqual([])
  })

  it('opens the only database by itself, and asks again only after its chip was removed', async () => {
    const user = userEvent.setup()
    capture.responses.set('databases.list', () => ({
      rows: [databaseRow('Orders', { state: 'unloaded' })],
      complete: true,
    }))
    open('#/io?v=2')
    expect(await screen.findByText('lanes')).toBeTruthy()
    expect(callsOf('watch').at(-1)).toEqual(['watch', ['db:Orders']])
    expect(callsOf('databases.load')).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Remove Orders' }))
    expect(await screen.findByRole('heading', { name: 'Select a database' })).toBeTruthy()
    await user.click(await screen.findByText('Orders'))
    expect(callsOf('watch').at(-1)).toEqual(['watch', ['db:Orders']])
  })

  it('opens the last choice of this server on a new visit, as far as it is still there; a link wins', async () => {
    capture.responses.set('host.serverId', () => 'one')
    open('#/io?v=2&s=db:Orders&s=db:Gone&s=server')
    await waitFor(() => expect(localStorage.getItem('rookery.sources.one')).toContain('Gone'))
    const visit = async (hash: string): Promise<unknown> => {
      cleanup()
      store.dispose()
      open(hash)
      await screen.findByText('lanes')
      return callsOf('watch').at(-1)?.[1]
    }
    expect(await visit('#/io?v=2')).toEqual(['db:Orders', 'server'])
    expect(await visit('#/io?v=2&s=db:Northwind')).toEqual(['db:Northwind'])
    await waitFor(() => expect(localStorage.getItem('rookery.sources.one')).toBe('["db:Northwind"]'))
    expect(await visit('#/io?v=2')).toEqual(['db:Northwind'])
  })

  it('leaves it to the panel where there is no server to choose of', async () => {
    capture.responses.set('databases.list', () => {
      throw new Error('no server here')
    })
    open('#/io?v=2')
    expect(await screen.findByText('lanes')).toBeTruthy()
  })

  it('changes what is looked at from the list, without loading any', async () => {
    const user = userEvent.setup()
    open('#/io?v=2&s=db:Orders')
    await user.click(screen.getByRole('button', { name: 'Change' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(await dialog.findByRole('checkbox', { name: 'Choose Northwind' }))
    await user.click(dialog.getByRole('checkbox', { name: /^Server/ }))
    await user.click(dialog.getByRole('button', { name: 'Open 3 selected' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(callsOf('watch').at(-1)).toEqual(['watch', ['db:Orders', 'db:Northwind', 'server']])
    expect(callsOf('databases.load')).toEqual([])
  })

  it('says that the server is gone and since when, keeps the panel, and tries at once at a click', async () => {
    const user = userEvent.setup()
    open('#/io?v=2&s=db:Orders&clock=utc')
    const receivedMs = Date.now() - 31_000
    act(() =>
      capture.setState({
        serverError: unanswered,
        sources: [sourceState({ kind: 'database', name: 'Orders' }, { phase: 'waiting', lastReceivedMs: receivedMs })],
      }),
    )
    const since = new Date(receivedMs).toISOString().slice(11, 19)
    expect(screen.getByText(new RegExp(`Since ${since} UTC, 3\\d seconds ago.*Collected data stays`))).toBeTruthy()
    expect(screen.getByRole('status', { name: 'Server' }).textContent).toContain('no answer')
    expect(screen.getByText('lanes')).toBeTruthy()
    // As in the header, the silence counts from the newest of all that arrived, not only of the sources.
    act(() => capture.setState({ silence: { sinceMs: Date.now() - 15_000, isUnresponsive: false } }))
    expect(screen.getByText(/1\d seconds ago\. Collected data stays\. Retries are automatic\./)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try now' }))
    expect(callsOf('retryNow')).toHaveLength(1)
    act(() => capture.setState({ serverError: null }))
    expect(screen.queryByText(/Since/)).toBeNull()
  })

  it('is calm where only files are served: what can be opened, and how to reach a server', async () => {
    const user = userEvent.setup()
    open('#/triage?v=2')
    act(() => capture.setState({ server: null, serverError: { ...unanswered, kind: 'no-server', status: 404 } }))
    expect(await screen.findByRole('heading', { name: 'No server here' })).toBeTruthy()
    expect(screen.getByRole('status', { name: 'Server' }).textContent).toContain('no server')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByRole('complementary', { name: 'State of the server' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull()
    // A panel that draws an opened file does so.
    act(() => {
      location.hash = '#/io?v=2&s=file:a.json'
    })
    expect(await screen.findByText('lanes')).toBeTruthy()
    expect(screen.queryByRole('complementary', { name: 'State of the server' })).toBeNull()
    // The database that was chosen beside the file is named.
    act(() => {
      location.hash = '#/io?v=2&s=file:a.json&s=db:Orders'
    })
    expect(await screen.findByText(/^No RavenDB server at this address: Orders cannot be shown$/)).toBeTruthy()
    act(() => {
      location.hash = '#/io?v=2'
    })
    await user.click(await screen.findByRole('button', { name: 'Open files' }))
    expect(location.hash).toContain('#/files')
  })

  it('keeps the monitoring overhead in sight in one line, and leads to its details', async () => {
    const user = userEvent.setup()
    const { meter } = emptyState()
    capture.setState({
      meter: { ...meter, requestsPerMinute: 38, slowed: 'The server answered 503; polls are slower.' },
    })
    open('#/io?v=2')
    for (const name of ['Overhead: 0 % of a core, 38 req/min', 'The server answered 503; polls are slower.']) {
      act(() => {
        location.hash = '#/io?v=2'
      })
      await user.click(await screen.findByRole('button', { name }))
      expect(location.hash).toBe('#/server?v=2&server.view=overhead')
    }
  })

  it('survives a broken panel: says what broke, and reloads it', async () => {
    const user = userEvent.setup()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    io.broken = true
    open('#/io?v=2&s=db:Orders')
    expect((await screen.findByRole('alert')).textContent).toContain('row 17 has no lane')
    expect(screen.getByRole('link', { name: 'Databases' })).toBeTruthy()
    io.broken = false
    await user.click(screen.getByRole('button', { name: 'Reload panel' }))
    expect(screen.getByText('lanes')).toBeTruthy()
  })

  it('says what of a link could not be read', async () => {
    const user = userEvent.setup()
    open('#/io?v=2&range=yesterday')
    expect(screen.getByText('“yesterday” is not a range of time; live is shown.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText(/yesterday/)).toBeNull()
  })

  it('opens files by the input, and by dropping them on the page, and looks at what they became', async () => {
    const user = userEvent.setup()
    open()
    const file = new File(['{}'], 'capture.json')
    await user.upload(screen.getByLabelText('Open files'), [file])
    expect(callsOf('openFiles')).toEqual([['openFiles', ['capture.json']]])
    const drop = Object.assign(new Event('drop', { cancelable: true }), {
      dataTransfer: { types: ['Files'], files: [file] },
    })
    act(() => void window.dispatchEvent(drop))
    expect(drop.defaultPrevented).toBe(true)
    expect(callsOf('openFiles')).toHaveLength(2)
    const spans = [{ feed: 'io', firstMs: 1_790_000_000_000, endMs: 1_790_000_060_000 }]
    const source = sourceState({ kind: 'file', name: 'capture.json' }, { phase: 'read', spans })
    act(() => capture.setState({ sources: [source] }))
    expect(await screen.findByText('lanes')).toBeTruthy()
    expect(store.getSnapshot().view.sources).toEqual(['file:capture.json'])
  })

  it('says once by how much the clocks differ, and shows the times of notices by the server’s', async () => {
    const user = userEvent.setup()
    open('#/io?v=2')
    act(() => capture.setState({ clockAheadMs: 4000 }))
    expect(screen.queryByText(/clock of this computer/)).toBeNull()
    act(() => capture.setState({ clockAheadMs: 3_600_400 }))
    // Its code comes with the first difference.
    expect(await screen.findByText('The clock of this computer is 1 h ahead of the server’s')).toBeTruthy()
    act(() => capture.setState({ clockAheadMs: -90_000 }))
    expect(screen.getByText('The clock of this computer is 1 min 30 s behind the server’s')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText(/clock of this computer/)).toBeNull()
  })

  it('shows how far a file is, stops reading it at a click, and keeps what is wrong until it was seen', async () => {
    const user = userEvent.setup()
    open('#/io?v=2')
    const file = {
      id: 4,
      name: '<b>package.zip',
      phase: 'reading' as const,
      totalBytes: 2_097_152 as Bytes,
      readBytes: 1_048_576 as Bytes,
      startedMs: Date.now() - 2000,
      endedMs: null,
      message: '',
      faultAt: null,
      sources: [],
      servers: 0,
      entries: [],
    }
    act(() => capture.setState({ files: [file] }))
    // Its code comes with the first file.
    const strip = within(await screen.findByRole('region', { name: 'Files' }))
    act(() => capture.setState({ files: [{ ...file, startedMs: Date.now() - 2000 }] }))
    expect(strip.getByRole('progressbar', { name: '<b>package.zip' }).getAttribute('value')).toBe('0.5')
    expect(strip.getByText(/^1\.00 MiB of 2\.00 MiB · \d{3} KiB\/s · \d\.\d\d s left$/)).toBeTruthy()
    await user.click(strip.getByRole('button', { name: 'Stop reading <b>package.zip' }))
    expect(callsOf('cancelFile')).toEqual([['cancelFile', 4]])
    act(() => capture.setState({ files: [{ ...file, phase: 'broken', endedMs: 9, message: 'It ends at byte 812.' }] }))
    expect(strip.getByText('It ends at byte 812.')).toBeTruthy()
    await user.click(strip.getByRole('button', { name: 'Dismiss <b>package.zip' }))
    expect(screen.queryByRole('region', { name: 'Files' })).toBeNull()
  })

  it('says nothing of a file that was read without a fault', () => {
    open('#/io?v=2')
    act(() =>
      capture.setState({
        files: [
          {
            id: 1,
            name: 'a.json',
            phase: 'read',
            totalBytes: 1 as Bytes,
            readBytes: 1 as Bytes,
            startedMs: 0,
            endedMs: 1,
            message: '',
            faultAt: null,
            sources: ['file:a.json'],
            servers: 0,
            entries: [],
          },
        ],
      }),
    )
    expect(screen.queryByRole('region', { name: 'Files' })).toBeNull()
  })

  it('reports to the capture when the page is hidden', () => {
    open('#/io?v=2')
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(callsOf('setHidden')).toEqual([
      ['setHidden', false],
      ['setHidden', true],
    ])
  })

  it('switches the clock, changes panels and shows the keys', async () => {
    const user = userEvent.setup()
    open('#/io?v=2&s=server')
    await user.click(screen.getByRole('radio', { name: 'UTC' }))
    expect(store.getSnapshot().view.clock).toBe('utc')
    await user.click(screen.getByRole('link', { name: 'Databases' }))
    expect(store.getSnapshot().panel).toBe('databases')
    expect(store.getSnapshot().view.sources).toEqual(['server'])
    await user.click(screen.getByRole('button', { name: 'Keys (?)' }))
    expect(await screen.findByRole('dialog', { name: 'Keys' })).toBeTruthy()
  })

  it('shows the keys at “?” in a chart or a list, and nowhere else', async () => {
    const user = userEvent.setup()
    open('#/io?v=2&s=server')
    for (const place of [document.body, screen.getByRole('link', { name: 'Databases' })]) {
      place.focus()
      await user.keyboard('?')
    }
    expect(screen.queryByRole('dialog', { name: 'Keys' })).toBeNull()
    const list = document.createElement('ul')
    list.tabIndex = 0
    screen.getByRole('main').append(list)
    list.focus()
    await user.keyboard('?')
    expect(await screen.findByRole('dialog', { name: 'Keys' })).toBeTruthy()
  })

  it('changes theme and palette', async () => {
    const user = userEvent.setup()
    open('#/io?v=2')
    await user.click(screen.getByRole('radio', { name: 'Light' }))
    await user.click(screen.getByRole('radio', { name: 'Colour-blind safe' }))
    expect(document.documentElement.dataset['theme']).toBe('light')
    expect(document.documentElement.dataset['palette']).toBe('colour-blind')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Light' }).checked).toBe(true)
  })

  it('leaves `?` to the field one types in', async () => {
    const user = userEvent.setup()
    open()
    await user.type(await screen.findByRole('searchbox'), 'a?')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('a?')
  })

  it('has a skip link that does not touch the address', async () => {
    const user = userEvent.setup()
    open('#/io?v=2&s=server')
    await user.click(screen.getByRole('link', { name: 'Skip to the panel' }))
    expect(document.activeElement).toBe(screen.getByRole('main'))
    expect(location.hash).toBe('#/io?v=2&s=server')
  })
})

import { QueryClientProvider } from '@tanstack/react-query'
import { createQueryClient } from '../../../../capture/client/requests/queries.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../../base/brand.ts'
import { parseTicks } from '../../../../base/ticks.ts'
import type { DatabaseNotice, IndexState } from '../../../../ravendb/databases/database-details.ts'
import { readNoticeDetails } from '../../../../ravendb/databases/notice-details.ts'
import type { StorageEnvironment } from '../../../../ravendb/databases/environments.ts'
import type { DatabaseCounts } from '../../../../ravendb/databases/counts.ts'
import type { OngoingTask } from '../../../../ravendb/databases/ongoing-tasks.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { databaseRow, stubCapture } from '../../../../testing/stub-capture.ts'
import { DatabasePage } from './DatabasePage.tsx'
import type { ListedDatabase } from '../../data/facts.ts'

const index = (name: string, parts: Partial<IndexState> = {}): IndexState => ({
  index: name,
  state: 'Normal',
  status: 'Running',
  isStale: false,
  errorsCount: 0,
  ...parts,
})
const HINT: DatabaseNotice = {
  id: 'PerformanceHint/Paging',
  atTicks: parseTicks('2026-07-27T10:00:00.0000000Z'),
  type: 'PerformanceHint',
  kind: 'Paging',
  severity: 'Warning',
  title: 'Page size too big <b>',
  message: 'A query returned 5,000 documents.',
  details: readNoticeDetails({ Actions: { Query: [{ NumberOfResults: 5000, Duration: 44 }] } }),
}
const ENVIRONMENTS: readonly StorageEnvironment[] = [
  {
    name: 'Orders/ByCompany',
    type: 'Index',
    dataBytes: 67_108_864 as Bytes,
    freeBytes: 33_554_432 as Bytes,
    journalBytes: null,
    tempBytes: 0 as Bytes,
    mount: null,
    volumeFreeBytes: null,
  },
]
const TASKS: readonly OngoingTask[] = [
  {
    id: 1,
    name: 'nightly',
    type: 'Backup',
    state: 'Enabled',
    connection: 'NotActive',
    node: 'A',
    error: 'No space left',
    lastFullTicks: null,
    lastIncrementalTicks: null,
    nextTicks: null,
  },
  {
    id: 7,
    name: 'orders feed',
    type: 'Subscription',
    state: 'Enabled',
    connection: 'Active',
    node: 'A',
    error: null,
    lastFullTicks: null,
    lastIncrementalTicks: null,
    nextTicks: null,
    subscription: {
      sent: 'A:290-own',
      acknowledgedTicks: null,
      connectedTicks: parseTicks('2026-07-27T10:00:00.0000000Z'),
    },
  },
  {
    id: 8,
    name: 'mails',
    type: 'Subscription',
    state: 'Enabled',
    connection: 'Active',
    node: 'A',
    error: null,
    lastFullTicks: null,
    lastIncrementalTicks: null,
    nextTicks: null,
    subscription: null,
  },
]
const COUNTS: DatabaseCounts = {
  revisions: 1234,
  attachments: 0,
  counterGroups: null,
  timeSeries: 0,
  conflicts: 0,
  tombstones: 7,
  lastEtag: 302,
  databaseId: 'own',
}
const LOADED = { loaded: true, atMs: 1_000_000 } as const

function show(row: ListedDatabase | null, isLoaded = true) {
  const capture = stubCapture()
  const response = (parts: object) => (request: unknown) =>
    isLoaded || (request as { readonly load?: boolean }).load === true ? { ...LOADED, ...parts } : { loaded: false }
  const indexes = [
    index('Orders/Fine'),
    index('Orders/Broken', { state: 'Error', status: 'Paused', isStale: true, errorsCount: 500 }),
    index('Orders/Paused', { status: 'Paused', isStale: null }),
  ]
  capture.responses.set('databases.indexStates', response({ indexes }))
  capture.responses.set('databases.notices', response({ notices: [HINT], total: 1 }))
  capture.responses.set('databases.environments', response({ environments: ENVIRONMENTS }))
  capture.responses.set('databases.tasks', response({ tasks: TASKS, total: TASKS.length }))
  capture.responses.set('databases.counts', response(COUNTS))
  const { opened } = renderPanel(
    <QueryClientProvider client={createQueryClient()}>
      <DatabasePage name="orders" row={row} />
    </QueryClientProvider>,
    capture,
  )
  const detail = screen.getByRole('region', { name: 'Database orders' })
  const requested = (): (readonly [string, unknown])[] =>
    capture.calls.filter(([name]) => name.startsWith('databases.')).map(([name, request]) => [name, request])
  return { capture, detail, opened, requested }
}

describe('the page of a database', () => {
  it('are its indexes that are not as they should be, and its alerts and hints as text', async () => {
    const { detail, opened } = show(databaseRow('orders', { documents: 12, indexingStatus: 'Paused' }))
    const figure = (title: string): string | null | undefined =>
      within(detail).getByText(title, { selector: 'dt, dt *' }).closest('dt')?.nextSibling?.textContent
    expect([figure('Documents'), figure('On disk'), figure('Indexing')]).toEqual(['12', '≥ 68.0 MiB', 'paused'])
    const indexes = within(detail).getByRole('region', { name: 'Indexes of orders' })
    const broken = await within(indexes).findByRole('row', { name: /^Orders\/Broken/ })
    expect(
      within(broken)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['error', 'yes', '500'])
    expect(within(broken).getByRole('link', { name: 'Orders/Broken' })).toBeTruthy()
    expect(within(indexes).getByRole('row', { name: /^Orders\/Paused/ }).textContent).toContain('paused—0')
    expect(indexes.textContent).toContain('1 other index running without errors.')
    const notices = within(detail).getByRole('region', { name: 'Alerts and hints of orders' })
    const notice = await within(notices).findByRole('listitem')
    expect(notice.textContent).toContain('Page size too big <b>')
    expect(notice.textContent).toContain('hint')
    expect(notice.textContent).toContain('A query returned 5,000 documents.')
    expect(within(notice).getByRole('row', { name: 'Query 5,000 44.0 ms', hidden: true })).toBeTruthy()
    await userEvent.setup().click(within(detail).getByRole('link', { name: 'All databases' }))
    expect(opened).toEqual([{ panel: 'databases', parts: {} }])
  })

  it('are the sizes of its environments and its tasks, with what is wrong with them', async () => {
    const { detail } = show(databaseRow('orders'))
    const storage = within(detail).getByRole('region', { name: 'Storage of orders' })
    const row = await within(storage).findByRole('row', { name: /^Orders\/ByCompany/ })
    expect(row.textContent).toBe('Orders/ByCompany64.0 MiB32.0 MiB—0 B')
    const tasks = within(detail).getByRole('region', { name: 'Ongoing tasks of orders' })
    const nightly = await within(tasks).findByRole('row', { name: /^nightly/ })
    expect(nightly.textContent).toContain('No space left · no full backup yet')
    expect(nightly.textContent).toContain('enabled, not active')
    const feed = within(tasks).getByRole('row', { name: /^orders feed/ })
    await waitFor(() =>
      expect(feed.textContent).toContain('12 changes of the database since the last one that was sent'),
    )
    expect(feed.textContent).toMatch(/client connected since 2026-07-27 [\d:]+ · nothing acknowledged yet/)
    const mails = within(tasks).getByRole('row', { name: /^mails/ })
    expect(mails.textContent).toBe('mailsthe server does not report how far it isSubscriptionenabled, activeA')
  })

  it('are counts of what is not in the list of databases, such as revisions', async () => {
    const { detail } = show(databaseRow('orders'))
    const counts = within(detail).getByRole('region', { name: 'Counts of orders' })
    const row = (name: RegExp) => within(counts).findByRole('row', { name })
    expect((await row(/^Revisions/)).textContent).toBe('Revisions1,234')
    expect((await row(/^Tombstones/)).textContent).toBe('Tombstones7')
    // A count that the version does not report is not 0.
    expect((await row(/^Counter groups/)).textContent).toBe('Counter groups—')
  })

  it('of an unloaded one are asked after a click only, each for itself', async () => {
    const { detail, requested } = show(databaseRow('orders', { state: 'unloaded', upTimeMs: null, indexes: 3 }), false)
    const indexes = within(detail).getByRole('region', { name: 'Indexes of orders' })
    const load = await within(indexes).findByRole('button', { name: 'Load orders to see them' })
    expect(indexes.textContent).toContain('3 indexes.')
    expect(requested().every(([, request]) => !Object.hasOwn(request as object, 'load'))).toBe(true)
    await userEvent.setup().click(load)
    expect(await within(indexes).findByRole('row', { name: /^Orders\/Broken/ })).toBeTruthy()
  })

  it('of an unloaded one are requested again once it is loaded, and not before', async () => {
    const capture = stubCapture()
    let isLoaded = false
    capture.responses.set('databases.indexStates', () => (isLoaded ? { ...LOADED, indexes: [] } : { loaded: false }))
    capture.responses.set('databases.notices', () =>
      isLoaded ? { ...LOADED, notices: [HINT], total: 1 } : { loaded: false },
    )
    const load = (): ListedDatabase => {
      isLoaded = true
      return databaseRow('orders')
    }
    function Stage(): ReactNode {
      const [row, setRow] = useState<ListedDatabase>(databaseRow('orders', { state: 'unloaded' }))
      return (
        <QueryClientProvider client={client}>
          <button type="button" onClick={() => setRow(load())}>
            another client loads it
          </button>
          <DatabasePage name="orders" row={row} />
        </QueryClientProvider>
      )
    }
    const client = createQueryClient()
    renderPanel(<Stage />, capture)
    const notices = screen.getByRole('region', { name: 'Alerts and hints of orders' })
    await within(notices).findByRole('button', { name: 'Load orders to see them' })
    await userEvent.setup().click(screen.getByRole('button', { name: 'another client loads it' }))
    expect((await within(notices).findByRole('listitem')).textContent).toContain('Page size too big')
    expect(capture.calls.every(([, request]) => !Object.hasOwn(request ?? {}, 'load'))).toBe(true)
  })

  it('are read again when the server counts others, and not before', async () => {
    const capture = stubCapture()
    const client = createQueryClient()
    let kept: readonly DatabaseNotice[] = []
    capture.responses.set('databases.notices', () => ({ ...LOADED, notices: kept, total: kept.length }))
    capture.responses.set('databases.indexStates', () => ({ loaded: false }))
    capture.responses.set('databases.environments', () => ({ loaded: false }))
    capture.responses.set('databases.tasks', () => ({ loaded: false }))
    capture.responses.set('databases.counts', () => ({ loaded: false }))
    function Stage(): ReactNode {
      const [row, setRow] = useState<ListedDatabase>(databaseRow('orders', { hints: 0, documents: 1 }))
      return (
        <QueryClientProvider client={client}>
          <button type="button" onClick={() => setRow({ ...row, documents: 2 })}>
            a document more
          </button>
          <button type="button" onClick={() => setRow({ ...row, hints: 1 })}>
            a hint more
          </button>
          <DatabasePage name="orders" row={row} />
        </QueryClientProvider>
      )
    }
    renderPanel(<Stage />, capture)
    const notices = screen.getByRole('region', { name: 'Alerts and hints of orders' })
    await within(notices).findByText(/^No open alerts/)
    kept = [HINT]
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'a document more' }))
    expect(capture.calls.filter(([name]) => name === 'databases.notices')).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'a hint more' }))
    expect((await within(notices).findByRole('listitem')).textContent).toContain('Page size too big')
    expect(capture.calls.filter(([name]) => name === 'databases.notices')).toHaveLength(2)
  })

  it.each(['loading', 'disabled', 'faulted'] as const)('of one that is %s are not asked, and why is said', (state) => {
    const { detail, requested } = show(
      databaseRow('orders', { state, error: state === 'faulted' ? 'Journal is corrupt' : null }),
    )
    expect(detail.textContent).toContain('Its indexes, storage, tasks, alerts and hints are known once it is loaded.')
    if (state === 'faulted')
      expect(within(detail).getByLabelText('Why it failed').textContent).toBe('Journal is corrupt')
    expect(requested()).toEqual([])
  })

  it('of one that is gone say so, and lead nowhere', () => {
    const { detail, requested } = show(null)
    expect(within(detail).getByRole('status').textContent).toContain('There is no database of this name')
    expect(within(detail).queryByRole('link', { name: /^Indexing/ })).toBeNull()
    expect(requested()).toEqual([])
  })

  it('keeps the room of its tables until they arrive', () => {
    const capture = stubCapture()
    for (const name of ['indexStates', 'notices', 'environments', 'tasks', 'counts'] as const)
      capture.responses.set(`databases.${name}`, () => new Promise<never>(() => {}))
    renderPanel(
      <QueryClientProvider client={createQueryClient()}>
        <DatabasePage name="orders" row={databaseRow('orders', { indexes: 6 })} />
      </QueryClientProvider>,
      capture,
    )
    const roomOf = (part: string): string | undefined =>
      screen.getByRole('region', { name: `${part} of orders` }).querySelector<HTMLElement>('[style]')?.style.minHeight
    // A header, a row for each index, two for the database itself, and the sum.
    expect(roomOf('Storage')).toBe('15.5rem')
    expect(roomOf('Counts')).toBe('10.85rem')
    expect(screen.getByRole('region', { name: 'Indexes of orders' }).textContent).not.toContain('6 indexes')
  })
})

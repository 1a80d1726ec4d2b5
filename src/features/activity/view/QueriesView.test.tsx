import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { formatTicks, msFromTicks } from '../../../base/ticks.ts'
import { FakeServer } from '../../../testing/server/fake-server.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { HEALTHY, secondsAgo, SERVER_NOW } from '../../../testing/server/server-load.ts'
import { activityPanel } from '../panel.ts'
import ActivityPanel from './ActivityPanel.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: msFromTicks(SERVER_NOW) }))
afterEach(() => {
  vi.useRealTimers()
})

const QUERY = "from index 'Orders/ByTotal' where Total > 7 /* <b>long</b> */"
const NO_LIMIT = 2 ** 31 - 1

/** As `/debug/queries/running/live` sends it. */
const frameOf = (IndexName: string, QueryId: number, runningSeconds: number, info: object) => ({
  DatabaseName: 'orders',
  IndexName,
  RunningQueries: [
    {
      DurationInMs: runningSeconds * 1000,
      IndexName,
      QueryId,
      StartTime: formatTicks(secondsAgo(runningSeconds)),
      IsStreaming: false,
      QueryInfo: { Start: 0, ...info },
    },
  ],
})
const running = [frameOf('Orders/ByTotal', 42, 60, { Query: QUERY, PageSize: 25, WaitForNonStaleResults: true })]

/** `over`: runs for a minute until five seconds before. */
async function watchedServer(queries: readonly object[], over: readonly object[] = []): Promise<FakeServer> {
  const loadAt = (leftSeconds: number) => ({ ...HEALTHY, queries: leftSeconds > 5 ? over : queries })
  const server = new FakeServer({ seconds: 15, loadAt })
  await server.watch(15)
  return server
}

function show(server: FakeServer, meant = '') {
  const params = { 'activity.view': 'queries', ...(meant === '' ? {} : { 'activity.show': meant }) }
  return renderPanel(<ActivityPanel panel={activityPanel} />, server.capture(), { params })
}

describe('what runs', () => {
  it('is what the panel opens on: queries and operations, without those that ended', async () => {
    const ended = frameOf('collection/Users', 7, 60, { Query: 'from Users', PageSize: NO_LIMIT })
    const server = await watchedServer(running, [ended])
    renderPanel(<ActivityPanel panel={activityPanel} />, server.capture(), {})
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Running' })).checked).toBe(true)
    const list = await screen.findByRole('region', { name: 'Running queries' })
    expect(within(list).getByRole('listitem', { name: 'Query 42 on orders' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Operations' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Ended queries' })).toBeNull()
  })
})

describe('running queries', () => {
  it('are each shown with text, duration, database, index and node, the one of a link marked', async () => {
    show(await watchedServer(running), 'orders|Orders/ByTotal|42')
    const list = await screen.findByRole('region', { name: 'Running queries' })
    expect(within(list).getByRole('status').textContent).toMatch(/^1 query running as of .*, longest first\.$/)
    const card = within(list).getByRole('listitem', { name: 'Query 42 on orders' })
    expect(card.getAttribute('aria-current')).toBe('true')
    expect(card.querySelector('pre')!.textContent).toBe(QUERY)
    expect(card.textContent).toContain('running for 1 min')
    expect(card.textContent).toContain('waits until the index is up to date')
    expect(card.textContent).toContain('Limit25, skipped 0')
    expect(card.textContent).toContain('NodeA')
    expect(within(card).getByRole('link', { name: 'Orders/ByTotal' })).toBeTruthy()
    expect(within(card).getByRole('link', { name: 'orders' })).toBeTruthy()
  })

  it('that are over are kept, at least for how long they ran', async () => {
    const ended = frameOf('collection/Users', 7, 60, { Query: 'from Users', PageSize: NO_LIMIT })
    show(await watchedServer([], [ended]), 'orders|collection/Users|7')
    const over = await screen.findByRole('region', { name: 'Ended queries' })
    const card = within(over).getByRole('listitem', { name: 'Query 7 on orders' })
    expect(card.getAttribute('aria-current')).toBe('true')
    expect(card.textContent).toContain('ended after 1 min or more')
    expect(card.textContent).toContain('no index: reads the documents of Users')
    expect(within(card).queryByRole('link', { name: 'Users' })).toBeNull()
    expect(screen.getByRole('region', { name: 'Running queries' }).textContent).toMatch(/^No query runs for more than/)
  })

  it('say that the one of a link is gone, until that is dismissed', async () => {
    const stage = show(await watchedServer(running), 'orders|Orders/ByTotal|1')
    expect(await screen.findByText(/^The query of the link is over and no longer remembered\./)).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show all' }))
    expect(stage.view().params['activity.show']).toBeUndefined()
    expect(screen.queryByText(/^The query of the link/)).toBeNull()
  })

  it('are not known without their connection, which is not called none', async () => {
    const server = await watchedServer(running)
    server.raven.sockets.find(({ url }) => url.includes('queries/running'))!.cut()
    show(server, 'orders|Orders/ByTotal|1')
    expect(await screen.findByRole('heading', { name: 'Running queries are unknown' })).toBeTruthy()
    expect(screen.queryByText(/^No query runs/)).toBeNull()
    expect(screen.queryByText(/^The query of the link/)).toBeNull()
    cleanup()
    // A single line above the operations, which would move otherwise.
    renderPanel(<ActivityPanel panel={activityPanel} />, server.capture(), {})
    expect(await screen.findByText(/^Running queries are unknown: the connection/)).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Running queries are unknown' })).toBeNull()
    await act(() => Promise.resolve())
  })
})

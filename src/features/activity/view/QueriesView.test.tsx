import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { parseTicks } from '../../../base/ticks.ts'
import { generateServer, serverCapture } from '../../../testing/generated-server.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import type { EndedQuery, RunningQueriesResponse, RunningQuery } from '../../server/contract.ts'
import { activityPanel } from '../panel.ts'
import ActivityPanel from './ActivityPanel.tsx'

afterEach(cleanup)

const NOW = parseTicks('2026-07-27T10:01:00.0000000Z')
const running: RunningQuery = {
  database: 'orders',
  index: 'Orders/ByTotal',
  id: 42,
  query: "from index 'Orders/ByTotal' where Total > 7 /* <b>long</b> */",
  startTicks: parseTicks('2026-07-27T10:00:00.0000000Z'),
  runningMs: 60_000,
  isStreaming: false,
  waitsForIndex: true,
  start: 0,
  pageSize: 25,
}
const ended: EndedQuery = {
  ...running,
  id: 7,
  index: 'collection/Users',
  query: 'from Users',
  waitsForIndex: false,
  pageSize: null,
  lastTicks: NOW,
}

function show(parts: Partial<RunningQueriesResponse>, meant = '') {
  const capture = serverCapture(generateServer('healthy'))
  const response: RunningQueriesResponse = {
    atTicks: NOW,
    nodeTag: 'A',
    running: [running],
    ended: [],
    ...parts,
  }
  capture.responses.set('server.queries', () => response)
  const params = { 'activity.view': 'queries', ...(meant === '' ? {} : { 'activity.show': meant }) }
  return renderPanel(<ActivityPanel panel={activityPanel} />, capture, { params })
}

describe('running queries', () => {
  it('are each shown with text, duration, database, index and node, the one of a link marked', async () => {
    show({}, 'orders|Orders/ByTotal|42')
    const list = await screen.findByRole('region', { name: 'Running queries' })
    expect(within(list).getByRole('status').textContent).toMatch(/^1 query running as of .*, longest first\.$/)
    const card = within(list).getByRole('listitem', { name: 'Query 42 on orders' })
    expect(card.getAttribute('aria-current')).toBe('true')
    expect(card.querySelector('pre')!.textContent).toBe(running.query)
    expect(card.textContent).toContain('running for 1 min')
    expect(card.textContent).toContain('waits until the index is up to date')
    expect(card.textContent).toContain('Results25 from 0')
    expect(card.textContent).toContain('NodeA')
    expect(within(card).getByRole('link', { name: 'Orders/ByTotal' })).toBeTruthy()
    expect(within(card).getByRole('link', { name: 'Open database' })).toBeTruthy()
  })

  it('that are over are kept, at least for how long they ran', async () => {
    show({ running: [], ended: [ended] }, 'orders|collection/Users|7')
    const over = await screen.findByRole('region', { name: 'Ended queries' })
    const card = within(over).getByRole('listitem', { name: 'Query 7 on orders' })
    expect(card.getAttribute('aria-current')).toBe('true')
    expect(card.textContent).toContain('ended after 1 min or more')
    expect(card.textContent).toContain('no index: reads the documents of Users')
    expect(within(card).queryByRole('link', { name: 'Users' })).toBeNull()
    expect(screen.getByRole('region', { name: 'Running queries' }).textContent).toMatch(/^No query runs for more than/)
  })

  it('say that the one of a link is gone, until that is dismissed', async () => {
    const stage = show({}, 'orders|Orders/ByTotal|1')
    expect(await screen.findByText(/^The query of the link is over and no longer remembered\./)).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show all' }))
    expect(stage.view().params['activity.show']).toBeUndefined()
    expect(screen.queryByText(/^The query of the link/)).toBeNull()
  })

  it('are not known without their connection, which is not called none', async () => {
    show({ running: null, atTicks: null }, 'orders|Orders/ByTotal|1')
    expect(await screen.findByRole('heading', { name: 'Running queries are unknown' })).toBeTruthy()
    expect(screen.queryByText(/^No query runs/)).toBeNull()
    expect(screen.queryByText(/^The query of the link/)).toBeNull()
    await act(() => Promise.resolve())
  })
})

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { fakeCapture, type FakeCapture } from '../../../testing/fake-capture.ts'
import { renderPanel, type PanelStage } from '../../../testing/panel-stage.tsx'
import { timelinePanel } from '../panel.ts'
import TimelinePanel from './TimelinePanel.tsx'

const lanes = (): HTMLElement => screen.getByRole('group', { name: 'Rows' })
const names = (): readonly (string | null)[] =>
  within(lanes())
    .getAllByRole('button', { expanded: true })
    .map((button) => button.textContent)

async function openPanel(capture: FakeCapture, composed: string): Promise<PanelStage> {
  const { startTicks } = capture.data
  const range = { startTicks, endTicks: (startTicks + 20 * TICKS_PER_SECOND) as Ticks }
  const params = composed === '' ? {} : { 'timeline.composed': composed }
  const stage = renderPanel(<TimelinePanel panel={timelinePanel} />, capture, { sources: ['db:shop'], range, params })
  await waitFor(() => expect(names().length).toBeGreaterThan(0))
  return stage
}

describe('TimelinePanel', () => {
  it('shows lanes of features that do not know each other, with a table of each', async () => {
    const capture = fakeCapture()
    await openPanel(capture, 'io.journals,io.syncs')
    const table = await screen.findByRole('region', { name: 'Journal writes' })
    const { startTicks } = capture.data
    const inView = capture.data.events.filter(
      (event) =>
        event.kind === 'JournalWrite' &&
        event.lane.startsWith('db:shop|') &&
        event.startTicks < startTicks + 20 * TICKS_PER_SECOND,
    )
    expect(table.textContent).toContain(
      `Journal writes: ${inView.length.toLocaleString('en-US')} journal writes, the longest`,
    )
  })

  it('shows one storage environment, a track for each of its kinds, and one index', async () => {
    const capture = fakeCapture()
    const { startTicks, events } = capture.data
    const range = { startTicks, endTicks: (startTicks + 20 * TICKS_PER_SECOND) as Ticks }
    const { lanes: listed } = await capture.request('io.lanes', {
      sources: ['db:shop'],
      find: '',
      page: 0,
      openKinds: [],
    })
    const [one, other] = listed
    expect(other).toBeDefined()
    await openPanel(capture, `io.storage~${one!.label}@db:shop,indexing.index~none@db:shop`)
    const table = await screen.findByRole('region', { name: `Storage: ${one!.label} of shop` })
    const own = events.filter(
      ({ lane, startTicks: start }) => lane === one!.id && start >= range.startTicks && start < range.endTicks,
    )
    expect(own.length).toBeGreaterThan(0)
    await waitFor(() =>
      expect(table.textContent).toContain(`${own.length.toLocaleString('en-US')} events, the longest`),
    )
    expect(lanes().textContent).toContain('Index: none of shop')
  })

  it('shows nothing of the live server where only files are chosen', async () => {
    const capture = fakeCapture()
    const requested = vi.spyOn(capture, 'request')
    const params = { 'timeline.composed': 'io.journals,server.bottleneck,server.findings' }
    renderPanel(<TimelinePanel panel={timelinePanel} />, capture, { sources: ['file:nightly/a/shop'], params })
    await waitFor(() => expect(lanes().textContent).toContain('not in files'))
    const names = requested.mock.calls.map(([name]) => name)
    expect(names).not.toContain('server.bottlenecks')
    expect(names).not.toContain('triage.now')
  })

  it('has an overview of the first lane with marks', async () => {
    const capture = fakeCapture()
    const stage = await openPanel(capture, 'server.bottleneck,io.journals')
    const strip = screen.getByRole('group', { name: 'Overview of everything seen' })
    const canvas = strip.querySelector('canvas')!
    const marks = (): number => stage.recordings.get(canvas)?.of('fillRect').length ?? 0
    await waitFor(() => expect(marks()).toBeGreaterThan(20))
  })

  it('moves, folds and removes lanes by their menus, and adds one by typing: the URL has them', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(fakeCapture(), 'io.journals,server.cpu,indexing.batches')
    const composed = (): string | undefined => stage.view().params['timeline.composed']
    const choose = async (lane: string, item: string): Promise<void> => {
      const menu = screen.getByRole('menu', { name: `Lane ${lane}`, hidden: true })
      await user.click(within(menu).getByRole('menuitem', { name: item, hidden: true }))
    }
    await choose('CPU', 'Move up')
    expect(composed()).toBe('server.cpu,io.journals,indexing.batches')
    await choose('Batches', 'Taller')
    expect(composed()).toBe('server.cpu,io.journals,indexing.batches:90')
    await choose('Journal writes', 'Remove')
    expect(composed()).toBe('server.cpu,indexing.batches:90')
    await user.click(within(lanes()).getByRole('button', { name: /^CPU/ }))
    expect(composed()).toBe('server.cpu:f,indexing.batches:90')
    await user.click(screen.getByRole('button', { name: 'Add lane' }))
    await user.type(screen.getByRole('searchbox', { name: 'Find a lane' }), 'stall{Enter}')
    expect(composed()).toBe('server.cpu:f,indexing.batches:90,stalls.stalls')
  })

  it('keeps the focus on a lane that its menu moves, and on the next one where it is removed', async () => {
    const user = userEvent.setup()
    await openPanel(fakeCapture(), 'io.journals,server.cpu,indexing.batches')
    const menuOf = (lane: string): HTMLElement => within(lanes()).getByRole('button', { name: `Lane ${lane}` })
    const choose = async (item: string): Promise<void> => {
      const menu = screen.getByRole('menu', { name: 'Lane CPU', hidden: true })
      within(menu).getByRole('menuitem', { name: item, hidden: true }).focus()
      await user.keyboard('{Enter}')
    }
    await choose('Move down')
    expect(names().at(-1)).toMatch(/^CPU/)
    expect(document.activeElement).toBe(menuOf('CPU'))
    await choose('Move up')
    await choose('Move up')
    expect(names()[0]).toMatch(/^CPU/)
    expect(document.activeElement).toBe(menuOf('CPU'))
    await choose('Remove')
    expect(document.activeElement).toBe(menuOf('Journal writes'))
  })

  it('keeps a lane that no feature of this build has, as one that it does not know', async () => {
    await openPanel(fakeCapture(), 'io.journals,other.lane')
    await waitFor(() => expect(lanes().textContent).toContain('other.lanenot in this build'))
  })

  it('calls no lane unknown, nor by its id, while the lanes of this build are on their way', () => {
    const params = { 'timeline.composed': 'io.journals' }
    renderPanel(<TimelinePanel panel={timelinePanel} />, fakeCapture(), { sources: ['db:shop'], params })
    expect(lanes().textContent).toContain('loading …')
    expect(lanes().textContent).not.toMatch(/io\.journals|not in this build/)
  })
})

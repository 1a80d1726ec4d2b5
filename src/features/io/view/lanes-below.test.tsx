import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { formatSelection } from '../../../capture/frame/lanes/selection.ts'
import { settled } from '../../../charts/timeline/settle.ts'
import { fakeCapture } from '../../../testing/fake-capture.ts'
import { renderPanel, type PanelStage } from '../../../testing/panel-stage.tsx'
import { formatEventRef } from '../../../feeds/io/contract/event-ref.ts'
import { ioPanel } from '../panel.ts'
import IoPanel from './IoPanel.tsx'

vi.setConfig({ testTimeout: 40_000 })

const { data } = fakeCapture()
const RANGE = { startTicks: data.startTicks, endTicks: (data.startTicks + 20 * TICKS_PER_SECOND) as Ticks }
const timeline = (name: string): HTMLElement => screen.getByRole('application', { name })

async function openPanel(parts = {}): Promise<PanelStage> {
  const params = { 'io.composed': 'io.syncs,indexing.batches' }
  const stage = renderPanel(<IoPanel panel={ioPanel} />, fakeCapture(), {
    sources: ['db:shop', 'server'],
    range: RANGE,
    params,
    ...parts,
  })
  await waitFor(() => expect(timeline('Added lanes')).toBeTruthy())
  await screen.findAllByRole('region', { name: 'Data syncs' })
  await settled()
  return stage
}

/** Strokes on the upper canvas of a timeline: cursor, outlines, highlights. */
function overlayOf({ recordings }: PanelStage, name: string) {
  const [, overlay] = timeline(name).querySelectorAll('canvas')
  const recording = overlay === undefined ? undefined : recordings.get(overlay)
  if (recording === undefined) throw new Error(`${name} has drawn nothing`)
  return recording
}

for (const [moved, other] of [
  ['Added lanes', 'I/O timeline'],
  ['I/O timeline', 'Added lanes'],
] as const)
  it(`zooming in ${moved} moves ${other}`, async () => {
    const stage = await openPanel()
    const [marks] = timeline(other).querySelectorAll('canvas')
    const drawn = (): number => (marks === undefined ? 0 : (stage.recordings.get(marks)?.of('fillRect').length ?? 0))
    const before = drawn()
    fireEvent.keyDown(timeline(moved), { key: '+' })
    await waitFor(() => expect(stage.view().range).not.toEqual(RANGE))
    const { startTicks, endTicks } = stage.view().range ?? RANGE
    expect((endTicks - startTicks) / (RANGE.endTicks - RANGE.startTicks)).toBeCloseTo(0.7, 2)
    await waitFor(() => expect(drawn()).not.toBe(before))
  })

it('keeps chosen lanes while no event is in view', async () => {
  const startTicks = (data.startTicks + 24 * 3600 * TICKS_PER_SECOND) as Ticks
  const range = { startTicks, endTicks: (startTicks + 20 * TICKS_PER_SECOND) as Ticks }
  const params = { 'io.composed': 'io.syncs' }
  renderPanel(<IoPanel panel={ioPanel} />, fakeCapture(), { sources: ['db:shop', 'server'], range, params })
  await screen.findByText(/^No data yet: /)
  expect(await screen.findByRole('button', { name: 'Add lane' })).toBeTruthy()
  expect(timeline('Added lanes')).toBeTruthy()
})

it('draws the cursor in both timelines, wherever the pointer is', async () => {
  const stage = await openPanel()
  const lines = (name: string): readonly unknown[] =>
    overlayOf(stage, name)
      .of('fillRect')
      .filter(({ args }) => args[0] === 250 && args[2] === 1)
  for (const pointed of ['Added lanes', 'I/O timeline']) {
    fireEvent.pointerMove(timeline(pointed), { clientX: 250, clientY: 60 })
    await waitFor(() => {
      expect(lines('I/O timeline').length).toBeGreaterThan(0)
      expect(lines('Added lanes').length).toBeGreaterThan(0)
    })
    fireEvent.pointerLeave(timeline(pointed))
  }
})

it('has one axis: that of added lanes lies above what their box shows', async () => {
  await openPanel()
  const plotOf = (name: string): HTMLElement | null | undefined =>
    timeline(name).parentElement?.parentElement?.parentElement
  expect(plotOf('I/O timeline')?.style.marginTop).toBe('0px')
  expect(plotOf('Added lanes')?.style.marginTop).toBe('-34px')
})

it('highlights what a mark of the added lanes overlaps in the lanes of the panel', async () => {
  const sync = data.events.find(({ kind, lane }) => kind === 'DataSync' && lane.startsWith('db:shop|'))
  if (sync === undefined) throw new Error('no sync')
  const { startTicks, durationTicks } = sync
  const selection = formatSelection({ lane: 'io.syncs', startTicks, durationTicks, track: '' })
  const stage = await openPanel({ selection })
  await waitFor(() => expect(overlayOf(stage, 'I/O timeline').of('strokeRect').length).toBeGreaterThan(0))
})

it('lists what a mark that is selected in the panel overlaps in the added lanes', async () => {
  const syncs = data.events.filter(({ kind, lane }) => kind === 'DataSync' && lane.startsWith('db:shop|'))
  const write = data.events.find(
    ({ kind, lane, startTicks, durationTicks }) =>
      kind === 'JournalWrite' &&
      lane.startsWith('db:shop|') &&
      startTicks < RANGE.endTicks &&
      syncs.some(
        (sync) => sync.startTicks < startTicks + durationTicks && sync.startTicks + sync.durationTicks > startTicks,
      ),
  )
  if (write === undefined) throw new Error('no write overlaps a sync')
  await openPanel({ selection: formatEventRef(write) })
  const overlaps = within(await screen.findByRole('region', { name: 'Overlaps of what is selected' }))
  const found = within(overlaps.getByRole('region', { name: 'Data syncs' }))
  expect(found.getAllByRole('button').length).toBeGreaterThan(0)
})

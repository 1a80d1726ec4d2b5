import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { laterFeed } from '../../../../capture/worker/later-feed.ts'
import { fakeCapture, type FakeCapture } from '../../../../testing/fake-capture.ts'
import { renderPanel, type PanelStage } from '../../../../testing/panel-stage.tsx'
import type { StallMark, StallMarksResponse } from '../../../stalls/contract.ts'
import { formatEventRef } from '../../../../feeds/io/contract/event-ref.ts'
import { ioPanel } from '../../panel.ts'
import IoPanel from '../IoPanel.tsx'

const SECONDS = 20

/** A capture whose slowest journal write in view has stalled. */
function captureOfStall(): { capture: FakeCapture; mark: StallMark } {
  const response = { current: null as StallMarksResponse | null }
  const stalls = laterFeed('stalls', () => Promise.resolve({ responses: { 'stalls.marks': () => response.current! } }))
  const capture = fakeCapture({}, [stalls])
  const { events, startTicks } = capture.data
  const slowest = events
    .filter(
      (event) => event.kind === 'JournalWrite' && event.startTicks < startTicks + (SECONDS - 1) * TICKS_PER_SECOND,
    )
    .toSorted((a, b) => b.durationTicks - a.durationTicks)[0]!
  const mark: StallMark = {
    lane: slowest.lane,
    startTicks: slowest.startTicks,
    durationTicks: slowest.durationTicks,
    cause: 'sync',
    title: 'Data sync',
    blamed: 'Orders/Totals',
    selection: formatEventRef(slowest),
  }
  response.current = {
    version: 1,
    marks: [mark],
    causes: [{ cause: 'sync', title: 'Data sync', stalls: 1 }],
    total: 1,
    isComplete: true,
  }
  return { capture, mark }
}

async function openPanel(capture: FakeCapture, params = {}): Promise<PanelStage> {
  const { startTicks } = capture.data
  const range = { startTicks, endTicks: (startTicks + SECONDS * TICKS_PER_SECOND) as Ticks }
  const stage = renderPanel(<IoPanel panel={ioPanel} />, capture, { sources: ['db:shop', 'server'], range, params })
  await screen.findByRole('table')
  return stage
}
const requested = (capture: FakeCapture): unknown[] =>
  capture.requested.filter(({ name }) => name.startsWith('stalls.')).map(({ query }) => query)

describe('stalls in the lanes of I/O', () => {
  it('are requested only while they are shown, by the rule of Stalls', async () => {
    const user = userEvent.setup()
    const { capture } = captureOfStall()
    const stage = await openPanel(capture, { 'stalls.least': '20', 'io.fold': 'off' })
    expect(requested(capture)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Mark stalls' }))
    expect(stage.view().params['io.stalls']).toBe('on')
    const key = await screen.findByText(/^1 stalled journal write marked by cause/)
    expect(key.parentElement?.textContent).toContain('Data sync 1')
    expect(requested(capture)).toEqual([{ sources: ['db:shop', 'server'], settings: { least: '20' }, isWhole: false }])
    await user.click(screen.getByRole('button', { name: 'Mark stalls' }))
    expect(screen.queryByText(/marked by cause/)).toBeNull()
  })

  it('are drawn where they begin; a hover says the cause, a click leads to Stalls', async () => {
    const { capture, mark } = captureOfStall()
    const stage = await openPanel(capture, { 'io.stalls': 'on', 'io.fold': 'off' })
    const plot = screen.getByRole('application', { name: 'I/O timeline' })
    const canvas = plot.querySelector('canvas')!
    const xPx = ((mark.startTicks - capture.data.startTicks) / (SECONDS * TICKS_PER_SECOND)) * 1000
    // A triangle is drawn from its upper left corner.
    const corner = await waitFor(() => {
      const found = stage.recordings
        .get(canvas)!
        .of('moveTo')
        .find(({ args }) => Math.abs(Number(args[0]) - (xPx - 4)) < 1e-6)
      expect(found).toBeTruthy()
      return found!.args.map(Number)
    })
    const at = { clientX: xPx, clientY: corner[1]! + 4, pointerId: 1, pointerType: 'mouse', button: 0 }
    fireEvent.pointerMove(plot, at)
    const card = await screen.findByRole('tooltip')
    expect(card.textContent).toContain('CauseData sync')
    expect(card.textContent).toContain('Held up byOrders/Totals')
    fireEvent.pointerDown(plot, at)
    fireEvent.pointerUp(plot, at)
    expect(stage.opened).toEqual([{ panel: 'stalls', parts: { selection: mark.selection } }])
  })

  it('are read out of the mark that has the focus', async () => {
    const user = userEvent.setup()
    const { capture } = captureOfStall()
    await openPanel(capture, { 'io.stalls': 'on', 'io.hide': 'DataFlush,DataSync,Compression' })
    await screen.findByText(/marked by cause/)
    screen.getByRole('application', { name: 'I/O timeline' }).focus()
    await user.keyboard('m')
    expect((await screen.findByText(/Enter pins it/)).textContent).toContain('Stalled, cause: Data sync.')
  })
})

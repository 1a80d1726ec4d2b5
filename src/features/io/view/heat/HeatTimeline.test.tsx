import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { fakeCapture } from '../../../../testing/fake-capture.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { parseEventRef } from '../../../../feeds/io/contract/event-ref.ts'
import { ioPanel } from '../../panel.ts'
import IoPanel from '../IoPanel.tsx'

it('shows latencies instead of durations at a switch, which the link keeps, and takes the same keys', async () => {
  const user = userEvent.setup()
  const capture = fakeCapture()
  const { startTicks } = capture.data
  const range = { startTicks, endTicks: (startTicks + 20 * TICKS_PER_SECOND) as Ticks }
  const stage = renderPanel(<IoPanel panel={ioPanel} />, capture, { sources: ['db:shop', 'server'], range })
  await screen.findByRole('application', { name: 'I/O timeline' })
  expect(capture.requested.some(({ name }) => name === 'io.heat')).toBe(false)
  await user.click(screen.getByRole('radio', { name: 'Heat map' }))
  expect(stage.view().params['io.lanes']).toBe('heat')
  const plot = await screen.findByRole('application', { name: 'I/O latency heat map' })
  expect(screen.queryByRole('application', { name: 'I/O timeline' })).toBeNull()
  expect(screen.getByText(/> 4,096 events/)).toBeTruthy()
  expect(screen.queryByRole('radio', { name: 'Log size' })).toBeNull()
  plot.focus()
  // The first response is drawn when there is something to focus.
  await expect
    .poll(async () => {
      await user.keyboard('m')
      return screen.queryByText(/^Slowest of .* Enter pins it\.$/)
    })
    .not.toBeNull()
  await user.keyboard('{Enter}')
  const slowest = Math.max(
    ...capture.data.events.filter((event) => event.startTicks < range.endTicks).map((event) => event.durationTicks),
  )
  expect(parseEventRef(stage.view().selection)?.durationTicks).toBe(slowest)
  await user.click(screen.getByRole('radio', { name: 'Durations' }))
  expect(stage.view().params['io.lanes']).toBeUndefined()
})

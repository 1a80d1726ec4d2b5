import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import type { StallsResponse } from '../contract.ts'
import { stallsPanel } from '../panel.ts'
import StallsPanel from './StallsPanel.tsx'

const NONE: StallsResponse = {
  version: 1,
  stalls: [],
  total: 0,
  totalOfAll: 0,
  sums: 0,
  others: 0,
  judgements: [],
  circumstances: [],
  writes: 12,
  rolledUp: 0,
  slow: [],
  isComplete: true,
  unknownVolumes: 0,
  reportedVolumes: [],
  lanes: [],
}

it('keeps what is typed into the rule, and the focus, when the first response comes', async () => {
  let respond: (response: StallsResponse) => void = () => undefined
  const first = new Promise<StallsResponse>((resolve) => (respond = resolve))
  const capture = stubCapture()
  capture.responses.set('stalls.judge', () => first)
  const user = userEvent.setup()
  const stage = renderPanel(<StallsPanel panel={stallsPanel} />, capture, { sources: ['file:io.json'] })
  const field = screen.getByLabelText('At least')
  await user.clear(field)
  await user.type(field, '7')
  await act(() => {
    respond(NONE)
    return first
  })
  expect(await screen.findByText(/No stalls among 12/)).toBeTruthy()
  expect(document.activeElement).toBe(field)
  await user.keyboard('{Enter}')
  expect(stage.view().params).toEqual({ 'stalls.least': '7' })
})

it('has its stalls by their rule, journal writes and any added lane over time', async () => {
  const capture = stubCapture()
  capture.responses.set('stalls.judge', () => NONE)
  const requests: unknown[] = []
  capture.responses.set('stalls.marks', (params) => {
    requests.push(params)
    return { version: 1, marks: [], isComplete: true }
  })
  const user = userEvent.setup()
  const params = { 'stalls.least': '7' }
  const stage = renderPanel(<StallsPanel panel={stallsPanel} />, capture, { sources: ['file:io.json'], params })
  const over = within(await screen.findByRole('region', { name: 'Stalls over time' }))
  await waitFor(() =>
    expect(over.getAllByRole('button', { expanded: true }).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Stalls'),
      expect.stringContaining('Journal writes'),
    ]),
  )
  await waitFor(() => expect(requests).toContainEqual(expect.objectContaining({ settings: { least: '7' } })))
  await user.click(over.getByText('Legend'))
  expect(over.getByRole('region', { name: 'Legend' }).textContent).toContain('Journal writes')
  await user.click(over.getByRole('button', { name: 'Add lane' }))
  await user.type(screen.getByRole('searchbox', { name: 'Find a lane' }), 'CPU{Enter}')
  expect(stage.view().params['stalls.composed']).toMatch(/^stalls\.stalls,io\.journals,(server|stacks)\.cpu$/)
})

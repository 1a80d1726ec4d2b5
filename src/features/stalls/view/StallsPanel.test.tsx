import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import type { StallsResponse } from '../contract.ts'
import { stallsPanel } from '../panel.ts'
import StallsPanel from './StallsPanel.tsx'

afterEach(cleanup)

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
  slowMedians: [],
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

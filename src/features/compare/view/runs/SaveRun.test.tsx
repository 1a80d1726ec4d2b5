import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import { CaptureProvider } from '../../../../testing/CaptureProvider.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import { SaveRun } from './SaveRun.tsx'

it('fills in what limited the server, and keeps what was typed', async () => {
  const capture = stubCapture()
  let reads = 0
  capture.responses.set('server.now', () => ({
    cpu: { cores: 8 },
    memory: null,
    volumes: [],
  }))
  capture.responses.set('server.bottlenecks', () => {
    reads++
    return {
      version: 1,
      intervals: [{ startTicks: 0, endTicks: 100, label: 'cpu', title: 'CPU' }],
    }
  })
  const figures = {
    feed: 'io' as const,
    startTicks: 0 as Ticks,
    endTicks: 100 as Ticks,
    lines: [],
    left: 0,
  }
  const nothing = (): void => undefined
  render(
    <CaptureProvider capture={capture}>
      <SaveRun figures={figures} from="" canRead onSave={nothing} onClose={nothing} />
    </CaptureProvider>,
  )
  const field = screen.getByLabelText<HTMLInputElement>('Bottleneck')
  const fill = screen.getByRole('button', { name: 'Fill in from the server' })
  fireEvent.click(fill)
  await waitFor(() => expect(field.value).toMatch(/CPU/))
  fireEvent.change(field, { target: { value: 'Network' } })
  await waitFor(() => expect(fill).toHaveProperty('disabled', false))
  fireEvent.click(fill)
  await waitFor(() => expect([reads, (fill as HTMLButtonElement).disabled]).toEqual([2, false]))
  expect(field.value).toBe('Network')
})

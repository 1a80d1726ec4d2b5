import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import type { TickSpan } from '../../../base/ticks.ts'
import { stubCapture, type StubCapture } from '../../../testing/stub-capture.ts'
import type { PushedResponse } from './first-picture.ts'
import { createQueryClient } from './queries.ts'
import { seedQueries } from './seed.ts'
import { useRequest } from './useRequest.ts'
import { CaptureContext } from '../view.ts'

const params = (ticks: number) => ({ sources: [], minTicks: ticks as TickSpan })
const spans = (at: number) => ({ version: 1, spans: Float64Array.of(at, at + 1) })
const pushed = (ticks: number, at: number): PushedResponse => ({
  name: 'io.idle',
  params: params(ticks),
  response: spans(at),
})

interface Wish {
  readonly ticks: number
  readonly version: number
}

function shown(capture: StubCapture, first: Wish) {
  const queries = createQueryClient()
  const renders: (number | null)[] = []
  const wrapper = ({ children }: { readonly children: ReactNode }): ReactNode => (
    <QueryClientProvider client={queries}>
      <CaptureContext value={capture}>{children}</CaptureContext>
    </QueryClientProvider>
  )
  const render = () =>
    renderHook(
      ({ ticks, version }: Wish) => {
        const requested = useRequest('io.idle', params(ticks), { version, everyMs: 100 })
        renders.push(requested.response?.spans[0] ?? null)
        return requested
      },
      { wrapper, initialProps: first },
    )
  return { queries, renders, render }
}

it('shows what was pushed in the render that wants it, and requests nothing', () => {
  const capture = stubCapture()
  const { queries, render } = shown(capture, { ticks: 5, version: 3 })
  seedQueries(queries, 3, [pushed(5, 40)])
  const { result } = render()
  expect(result.current).toMatchObject({ response: spans(40), params: params(5), isCurrent: true, error: null })
  expect(capture.calls).toEqual([])
})

it('shows what was pushed while a request for something else is under way', async () => {
  const capture = stubCapture()
  const { queries, render } = shown(capture, { ticks: 5, version: 3 })
  const { result, rerender } = render()
  await waitFor(() => expect(capture.calls).toHaveLength(1))
  seedQueries(queries, 4, [pushed(5, 50)])
  rerender({ ticks: 5, version: 4 })
  expect(result.current.response).toEqual(spans(50))
  expect(capture.calls).toHaveLength(1)
})

it('requests what comes after it, and keeps it on screen meanwhile', async () => {
  const capture = stubCapture()
  capture.responses.set('io.idle', () => spans(60))
  const { queries, renders, render } = shown(capture, { ticks: 5, version: 3 })
  seedQueries(queries, 3, [pushed(5, 40)])
  const { result, rerender } = render()
  rerender({ ticks: 6, version: 3 })
  await waitFor(() => expect(result.current.response).toEqual(spans(60)))
  expect(capture.calls).toEqual([['io.idle', params(6)]])
  expect(new Set(renders.filter((at) => at !== null))).toEqual(new Set([40, 60]))
})

it('drops what was pushed for other parameters, or for data that is history', async () => {
  const capture = stubCapture()
  capture.responses.set('io.idle', () => spans(70))
  const { queries, renders, render } = shown(capture, { ticks: 5, version: 4 })
  seedQueries(queries, 3, [pushed(5, 40)])
  seedQueries(queries, 4, [pushed(6, 41)])
  const { result } = render()
  await waitFor(() => expect(result.current.response).toEqual(spans(70)))
  expect(capture.calls).toEqual([['io.idle', params(5)]])
  expect(new Set(renders)).toEqual(new Set([null, 70]))
})

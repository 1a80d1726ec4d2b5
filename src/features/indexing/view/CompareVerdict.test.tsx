import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import { boundsOf } from '../../../base/statistics/estimate.ts'
import { CaptureProvider } from '../../../testing/CaptureProvider.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import type { CompareSideParams } from '../../compare/contract.ts'
import type { IndexingCompareSide } from '../../../feeds/indexing/contract/summary.ts'
import { CompareVerdict } from './CompareVerdict.tsx'

const side = (index: string): IndexingCompareSide => ({
  index: `db:shop|${index}`,
  startTicks: 0 as Ticks,
  endTicks: 1000 as Ticks,
})

/** Each index has batches of the milliseconds that its name starts with; `drifts`: without bounds for that reason. */
function show(drifts: boolean) {
  const capture = stubCapture()
  capture.responses.set('compare.side', (request) => {
    const { lane, startTicks, endTicks } = request as CompareSideParams
    if (lane === 'db:shop|lost') throw new Error('no memory')
    const ms = Number.parseInt((lane ?? '').slice('db:shop|'.length), 10)
    const value = ms * 10_000
    const bounds = [0.99, 0.98].map((by) => [value * by, value / by] as const)
    const estimate = boundsOf(value, drifts ? null : bounds, drifts)
    const quantiles = [estimate, estimate, estimate]
    const line = {
      path: 'a',
      name: 'a',
      kind: 'batch',
      count: 100_000,
      bytes: 0,
      knownTicks: 1000,
      unit: 'ticks',
    }
    const rest = {
      role: 'duration',
      rate: null,
      mean: null,
      atLoad: null,
      max: value,
      sampleTicks: 0,
      rollUps: 0,
    }
    return {
      version: 1,
      feed: 'indexing',
      startTicks,
      endTicks,
      lines: [{ ...line, ...rest, quantiles }],
      left: 0,
    }
  })
  const of = (b: string) => (
    <CaptureProvider capture={capture}>
      <CompareVerdict a={side('10')} b={side(b)} version={1} />
    </CaptureProvider>
  )
  const { rerender } = render(of('20'))
  return (b: string) => rerender(of(b))
}

it('has no verdict of an index that is no longer compared, and says why there is none', async () => {
  const compareWith = show(false)
  expect(await screen.findByText('B is slower.')).toBeDefined()
  compareWith('lost')
  expect(screen.queryByText('B is slower.')).toBeNull()
  expect((await screen.findByRole('alert')).textContent).toContain('The view could not be computed.')
  expect(screen.queryByText('B is slower.')).toBeNull()
  compareWith('5')
  expect(await screen.findByText('B is faster.')).toBeDefined()
})

it('says that durations drift, and not that there are too few batches', async () => {
  show(true)
  expect((await screen.findByText(/^Too variable to tell/)).textContent).toContain('Choose longer ranges.')
  expect(screen.queryByText(/Too few/)).toBeNull()
})

import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { ResponseOf } from '../../../capture/client/requests/requests.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture, unanswered } from '../../../testing/stub-capture.ts'
import { CostThreads, usedIn } from './CostThreads.tsx'

type Job = ResponseOf<'threads.history'>['jobs'][number]['job']

const job = (label: string, database: string | null): Job => ({
  key: label,
  kind: 'index' as const,
  label,
  database,
  name: null,
  isCut: false,
})

it('takes the mean of the seconds that were received, and leaves out what used nothing', () => {
  const nothing = Number.NaN
  expect(
    usedIn({
      bucketTicks: 1 as TickSpan,
      startTicks: Float64Array.of(0, 1, 2),
      jobs: [
        { job: job('Index A', 'Shop'), percent: Float32Array.of(50, nothing, 25) },
        { job: job('Transaction merger', null), percent: Float32Array.of(0, nothing, 0) },
      ],
      others: Float32Array.of(nothing, nothing, nothing),
      restOfProcess: Float32Array.of(12.5, nothing, 0),
      restOfMachine: Float32Array.of(0, nothing, 0),
      idle: Float32Array.of(37.5, nothing, 75),
    }),
  ).toEqual([
    { what: 'Index A of Shop', share: 0.375 },
    { what: 'Rest of the server', share: 0.0625 },
    { what: 'Idle', share: 0.5625 },
  ])
})

it('says why there is no list of threads', async () => {
  const capture = stubCapture()
  const none = new Float32Array(0)
  const history: ResponseOf<'threads.history'> = {
    bucketTicks: 1 as TickSpan,
    startTicks: new Float64Array(0),
    jobs: [],
    others: none,
    restOfProcess: none,
    restOfMachine: none,
    idle: none,
  }
  capture.responses.set('threads.history', () => history)
  capture.responses.set('threads.want', () => ({
    phase: 'refused',
    message: '',
    retryAtMs: null,
    error: { ...unanswered, message: 'Needs the clearance Operator.' },
    atTicks: Number.NaN,
    machinePercent: Number.NaN,
    processPercent: Number.NaN,
  }))
  renderPanel(<CostThreads range={{ startTicks: 0 as Ticks, endTicks: 1 as Ticks }} endedMs={0} />, capture)
  expect(await screen.findByText('Needs the clearance Operator.')).toBeTruthy()
  expect(screen.queryByText(/run the query again/)).toBeNull()
})

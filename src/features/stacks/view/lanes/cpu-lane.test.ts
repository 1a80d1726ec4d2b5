import { expect, it } from 'vitest'
import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import type { LaneView } from '../../../../capture/frame/lanes/lane.ts'
import { buildTimeScale, NO_FOLDS } from '../../../../charts/scale.ts'
import { TEST_TOKENS } from '../../../../testing/canvas-tokens.ts'
import { recordingContext } from '../../../../testing/recording-context.ts'
import type { HistoryResponse } from '../../../../feeds/stacks/contract/live.ts'
import lane from './cpu-lane.ts'

const job = (name: string) =>
  ({ key: `index:${name}`, kind: 'index', label: `Index ${name}`, database: 'shop', name, isCut: false }) as const

/** Three buckets of 10 ticks: nothing was received in the second. */
const HISTORY: HistoryResponse = {
  bucketTicks: 10 as TickSpan,
  startTicks: Float64Array.of(0, 10, 20),
  jobs: [
    { job: job('Busy'), percent: Float32Array.of(30, Number.NaN, 10) },
    { job: job('Calm'), percent: Float32Array.of(5, Number.NaN, 5) },
  ],
  others: Float32Array.of(5, Number.NaN, 1),
  restOfProcess: Float32Array.of(2, Number.NaN, 2),
  restOfMachine: Float32Array.of(50, Number.NaN, 50),
  idle: Float32Array.of(8, Number.NaN, 32),
}

const range = { startTicks: 0 as Ticks, endTicks: 30 as Ticks }
const view = { window: { ...range, resolutionTicks: 1 } } as unknown as LaneView

const read = (history: HistoryResponse) => {
  const request = (): Promise<never> => Promise.resolve(history) as Promise<never>
  return lane.read(request, view, new AbortController().signal)
}

it('has a mark for each bucket that was received, with the jobs of it', async () => {
  const { tracks, summarize, legend } = await read(HISTORY)
  const [track] = tracks
  expect([...(track?.marks.startTicks ?? [])]).toEqual([0, 20])
  expect(track?.itemAt(1).facts).toEqual([
    ['Other jobs', '1.00 %'],
    ['Index Calm of shop', '5.00 %'],
    ['Index Busy of shop', '10.0 %'],
  ])
  expect(summarize(range)).toBe('Index Busy of shop 20.0 %, Index Calm of shop 5.00 %, Other jobs 3.00 %')
  expect(summarize({ startTicks: 10 as Ticks, endTicks: 20 as Ticks })).toBe('')
  expect(legend.map(({ title }) => title)).toEqual(['Index Busy of shop', 'Index Calm of shop', 'Other jobs'])
})

it('draws jobs stacked, as high as the most of what is known, and names that', async () => {
  const { tracks } = await read(HISTORY)
  const recording = recordingContext()
  const scale = buildTimeScale({ range, widthPx: 300, rule: NO_FOLDS })
  tracks[0]?.draw(recording.context, { scale, tokens: TEST_TOKENS }, { yPx: 100, heightPx: 42 })
  const rects = recording.of('fillRect').map(({ args }) => args.map((value) => Math.round(Number(value))))
  // 30, 5 and 5 percent of 40 fill the lane, whose inside is 40 px high.
  expect(rects.filter(([xPx]) => xPx === 0)).toEqual([
    [0, 112, 100, 30],
    [0, 107, 100, 5],
    [0, 102, 100, 5],
  ])
  // Nothing was received in the second bucket, which is darkened as a whole.
  expect(rects.filter(([xPx]) => xPx === 100)).toEqual([[100, 102, 100, 40]])
  expect(recording.texts()).toEqual(['40.0 %'])
})

it('says that no list was received', async () => {
  const { tracks, nothing } = await read({
    ...HISTORY,
    startTicks: new Float64Array(0),
    jobs: [],
    others: new Float32Array(0),
  })
  expect(tracks).toEqual([])
  expect(nothing).toBe('no list of threads was received')
})

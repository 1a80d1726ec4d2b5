import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import { buildTimeScale } from '../../../../charts/scale.ts'
import { fakeJob } from '../../../../testing/generated/generated-stacks.ts'
import type { HistoryResponse } from '../../../../feeds/stacks/contract/live.ts'
import { assignSlots, cpuBands, receivedSpans, JOB_HUES, layoutCpu, sumUp } from './cpu-areas.ts'

const NONE = Number.NaN
const HISTORY: HistoryResponse = {
  bucketTicks: 10 as TickSpan,
  startTicks: Float64Array.of(100, 110, 120),
  jobs: [
    { job: fakeJob('index', 'Users/ByName', 'shop'), percent: Float32Array.of(50, NONE, 20) },
    { job: fakeJob('merger', '', 'shop'), percent: Float32Array.of(25, NONE, 0) },
  ],
  others: Float32Array.of(0, NONE, 10),
  restOfProcess: Float32Array.of(5, NONE, 10),
  restOfMachine: Float32Array.of(10, NONE, 60),
  idle: Float32Array.of(10, NONE, 0),
}
const SCALE = buildTimeScale({ range: { startTicks: 100 as Ticks, endTicks: 130 as Ticks }, widthPx: 300 })
const BANDS = cpuBands(HISTORY)

describe('CPU bands', () => {
  it('stand on each other up to 100 %, and nothing is drawn where nothing was received', () => {
    const [first, second, others, process, machine] = layoutCpu(HISTORY, BANDS, SCALE, 100)
    expect([...first!.rects]).toEqual([0, 100, 50, 50, 200, 100, 80, 20])
    expect([...second!.rects]).toEqual([0, 100, 25, 25])
    expect([...others!.rects]).toEqual([200, 100, 70, 10])
    expect([...process!.rects]).toEqual([0, 100, 20, 5, 200, 100, 60, 10])
    expect([...machine!.rects]).toEqual([0, 100, 10, 10, 200, 100, 0, 60])
  })

  it('separate what was received from what was not', () => {
    expect(receivedSpans(HISTORY)).toEqual([100, 110, 120, 130])
    expect(receivedSpans({ ...HISTORY, others: Float32Array.of(1, 2, 3) })).toEqual([100, 130])
  })

  it('are summed up over what is known', () => {
    expect(sumUp(HISTORY.jobs[0]!.percent)).toEqual({ mean: 35, most: 50, last: 20 })
    expect(sumUp(Float32Array.of(NONE))).toEqual({ mean: NONE, most: NONE, last: NONE })
  })

  it('have hues of their own while there are enough, whatever their order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: JOB_HUES }), (keys) => {
        const slots = assignSlots(keys)
        expect(new Set(slots.values()).size).toBe(keys.length)
        expect(assignSlots(keys.toReversed())).toEqual(slots)
      }),
    )
  })
})

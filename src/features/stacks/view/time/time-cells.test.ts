import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import { buildTimeScale } from '../../../../charts/scale.ts'
import { fakeJob } from '../../../../testing/generated/generated-stacks.ts'
import type { LanesResponse } from '../../../../feeds/stacks/contract/lanes.ts'
import { cellOf, columnAt, layoutColumns, sumLane } from './time-cells.ts'

const SCALE = buildTimeScale({ range: { startTicks: 0 as Ticks, endTicks: 1000 as Ticks }, widthPx: 1000 })
const LANES: LanesResponse = {
  version: 1,
  snapshots: [7, 8, 9],
  atTicks: Float64Array.of(100, 110, 500),
  lanes: [
    {
      job: fakeJob('index', 'Users/ByName', 'shop'),
      wait: Uint8Array.of(0, 1, 255),
      threads: Uint16Array.of(1, 2, 0),
      dominant: Uint16Array.of(1, 2, 0),
      cpuPercent: Float32Array.of(25, 0, Number.NaN),
    },
  ],
}

describe('cells of snapshots', () => {
  it('stand at their time, as wide as their neighbours allow', () => {
    const columns = layoutColumns(LANES.atTicks, SCALE)
    expect([...columns.xPx]).toEqual([95.5, 105.5, 489])
    expect([...columns.widthPx]).toEqual([9, 9, 22])
    expect(columns.isOrdered).toBe(false)
  })

  it('stand in order where no time is reported', () => {
    const columns = layoutColumns(Float64Array.of(Number.NaN, Number.NaN), SCALE)
    expect(columns.isOrdered).toBe(true)
    expect(columns.xPx[1]!).toBeGreaterThan(columns.xPx[0]!)
  })

  it('are hit where they are', () => {
    const columns = layoutColumns(LANES.atTicks, SCALE)
    expect(columnAt(columns, 100)).toBe(0)
    expect(columnAt(columns, 110)).toBe(1)
    expect(columnAt(columns, 513)).toBe(2)
    expect(columnAt(columns, 300)).toBe(-1)
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 }), (times) => {
        const drawn = layoutColumns(Float64Array.from(times.toSorted((a, b) => a - b)), SCALE)
        for (let i = 0; i < times.length; i++)
          if (drawn.widthPx[i]! >= 4) expect(columnAt(drawn, drawn.xPx[i]! + drawn.widthPx[i]! / 2)).toBe(i)
      }),
    )
  })

  it('say what most threads of the job did', () => {
    const [lane] = LANES.lanes
    expect(cellOf(LANES, lane!, 1)).toMatchObject({ snapshot: 8, wait: 'disk', threads: 2, dominant: 2 })
    expect(cellOf(LANES, lane!, 2)).toMatchObject({ wait: null, threads: 0 })
    expect(sumLane(lane!)).toEqual({ waits: [1, 1, 0, 0, 0, 0, 0, 0, 0], seen: 2 })
  })
})

import { describe, expect, it } from 'vitest'
import { TICKS_PER_SECOND, type TickSpan } from '../../../../base/ticks.ts'
import type { SeriesRows } from '../../../../feeds/server/contract/series.ts'
import { headroomOf, loadOf, neededShare, NO_LIMITS } from './volume-ceiling.ts'

const rows = (means: readonly number[], counts: readonly number[] = means.map(() => 30)): SeriesRows => ({
  key: 'volume.reads|/',
  bucketTicks: (30 * TICKS_PER_SECOND) as TickSpan,
  tierSeconds: 10,
  length: means.length,
  startTicks: Float64Array.from(means, (_, i) => i * 30 * TICKS_PER_SECOND),
  mean: Float64Array.from(means),
  min: Float64Array.from(means),
  max: Float64Array.from(means, (value) => value * 10),
  count: Float64Array.from(counts),
})
const of = (reads: SeriesRows, writes: SeriesRows) =>
  loadOf({ reads, writes, readBytes: rows([1e6, 2e6, 3e6]), writeBytes: rows([9e6, 8e6, 1e6]) })

describe('the ceiling of a volume', () => {
  it('is the highest mean of reads and writes together, never a peak within', () => {
    expect(of(rows([100, 300, 50]), rows([500, 250, 50]))).toEqual({
      peak: { iops: 600, megabytes: 10 },
      newest: { iops: 100, megabytes: 4 },
      bucketSeconds: 30,
      buckets: 3,
    })
  })

  it('leaves out what did not last, and is not known of gaps alone', () => {
    expect(of(rows([9000, 300, 50], [3, 30, 30]), rows([9000, 250, 50]))?.peak.iops).toBe(550)
    expect(of(rows([Number.NaN], [0]), rows([Number.NaN], [0]))).toBeNull()
  })

  it('is what is typed, where something is', () => {
    const load = of(rows([100, 300, 50]), rows([500, 250, 50]))!
    expect(headroomOf(load, NO_LIMITS, 'iops')).toMatchObject({ ceiling: 600, left: 500, from: 'measured' })
    const typed = { iops: 400, megabytes: 40, price: 80 }
    expect(headroomOf(load, typed, 'iops')).toEqual({ used: 100, ceiling: 400, share: 0.25, left: 300, from: 'typed' })
    expect(headroomOf(load, typed, 'megabytes')).toMatchObject({ share: 0.1, left: 36 })
    // The highest load exceeded the limit of operations: all of it is needed.
    expect(neededShare(load, typed)).toBe(1)
    expect(neededShare(load, { ...typed, iops: null })).toBe(0.25)
    expect(neededShare(load, NO_LIMITS)).toBeNull()
  })
})

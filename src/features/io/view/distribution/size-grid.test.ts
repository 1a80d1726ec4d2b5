import { describe, expect, it } from 'vitest'
import type { IoKindSizes } from '../../../../feeds/io/contract/details.ts'
import {
  bytesOf,
  cellOpacity,
  describeDuration,
  describeSize,
  durationTicks,
  gridOf,
  sizeTicks,
  speedLines,
  ticksOf,
} from './size-grid.ts'

const kind = (size: number[], duration: number[]): IoKindSizes => ({
  kind: 'JournalWrite',
  size: Uint16Array.from(size),
  duration: Uint16Array.from(duration),
  count: Uint32Array.from(size, () => 1),
  slowest: [],
})
const BOX = { left: 0, right: 400, top: 0, foot: 200 }
/** 4 KiB to 4 MiB, 100 µs to 1 s. */
const GRID = gridOf([kind([24], [24]), kind([43], [55])], BOX)

describe('the grid of sizes and durations', () => {
  it('covers all cells of all kinds', () => {
    expect(bytesOf(24)).toBe(4096)
    expect(ticksOf(24)).toBe(1000)
    expect(GRID.x(4096)).toBeCloseTo(0)
    expect(GRID.x(4 * 2 ** 20)).toBeCloseTo(400)
    expect(GRID.y(1000)).toBeCloseTo(200)
    expect(GRID.y(1e7)).toBeCloseTo(0)
  })

  it('labels powers, as many as fit', () => {
    expect(durationTicks(GRID)).toEqual([1e3, 1e4, 1e5, 1e6, 1e7])
    expect(sizeTicks(GRID).map(Math.log2)).toEqual([12, 14, 16, 18, 20, 22])
  })

  it('draws lines of equal speed where bytes over duration are a speed', () => {
    const lines = speedLines(GRID, 256 * 1024)
    // 1 MiB/s: 256 KiB take 250 ms, and 1 MiB takes the second at which the grid ends.
    expect(lines[0]?.bytesPerSecond).toBe(2 ** 20)
    expect(lines[0]?.fromBytes).toBe(256 * 1024)
    expect(lines[0]?.toBytes).toBeCloseTo(2 ** 20, 3)
    // 100 MiB/s: 4 MiB take 40 ms.
    expect(lines[1]?.toBytes).toBeCloseTo(4 * 2 ** 20, 3)
  })

  it('shows a single event, and fuller cells more strongly', () => {
    expect(cellOpacity(1, 1)).toBe(1)
    expect(cellOpacity(1, 1000)).toBeCloseTo(0.2)
    expect(cellOpacity(1000, 1000)).toBeCloseTo(1)
  })
})

it('says of the first cell that it holds all that is smaller, also none', () => {
  expect([describeSize(0), describeDuration(0)]).toEqual(['less than 2 B', 'less than 0.2 µs'])
  expect([describeSize(24), describeDuration(24)]).toEqual(['4.00 KiB to 5.66 KiB', '100 µs to 133 µs'])
})

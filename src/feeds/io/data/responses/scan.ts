import type { EventChunk } from '../../../../base/columns/event-chunk.ts'
import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import type { EventTable } from '../../../../base/columns/event-table.ts'
import type { Aggregate } from '../../../../base/columns/pyramid.ts'
import { LEAF_ROWS } from '../../../../base/columns/pyramid.ts'
import { isOfFile } from '../../contract/limits.ts'
import type { IoFilter, IoRowRef } from '../../contract/rows.ts'
import type { IoStore } from '../table.ts'
import type { IoTrack } from '../lane-table.ts'
import { FILE } from '../reading/wire.ts'

/** Conditions for matching rows: inclusive bounds, and a file or any. */
export interface Predicate {
  readonly minTicks: number
  readonly maxTicks: number
  readonly minBytes: number
  readonly maxBytes: number
  /** Value of column FILE; −1: any. */
  readonly file: number
}

/** Condition for the filter and file; null: every row matches, so that whole nodes of the pyramid can be used. */
export function predicateOf(filter: IoFilter, file: number | null): Predicate | null {
  const none =
    filter.minTicks === null && filter.maxTicks === null && filter.minBytes === null && filter.maxBytes === null
  if (none && file === null) return null
  return {
    minTicks: filter.minTicks ?? 0,
    maxTicks: filter.maxTicks ?? Number.POSITIVE_INFINITY,
    minBytes: filter.minBytes ?? 0,
    maxBytes: filter.maxBytes ?? Number.POSITIVE_INFINITY,
    file: file ?? -1,
  }
}

/** Track that a row shows; null: not in the capture. */
export const trackOf = (store: IoStore, row: IoRowRef): IoTrack | null =>
  store.lanes.get(row.lane)?.tracks.get(row.kind) ?? null

/** Adds the matching rows of [from, to) to `into`. O(log n) without a predicate, else O(rows) minus pruned parts. */
export function addMatching(
  table: EventTable,
  from: number,
  to: number,
  predicate: Predicate | null,
  into: Aggregate,
): void {
  if (predicate === null) {
    table.addTo(into, from, to)
    return
  }
  forEachMatching(table, from, to, predicate, (chunk, row, firstRow) => {
    const duration = chunk.read(DURATION, row)
    const size = chunk.read(SIZE, row)
    into.count++
    into.busy += duration
    into.bytes += size
    if (duration > into.slowestDuration) {
      into.slowest = firstRow + row
      into.slowestDuration = duration
    }
    if (size > into.largestSize) {
      into.largest = firstRow + row
      into.largestSize = size
    }
  })
}

/** Visits the matching rows of [from, to) in order. Leaves whose extremes cannot match are skipped. */
export function forEachMatching(
  table: EventTable,
  from: number,
  to: number,
  predicate: Predicate | null,
  visit: (chunk: EventChunk, row: number, firstRow: number) => void,
): void {
  table.forEachPart(from, to, (chunk, partFrom, partTo, firstRow) => {
    if (predicate !== null && !mayMatch(chunk, predicate)) return
    const leaves = chunk.pyramid.levels[0]
    for (let row = partFrom; row < partTo;) {
      const leafEnd = Math.min(partTo, (Math.floor(row / LEAF_ROWS) + 1) * LEAF_ROWS)
      if (predicate !== null && leaves !== undefined) {
        const leaf = Math.floor(row / LEAF_ROWS)
        const slowest = chunk.read(DURATION, leaves.slowest[leaf] as number)
        const largest = chunk.read(SIZE, leaves.largest[leaf] as number)
        if (slowest < predicate.minTicks || largest < predicate.minBytes) {
          row = leafEnd
          continue
        }
      }
      for (; row < leafEnd; row++) if (predicate === null || matches(chunk, row, predicate)) visit(chunk, row, firstRow)
    }
  })
}

export function mayMatch(chunk: EventChunk, predicate: Predicate): boolean {
  if (chunk.totals.slowestDuration < predicate.minTicks || chunk.totals.largestSize < predicate.minBytes) return false
  const files = chunk.columns[FILE]
  return predicate.file === -1 || files === undefined || files.offsets !== null || isOfFile(predicate.file, files.base)
}

export function matches(chunk: EventChunk, row: number, predicate: Predicate): boolean {
  const duration = chunk.read(DURATION, row)
  if (duration < predicate.minTicks || duration > predicate.maxTicks) return false
  const size = chunk.read(SIZE, row)
  if (size < predicate.minBytes || size > predicate.maxBytes) return false
  return predicate.file === -1 || isOfFile(predicate.file, chunk.read(FILE, row))
}

/**
 * Visits the rows that start before `startTicks` and end after it, so that they reach into a view from the left. Skips
 * chunks and leaves that end before it.
 */
export function forEachReachingInto(
  table: EventTable,
  startTicks: number,
  predicate: Predicate | null,
  visit: (chunk: EventChunk, row: number, firstRow: number) => void,
): void {
  for (let i = 0; i < table.chunks.length; i++) {
    const chunk = table.chunks[i] as EventChunk
    if (chunk.firstTicks >= startTicks) return
    if (chunk.endTicks <= startTicks) continue
    const leaves = chunk.pyramid.levels[0]
    const end = chunk.lowerBound(startTicks)
    for (let row = 0; row < end; row++) {
      if (row % LEAF_ROWS === 0 && leaves !== undefined) {
        const longest = chunk.read(DURATION, leaves.slowest[row / LEAF_ROWS] as number)
        const lastOfLeaf = Math.min(row + LEAF_ROWS, end) - 1
        if (chunk.read(START, lastOfLeaf) + longest <= startTicks) {
          row = lastOfLeaf
          continue
        }
      }
      if (chunk.read(START, row) + chunk.read(DURATION, row) <= startTicks) continue
      if (predicate === null || matches(chunk, row, predicate)) visit(chunk, row, table.firstRowOf(i))
    }
  }
}

import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import type { IoRowsParams } from '../../contract/rows.ts'
import type { Part } from './parts.ts'
import type { Predicate } from './scan.ts'
import { forEachMatching, forEachReachingInto } from './scan.ts'

/** A row, with the index of its part in the list of parts. */
export interface PlacedRow {
  readonly part: number
  readonly row: number
  readonly key: number
}

/** Number of rows visited at once when a part is read from its end. */
const STEP_ROWS = 1024

/**
 * Returns the first `count` rows of the requested order without sorting all rows: by time they are at the ends of the
 * tracks; the longest and largest are found with the pyramid. Null: not possible for this order (shortest, by name, …).
 */
export function firstRows(parts: readonly Part[], params: IoRowsParams, count: number): PlacedRow[] | null {
  if (params.sort === 'start')
    return best(
      parts.flatMap((part, i) => endOf(part, i, count, params.descending)),
      count,
      params.descending,
    )
  if ((params.sort === 'duration' || params.sort === 'size') && params.descending)
    return extremes(parts, params.sort === 'duration' ? DURATION : SIZE, count)
  return null
}

/** Best rows in order; equal ones by part and row, as in the complete order. */
const best = (rows: readonly PlacedRow[], count: number, descending: boolean): PlacedRow[] =>
  rows
    .toSorted((a, b) => (descending ? b.key - a.key : a.key - b.key) || a.part - b.part || a.row - b.row)
    .slice(0, count)

/** First or last `count` matching rows of one part. */
function endOf({ events, from, to, predicate }: Part, part: number, count: number, fromEnd: boolean): PlacedRow[] {
  const found: PlacedRow[] = []
  for (let at = 0; from + at < to && found.length < count; at += STEP_ROWS) {
    const [stepFrom, stepTo] = fromEnd
      ? [Math.max(from, to - at - STEP_ROWS), to - at]
      : [from + at, Math.min(to, from + at + STEP_ROWS)]
    forEachMatching(events, stepFrom, stepTo, predicate, (chunk, row, firstRow) =>
      found.push({ part, row: firstRow + row, key: chunk.read(START, row) }),
    )
  }
  return best(found, count, fromEnd)
}

/** Rows that began before the range and reach into it: they are visible in it, and may be its outliers. */
export const reachingInto = (parts: readonly Part[], startTicks: number): PlacedRow[] =>
  parts.flatMap(({ events, predicate }, part) => {
    const found: PlacedRow[] = []
    forEachReachingInto(events, startTicks, predicate, (chunk, row, firstRow) =>
      found.push({ part, row: firstRow + row, key: chunk.read(DURATION, row) }),
    )
    return found
  })

/**
 * The `count` rows with the largest value, including `begun`; skips leaves without a value above the smallest of them.
 */
export function extremes(
  parts: readonly Part[],
  column: typeof DURATION | typeof SIZE,
  count: number,
  begun: readonly PlacedRow[] = [],
): PlacedRow[] {
  let found: PlacedRow[] = [...begun]
  let least = -1
  if (count <= 0) return []
  // There may be tens of thousands of parts, so rows are sorted once many are collected, not for each part.
  const trim = (): void => {
    found = best(found, count, true)
    if (found.length === count) least = found.at(-1)?.key ?? -1
  }
  if (found.length >= count) trim()
  for (const [i, { events, from, to, predicate }] of parts.entries()) {
    // The same object throughout: its bounds rise while rows are visited.
    const wanted: { -readonly [K in keyof Predicate]: Predicate[K] } = { ...(predicate ?? ANY) }
    const raise = (): void => {
      // A row equal to the last one comes after it, because parts and rows are visited in order.
      if (column === DURATION) wanted.minTicks = Math.max(wanted.minTicks, least + 1)
      else wanted.minBytes = Math.max(wanted.minBytes, least + 1)
    }
    raise()
    forEachMatching(events, from, to, wanted, (chunk, row, firstRow) => {
      const key = chunk.read(column, row)
      if (key <= least) return
      found.push({ part: i, row: firstRow + row, key })
      if (found.length < count * 4) return
      trim()
      raise()
    })
  }
  return best(found, count, true)
}

/** Every row. */
export const ANY: Predicate = {
  minTicks: 0,
  maxTicks: Number.POSITIVE_INFINITY,
  minBytes: 0,
  maxBytes: Number.POSITIVE_INFINITY,
  file: -1,
}

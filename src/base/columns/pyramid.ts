/** Rows under one node of the finest level. */
export const LEAF_ROWS = 16

/** A level with nodes of `spanRows` rows each (the last one may have fewer). Row indexes are below 65,536. */
export interface PyramidLevel {
  readonly spanRows: number
  readonly busy: Float64Array
  readonly bytes: Float64Array
  /** Row with the longest duration; the first of equal ones. */
  readonly slowest: Uint16Array
  /** Row with the largest size; the first of equal ones. */
  readonly largest: Uint16Array
}

/**
 * Sums and extremes over power-of-two spans of rows:
 * ```
 * level 2  [            64             ]
 * level 1  [     32     ][     32      ]
 * level 0  [ 16 ][ 16  ][  16  ][  16  ]
 * rows     ................................
 * ```
 * Durations and sizes are whole numbers, so the sums of every level equal the sums of the rows exactly.
 */
export interface Pyramid {
  readonly length: number
  readonly levels: readonly PyramidLevel[]
}

/** Pyramid without levels, for few rows that are read one by one. */
export const NO_PYRAMID: Pyramid = { length: 0, levels: [] }

/** Contents of a span of rows. `slowest` and `largest` are row indexes; −1 in an empty span. */
export interface Aggregate {
  count: number
  busy: number
  bytes: number
  slowest: number
  slowestDuration: number
  largest: number
  largestSize: number
}

export const emptyAggregate = (): Aggregate => ({
  count: 0,
  busy: 0,
  bytes: 0,
  slowest: -1,
  slowestDuration: -1,
  largest: -1,
  largestSize: -1,
})

/** Builds all levels over the first `length` (at most 65,536) rows. O(n). */
export function buildPyramid(durations: Float64Array, sizes: Float64Array, length: number): Pyramid {
  const levels: PyramidLevel[] = []
  if (length === 0) return { length, levels }
  const leaves = emptyLevel(LEAF_ROWS, length)
  for (let node = 0; node < leaves.busy.length; node++) {
    const start = node * LEAF_ROWS
    const end = Math.min(start + LEAF_ROWS, length)
    let busy = 0
    let bytes = 0
    let slowest = start
    let largest = start
    for (let row = start; row < end; row++) {
      busy += durations[row] as number
      bytes += sizes[row] as number
      if ((durations[row] as number) > (durations[slowest] as number)) slowest = row
      if ((sizes[row] as number) > (sizes[largest] as number)) largest = row
    }
    leaves.busy[node] = busy
    leaves.bytes[node] = bytes
    leaves.slowest[node] = slowest
    leaves.largest[node] = largest
  }
  levels.push(leaves)
  for (let below = leaves; below.busy.length > 1;) {
    const level = emptyLevel(below.spanRows * 2, length)
    for (let node = 0; node < level.busy.length; node++) joinNodes(level, node, below, durations, sizes)
    levels.push(level)
    below = level
  }
  return { length, levels }
}

function emptyLevel(spanRows: number, length: number): PyramidLevel {
  const nodes = Math.ceil(length / spanRows)
  return {
    spanRows,
    busy: new Float64Array(nodes),
    bytes: new Float64Array(nodes),
    slowest: new Uint16Array(nodes),
    largest: new Uint16Array(nodes),
  }
}

function joinNodes(
  level: PyramidLevel,
  node: number,
  below: PyramidLevel,
  durations: Float64Array,
  sizes: Float64Array,
): void {
  const left = node * 2
  const right = left + 1
  const hasRight = right < below.busy.length
  level.busy[node] = (below.busy[left] as number) + (hasRight ? (below.busy[right] as number) : 0)
  level.bytes[node] = (below.bytes[left] as number) + (hasRight ? (below.bytes[right] as number) : 0)
  level.slowest[node] = below.slowest[left] as number
  level.largest[node] = below.largest[left] as number
  if (!hasRight) return
  const slowRight = below.slowest[right] as number
  const largeRight = below.largest[right] as number
  if ((durations[slowRight] as number) > (durations[level.slowest[node]] as number)) level.slowest[node] = slowRight
  if ((sizes[largeRight] as number) > (sizes[level.largest[node]] as number)) level.largest[node] = largeRight
}

/**
 * Adds rows [from, to) to `into`, by whole nodes where they fit: O(log n). `duration` and `size` read a row's value;
 * `offset` is added to the row indexes in the result.
 */
export function addRange(
  pyramid: Pyramid,
  from: number,
  to: number,
  duration: (row: number) => number,
  size: (row: number) => number,
  into: Aggregate,
  offset: number,
): void {
  into.count += to - from
  let row = from
  while (row < to) {
    let rung = -1
    while (rung + 1 < pyramid.levels.length && fits(pyramid, rung + 1, row, to)) rung++
    if (rung === -1) {
      const rowDuration = duration(row)
      const rowSize = size(row)
      into.busy += rowDuration
      into.bytes += rowSize
      offer(into, row + offset, rowDuration, row + offset, rowSize)
      row++
      continue
    }
    const level = pyramid.levels[rung] as PyramidLevel
    const node = row / level.spanRows
    into.busy += level.busy[node] as number
    into.bytes += level.bytes[node] as number
    const slowest = level.slowest[node] as number
    const largest = level.largest[node] as number
    offer(into, slowest + offset, duration(slowest), largest + offset, size(largest))
    row += level.spanRows
  }
}

/** Whether a node of level `rung` begins at `row` and ends at or before `to`, or at the last row. */
function fits(pyramid: Pyramid, rung: number, row: number, to: number): boolean {
  const span = (pyramid.levels[rung] as PyramidLevel).spanRows
  return row % span === 0 && (row + span <= to || to === pyramid.length)
}

function offer(into: Aggregate, slowest: number, duration: number, largest: number, size: number): void {
  if (duration > into.slowestDuration) {
    into.slowest = slowest
    into.slowestDuration = duration
  }
  if (size > into.largestSize) {
    into.largest = largest
    into.largestSize = size
  }
}

export const pyramidBytes = (pyramid: Pyramid): number =>
  pyramid.levels.reduce(
    (sum, level) =>
      sum + level.busy.byteLength + level.bytes.byteLength + level.slowest.byteLength + level.largest.byteLength,
    0,
  )

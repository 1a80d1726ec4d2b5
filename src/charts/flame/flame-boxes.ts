/**
 * Boxes of a flame graph or icicle as columns, by depth and then from left to right; boxes of one depth do not overlap.
 * Depths are consecutive, and may begin below 0 when only a part is held. Edges are shares of the width of the whole.
 *
 * ```
 * box         0 1 2 3 4       |0                |
 * depth       0 1 1 2 2       |1      |2        |
 * startShare  0 0 .4 0 .4     |3  |   |4        |
 * ```
 */
export interface FlameBoxes {
  readonly length: number
  readonly depth: Uint16Array
  readonly startShare: Float64Array
  readonly endShare: Float64Array
}

/** Half-open range of box indexes. */
export interface BoxRun {
  readonly first: number
  readonly end: number
}

/** Index of the first value that is at least `wanted`. O(log n) */
function lowerBound(values: Uint16Array | Float64Array, first: number, end: number, wanted: number): number {
  let low = first
  let high = end
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Boxes of one depth. O(log n) */
export function boxesAt({ depth, length }: FlameBoxes, wanted: number): BoxRun {
  const first = lowerBound(depth, 0, length, wanted)
  return { first, end: lowerBound(depth, first, length, wanted + 1) }
}

/** Boxes of one depth that overlap [start, end). O(log n) */
export function boxesIn(boxes: FlameBoxes, wanted: number, start: number, end: number): BoxRun {
  const run = boxesAt(boxes, wanted)
  let first = lowerBound(boxes.startShare, run.first, run.end, start)
  if (first > run.first && (boxes.endShare[first - 1] ?? 0) > start) first--
  return { first, end: lowerBound(boxes.startShare, first, run.end, end) }
}

/** Box at a share of a depth, or else one less than `slack` beside it; −1: none. O(log n) */
export function hitTestBoxes(boxes: FlameBoxes, wanted: number, share: number, slack = 0): number {
  const run = boxesAt(boxes, wanted)
  const after = lowerBound(boxes.startShare, run.first, run.end, share)
  if (after < run.end && boxes.startShare[after] === share) return after
  const before = after - 1
  if (before >= run.first && share < (boxes.endShare[before] ?? 0)) return before
  const leftGap = before >= run.first ? share - (boxes.endShare[before] ?? 0) : Infinity
  const rightGap = after < run.end ? (boxes.startShare[after] ?? 0) - share : Infinity
  if (Math.min(leftGap, rightGap) >= slack) return -1
  return leftGap <= rightGap ? before : after
}

/** Middle of a box, as a share of the width. */
export const middleOf = (boxes: FlameBoxes, box: number): number =>
  ((boxes.startShare[box] ?? 0) + (boxes.endShare[box] ?? 0)) / 2

/** Parent of a box; null: not loaded. */
export function parentBox(boxes: FlameBoxes, box: number): number | null {
  const above = hitTestBoxes(boxes, (boxes.depth[box] ?? 0) - 1, middleOf(boxes, box))
  return above < 0 ? null : above
}

/** Widest child of a box; null: none. */
export function widestChild(boxes: FlameBoxes, box: number): number | null {
  const [start, end] = [boxes.startShare[box] ?? 0, boxes.endShare[box] ?? 0]
  const run = boxesIn(boxes, (boxes.depth[box] ?? 0) + 1, start, end)
  let widest: number | null = null
  const width = (at: number): number => (boxes.endShare[at] ?? 0) - (boxes.startShare[at] ?? 0)
  for (let child = run.first; child < run.end; child++) {
    const middle = middleOf(boxes, child)
    if (middle < start || middle >= end) continue
    if (widest === null || width(child) > width(widest)) widest = child
  }
  return widest
}

/** Neighbour to the left (−1) or right (1) of a box at its depth; null: none. */
export function neighbourBox(boxes: FlameBoxes, box: number, by: -1 | 1): number | null {
  const run = boxesAt(boxes, boxes.depth[box] ?? 0)
  const next = box + by
  return next >= run.first && next < run.end ? next : null
}

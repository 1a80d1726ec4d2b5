import type { IndexingIcicleResponse } from '../../../../feeds/indexing/contract/lanes.ts'

/** An icicle as received, with the position of each batch in its columns. */
export interface Icicle {
  readonly response: IndexingIcicleResponse
  /** Number of depths below the root. */
  readonly depths: number
  /** First rectangle of each batch, plus one entry for the end; batches ascend by start. */
  readonly offsets: Int32Array
}

export function indexIcicle(response: IndexingIcicleResponse): Icicle {
  const offsets: number[] = []
  let depths = 0
  for (let i = 0; i < response.length; i++) {
    const depth = response.depth[i] ?? 0
    if (depth === 0) offsets.push(i)
    if (depth > depths) depths = depth
  }
  return { response, depths, offsets: Int32Array.from([...offsets, response.length]) }
}

/** Calls `visit` for each batch that overlaps [from, to), with the range of its rectangles. */
export function eachBatchIn(
  { response, offsets }: Icicle,
  from: number,
  to: number,
  visit: (first: number, end: number) => void,
): void {
  for (let i = 0; i + 1 < offsets.length; i++) {
    const first = offsets[i] ?? 0
    const start = response.startTicks[first] ?? Infinity
    if (start >= to) return
    if (start + (response.durationTicks[first] ?? 0) > from) visit(first, offsets[i + 1] ?? first)
  }
}

/** Rectangle of that depth that contains a time; −1: none. */
export function operationAt(icicle: Icicle, depth: number, atTicks: number): number {
  let found = -1
  eachBatchIn(icicle, atTicks, atTicks + 1, (first, end) => {
    for (let i = first; i < end; i++) {
      if (icicle.response.depth[i] !== depth) continue
      const start = icicle.response.startTicks[i] ?? 0
      if (atTicks >= start && atTicks < start + (icicle.response.durationTicks[i] ?? 0)) found = i
    }
  })
  return found
}

import type { IndexingIcicleResponse } from '../../contract/lanes.ts'

/** An icicle as it came, with where each batch begins in its columns. */
export interface Icicle {
  readonly answer: IndexingIcicleResponse
  /** Depths below the root. */
  readonly depths: number
  /** First rectangle of each batch, and one more at the end; batches ascend by start. */
  readonly offsets: Int32Array
}

export function indexIcicle(answer: IndexingIcicleResponse): Icicle {
  const offsets: number[] = []
  let depths = 0
  for (let i = 0; i < answer.length; i++) {
    const depth = answer.depth[i] ?? 0
    if (depth === 0) offsets.push(i)
    if (depth > depths) depths = depth
  }
  return { answer, depths, offsets: Int32Array.from([...offsets, answer.length]) }
}

/** Calls for each batch that overlaps [from, to) with the range of its rectangles. */
export function eachBatchIn(
  { answer, offsets }: Icicle,
  from: number,
  to: number,
  visit: (first: number, end: number) => void,
): void {
  for (let i = 0; i + 1 < offsets.length; i++) {
    const first = offsets[i] ?? 0
    const start = answer.startTicks[first] ?? Infinity
    if (start >= to) return
    if (start + (answer.durationTicks[first] ?? 0) > from) visit(first, offsets[i + 1] ?? first)
  }
}

/** The rectangle of that depth which holds a moment; −1: none. */
export function operationAt(icicle: Icicle, depth: number, atTicks: number): number {
  let found = -1
  eachBatchIn(icicle, atTicks, atTicks + 1, (first, end) => {
    for (let i = first; i < end; i++) {
      if (icicle.answer.depth[i] !== depth) continue
      const start = icicle.answer.startTicks[i] ?? 0
      if (atTicks >= start && atTicks < start + (icicle.answer.durationTicks[i] ?? 0)) found = i
    }
  })
  return found
}

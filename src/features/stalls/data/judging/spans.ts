import { bisectLeft } from '../../../../base/columns/bisect.ts'

/** Any unit of time; the end is not part of it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Columns of begins and ends as spans. */
export const spansOf = ({ start, end }: { readonly start: Float64Array; readonly end: Float64Array }): Span[] =>
  Array.from(start, (from, row) => ({ start: from, end: end[row] as number }))

/** Overlapping spans as one, by start. */
export function unionOf(spans: readonly Span[]): Span[] {
  const found: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else found.push({ start, end })
  }
  return found
}

/** Of disjoint spans. */
export const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { start, end }) => sum + end - start, 0)

/** Whether one of disjoint spans holds the time. */
export function covers(spans: readonly Span[], at: number): boolean {
  const next = bisectLeft(spans, at, ({ end }) => end)
  return (spans[next]?.start ?? Number.POSITIVE_INFINITY) <= at
}

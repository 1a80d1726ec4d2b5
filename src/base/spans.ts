import { bisectLeft } from './columns/bisect.ts'

/** Any unit of time; the end is not part of it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Merges overlapping spans; sorted by start. */
export function unionOf(spans: readonly Span[]): Span[] {
  const found: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else found.push({ start, end })
  }
  return found
}

/** Total length of disjoint spans. */
export const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { start, end }) => sum + end - start, 0)

/** Whether one of the disjoint spans contains the time. */
export function covers(spans: readonly Span[], at: number): boolean {
  const next = bisectLeft(spans, at, ({ end }) => end)
  return (spans[next]?.start ?? Number.POSITIVE_INFINITY) <= at
}

/** Length for which spans of all sets overlap. Spans within a set are disjoint; each set is moved by `shift`. */
export function sharedLength(sets: readonly (readonly Span[])[], shift: (set: number) => number): number {
  const shifts = sets.map((_, set) => shift(set))
  const sorted = (edge: 'start' | 'end'): Float64Array =>
    Float64Array.from(
      sets.flatMap((spans, set) => spans.map((span) => span[edge] + (shifts[set] as number))),
    ).toSorted()
  const [starts, ends] = [sorted('start'), sorted('end')]
  let [shared, since, opened, closed] = [0, 0, 0, 0]
  while (closed < ends.length) {
    const isStart = opened < starts.length && (starts[opened] as number) < (ends[closed] as number)
    const at = (isStart ? starts[opened] : ends[closed]) as number
    if (opened - closed > 1) shared += at - since
    since = at
    if (isStart) opened++
    else closed++
  }
  return shared
}

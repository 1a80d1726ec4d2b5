import type { Span } from '../../features/stalls/data/judging/spans.ts'

/** Which of the spans, by start, a time lies in; null: in none. To be called with ascending times. */
export function spanAt(of: readonly Span[]): (at: number) => Span | null {
  let next = 0
  return (at) => {
    while (next < of.length && (of[next] as Span).end <= at) next++
    const span = of[next]
    return span !== undefined && span.start <= at ? span : null
  }
}

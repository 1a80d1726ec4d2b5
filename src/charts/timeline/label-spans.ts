import type { TimeRange } from '../../base/ticks.ts'

/** A stretch of time with one label out of a few, and what shows it. Texts are whole sentences. */
export interface LabelledSpan extends TimeRange {
  /** Which of the looks it has. */
  readonly label: string
  readonly title: string
  readonly evidence: readonly string[]
  /** Evidence for another label in a part of this time. */
  readonly competing?: readonly string[]
  readonly others?: readonly string[]
}

/** By label, how much of the time in sight: most first. */
export function sharesInSight(
  spans: readonly LabelledSpan[],
  { startTicks, endTicks }: TimeRange,
): { readonly title: string; readonly share: number }[] {
  const ticks = new Map<string, number>()
  let all = 0
  for (const span of spans) {
    const own = Math.min(span.endTicks, endTicks) - Math.max(span.startTicks, startTicks)
    if (own <= 0) continue
    all += own
    ticks.set(span.title, (ticks.get(span.title) ?? 0) + own)
  }
  return [...ticks].map(([title, own]) => ({ title, share: own / all })).toSorted((a, b) => b.share - a.share)
}

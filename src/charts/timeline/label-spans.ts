import type { TimeRange } from '../../base/ticks.ts'

/** Range of time with one label out of a few, and its evidence. Texts are whole sentences. */
export interface LabelledSpan extends TimeRange {
  /** Label that determines the style. */
  readonly label: string
  readonly title: string
  readonly evidence: readonly string[]
  /** Evidence for another label within this time. */
  readonly competing?: readonly string[]
  readonly others?: readonly string[]
}

/** Share of the time in view for each label, largest first. */
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

import type { TimeRange } from '../../../base/ticks.ts'
import type { TimeScale } from '../../scale.ts'

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

export interface PlacedSpan<Span extends LabelledSpan> {
  readonly span: Span
  readonly xPx: number
  readonly widthPx: number
  /** There is room for its title. */
  readonly isNamed: boolean
}

/** A title of so many characters needs about so much. */
const CHARACTER_PX = 6.5
const PADDING_PX = 10

/** Those in sight, clipped to it; each at least a pixel wide. */
export function placeSpans<Span extends LabelledSpan>(spans: readonly Span[], scale: TimeScale): PlacedSpan<Span>[] {
  return spans.flatMap((span) => {
    const fromPx = Math.max(0, scale.toPx(span.startTicks))
    const toPx = Math.min(scale.widthPx, scale.toPx(span.endTicks))
    if (toPx <= 0 || fromPx >= scale.widthPx) return []
    const widthPx = Math.max(1, toPx - fromPx)
    return [{ span, xPx: fromPx, widthPx, isNamed: widthPx >= span.title.length * CHARACTER_PX + PADDING_PX }]
  })
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

import type { Ticks, TimeRange } from '../../../base/ticks.ts'

export type Edge = 'startTicks' | 'endTicks'

/** Typed ends that do not fit the other end, which is expected next. */
export type TypedEnds = Partial<Record<Edge, Ticks>>

interface TypedRange {
  /** Range with the typed end; null: the other end must be typed as well. */
  readonly range: TimeRange | null
  readonly typed: TypedEnds
  /** Why the text is refused; null: it is accepted. */
  readonly problem: string | null
}

/** A range with a typed end, judged when it fits or both ends were typed. */
export function withTypedEnd(range: TimeRange, typed: TypedEnds, edge: Edge, at: Ticks): TypedRange {
  const next = { ...range, ...typed, [edge]: at }
  if (next.endTicks > next.startTicks) return { range: next, typed: {}, problem: null }
  const isBoth = typed[edge === 'startTicks' ? 'endTicks' : 'startTicks'] !== undefined
  return { range: null, typed: { ...typed, [edge]: at }, problem: isBoth ? 'The end lies before the start.' : null }
}

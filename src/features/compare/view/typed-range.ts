import type { Ticks, TimeRange } from '../../../base/ticks.ts'

export type Edge = 'startTicks' | 'endTicks'

/** Ends that were typed and do not fit the other end, which is expected next. */
export type TypedEnds = Partial<Record<Edge, Ticks>>

interface TypedRange {
  /** Range with the typed end; null: the other end has to be typed, too. */
  readonly range: TimeRange | null
  readonly typed: TypedEnds
  /** Reason why the text is refused; null where it is accepted. */
  readonly problem: string | null
}

/** A range with an end that was typed: judged once it fits, or once both ends were typed. */
export function withTypedEnd(range: TimeRange, typed: TypedEnds, edge: Edge, at: Ticks): TypedRange {
  const next = { ...range, ...typed, [edge]: at }
  if (next.endTicks > next.startTicks) return { range: next, typed: {}, problem: null }
  const isBoth = typed[edge === 'startTicks' ? 'endTicks' : 'startTicks'] !== undefined
  return { range: null, typed: { ...typed, [edge]: at }, problem: isBoth ? 'The end lies before the start.' : null }
}

import type { Span } from './spans.ts'

/** A stall that belongs to a limit is within this factor of it. */
export const NEAR = 1.35
/** Slow periods are apart by at least this, ms. */
export const APART_MS = 2000

export const durationMsOf = ({ start, end }: Span): number => Math.max(0.01, end - start)

export const isWithin = (rate: number, of: number, factor: number): boolean =>
  rate <= of * factor && rate >= of / factor

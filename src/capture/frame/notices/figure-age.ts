import { formatSpanMs } from '../../../base/text/figures.ts'

/** How old figures are, where that is worth saying; null: they are fresh. */
export function describeAge(lastReceivedMs: number | null, nowMs: number): string | null {
  if (lastReceivedMs === null) return null
  const ageMs = nowMs - lastReceivedMs
  return ageMs < STALE_MS ? null : formatSpanMs(ageMs)
}

/** Three beats of the slowest figure that arrives often. */
const STALE_MS = 20_000

import { formatSpanMs } from '../../../base/text/figures.ts'

/** Age of figures if it matters; null: they are current. */
export function describeAge(lastReceivedMs: number | null, nowMs: number): string | null {
  if (lastReceivedMs === null) return null
  const ageMs = nowMs - lastReceivedMs
  return ageMs < STALE_MS ? null : formatSpanMs(ageMs)
}

/** Age, ms, from which on figures count as old: three intervals of the slowest figure that arrives regularly. */
const STALE_MS = 20_000

import type { Clock } from '../../../base/text/format.ts'
import { formatAgo, formatMoment } from '../../../base/text/figures.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { TriageItem } from '../contract/findings.ts'

/**
 * Describes the start: `since 04:02:30 (12 min)`, with the day if it is not today; `since before 04:02:30` if the exact
 * start is not known.
 */
export function describeSince(item: TriageItem, now: Ticks | null, clock: Clock): string {
  if (item.sinceTicks === null) return 'start unknown'
  const ago = formatAgo(item.sinceTicks, now)
  const at = formatMoment(item.sinceTicks, now, clock)
  if (item.sinceIsBound) return `since before ${at}`
  return ago === '' ? `since ${at}` : `since ${at} (${ago})`
}

/** Explains `≈` before a rate. */
export const ABOUT_RATES =
  'the server reports the sum of four seconds divided by three, rounded up; three quarters of it are shown, up to 0.75 a second too high for each database.'

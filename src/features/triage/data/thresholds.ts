import { TICKS_PER_MS, TICKS_PER_SECOND } from '../../../base/ticks.ts'

/* Limits that more than one rule, or a rule and the pace of our own requests, go by. */

/** Least documents of a lag worth a finding: an index that works takes fewer in a few seconds. */
export const FAR_BEHIND_DOCUMENTS = 10_000

/** Stale for so long without a batch that ended: not what writing leaves behind, which is caught up in moments. */
export const STUCK_MS = 5 * 60_000

/** How far back writes that stalled count, ticks. */
export const STALLS_SPAN_TICKS = 600 * TICKS_PER_SECOND

/** Facts of a watched index that are older do not describe its present state, ticks. */
export const FRESH_INDEX_TICKS = 120 * TICKS_PER_SECOND

/**
 * Duration from which on a write of this kind holds writers up, ms: a journal write at once, what runs beside only when
 * it is long.
 */
export const stallLimitMs = (kind: string): number => (kind === 'JournalWrite' ? 1000 : 30_000)

export const stallLimitTicks = (kind: string): number => stallLimitMs(kind) * TICKS_PER_MS

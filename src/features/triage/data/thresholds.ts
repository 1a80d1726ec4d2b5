import { TICKS_PER_MS, TICKS_PER_SECOND } from '../../../base/ticks.ts'

/* Limits that several rules share, or a rule and the pace of Rookery's own requests. */

/** Minimum lag of an index for a finding, in documents. An index at work processes fewer within a few seconds. */
export const FAR_BEHIND_DOCUMENTS = 10_000

/**
 * Time, ms, for which an index is stale without a completed batch before it counts as stuck. A lag caused by writes is
 * caught up within moments.
 */
export const STUCK_MS = 5 * 60_000

/** Age up to which stalled writes count, ticks. */
export const STALLS_SPAN_TICKS = 600 * TICKS_PER_SECOND

/** Maximum age of facts of a watched index, ticks. Older ones do not describe its present state. */
export const FRESH_INDEX_TICKS = 120 * TICKS_PER_SECOND

/**
 * Duration from which on a write of this kind holds up writers, ms. A journal write does so at once; flushes and syncs
 * run beside them and do so only if they take long.
 */
export const stallLimitMs = (kind: string): number => (kind === 'JournalWrite' ? 1000 : 30_000)

export const stallLimitTicks = (kind: string): number => stallLimitMs(kind) * TICKS_PER_MS

import { TICKS_PER_MS, TICKS_PER_SECOND } from '../../../../base/ticks.ts'

/* Limits that more than one rule, or a rule and the pace of our own requests, go by. */

/** CPU use of all cores from which on the machine is saturated, percent. */
export const SATURATED_CPU_PERCENT = 95

/** Least documents of a lag worth a finding: an index that works takes fewer in a few seconds. */
export const FAR_BEHIND_DOCUMENTS = 10_000

/** How far back writes that stalled count, ticks. */
export const STALLS_SPAN_TICKS = 600 * TICKS_PER_SECOND

/** Since when errors count as growing, ticks. */
export const GREW_TICKS = 600 * TICKS_PER_SECOND

/** Facts of a watched index that are older do not describe its present state, ticks. */
export const FRESH_INDEX_TICKS = 120 * TICKS_PER_SECOND

/**
 * Duration from which on a write of this kind holds writers up, ms: a journal write at once, what runs beside only when
 * it is long.
 */
export const stallLimitMs = (kind: string): number => (kind === 'JournalWrite' ? 1000 : 30_000)

export const stallLimitTicks = (kind: string): number => stallLimitMs(kind) * TICKS_PER_MS

/** Requests that wait for a volume in every sample from which on the queue does not clear. */
export const DISK_QUEUE_LEAST = 8

/** Share of the available memory in dirty pages from which on Linux slows writers down: the middle of its 10 % and 20 %. */
export const UNWRITTEN_SHARE = 0.15

/** Share of the time in GC pauses: from the first on reported, from the second on what limits the server. */
export const GC_PAUSES_SHARE = 0.1
export const GC_LIMITS_SHARE = 0.3

/** Share of the time in which a transaction merger did not wait for writes, from which on writers wait for it. */
export const MERGER_BUSY_SHARE = 0.9

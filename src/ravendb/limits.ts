import { TICKS_PER_SECOND } from '../base/ticks.ts'

/* Limits by which figures of a server are judged: its findings, what limits it, and the pace of our own requests. */

/** CPU use of all cores from which on the machine is saturated, percent. */
export const SATURATED_CPU_PERCENT = 95

/** Requests that wait for a volume in every sample from which on the queue does not clear. */
export const DISK_QUEUE_LEAST = 8

/** Share of the available memory in dirty pages from which on Linux slows writers down: the middle of its 10 % and 20 %. */
export const UNWRITTEN_SHARE = 0.15

/** Share of the time in GC pauses: from the first on reported, from the second on what limits the server. */
export const GC_PAUSES_SHARE = 0.1
export const GC_LIMITS_SHARE = 0.3

/** Share of the time in which a transaction merger did not wait for writes, from which on writers wait for it. */
export const MERGER_BUSY_SHARE = 0.9

/** Since when errors count as growing, ticks. */
export const GREW_TICKS = 600 * TICKS_PER_SECOND

/** Growth is judged over this long, and not before so much of it was seen. */
export const SLOPE_MS = 3_600_000
export const SLOPE_LEAST_MS = 600_000

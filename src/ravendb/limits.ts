import { TICKS_PER_SECOND } from '../base/ticks.ts'

/* Limits by which figures of a server are judged: its findings, what limits it, and the pace of our own requests. */

/** CPU use of all cores, percent, from which on the machine counts as saturated. */
export const SATURATED_CPU_PERCENT = 95

/** Length of a volume's queue from which on it counts as saturated, if reached in every sample. */
export const DISK_QUEUE_LEAST = 8

/** Share of available memory in dirty pages from which Linux slows writers: between its limits, 10 and 20 %. */
export const UNWRITTEN_SHARE = 0.15

/** Shares of the time in GC pauses: from the first on reported, from the second on the bottleneck. */
export const GC_PAUSES_SHARE = 0.1
export const GC_LIMITS_SHARE = 0.3

/** Share of the time in which a transaction merger was not waiting for writes, from which on writes wait for it. */
export const MERGER_BUSY_SHARE = 0.9

/** Time over which errors must have increased to count as growing, ticks. */
export const GREW_TICKS = 600 * TICKS_PER_SECOND

/** Time over which growth is judged, ms, and which must have been observed before. */
export const SLOPE_MS = 3_600_000
export const SLOPE_LEAST_MS = 600_000

/** Maximum number of databases polled in one turn; the others follow in later turns. */
export const DATABASES_OF_TURN = 4

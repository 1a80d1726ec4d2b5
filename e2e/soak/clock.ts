const EPOCH_MS = Date.UTC(2020, 0)
const TICKS_PER_MS = 10_000

/** Time of day in UTC of a wall clock, ms: `19:57:41.646`. */
export const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 23)

/** Wall clock, ms, of hundreds of nanoseconds since 2020. */
export const msOfTicks = (ticks: number): number => ticks / TICKS_PER_MS + EPOCH_MS

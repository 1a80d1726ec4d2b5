/** Time, ms, for which the worker collects data after a panel's last request for it. */
export const WANTED_MS = 30_000
/** Interval of these requests, ms: one may be late or lost. */
export const WANT_EVERY_MS = 10_000

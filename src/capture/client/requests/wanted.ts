/** The worker collects what a panel wants for so long after it was last said, ms. */
export const WANTED_MS = 30_000
/** A panel says so this often, ms: one may come late or be lost. */
export const WANT_EVERY_MS = 10_000

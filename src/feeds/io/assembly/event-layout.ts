/** Memory layout of `event-scan.ts`, read by both the scan (AssemblyScript) and its host (TypeScript). */

// Offset of a field in an entry, bytes.
export const FIELD = 81
export const FOLLOWERS = 82
export const FOLLOWER = 83
export const STAGED_ROWS = 92

export const MOST_KEYS = 64
export const MOST_FOLLOWERS = 6
export const MOST_KINDS = 16
export const ROWS = 2048
/** Staged columns, in this order: start, duration, bytes, file size, compressed size, acceleration. */
export const COLUMNS = 6

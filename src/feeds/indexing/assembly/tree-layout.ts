/** Memory layout of `tree-scan.ts`: the constants that the scan (AssemblyScript) and its host (TypeScript) share. */

// Offsets within an entry, bytes.
export const PATH = 84
export const CHILD = 88
export const NEXT = 90
export const FIRST = 92
export const FOLLOWER = 94
export const FIRST_FIGURE = 84
export const FIGURE_COUNT = 86
export const FIGURE = 84

export const MOST_OPERATIONS = 16384
export const MOST_FOUND = 4000
export const MOST_RUNS = 8
export const RUN_BYTES = 528
/** Offset within a run, bytes. */
export const RUN_TEXT = 16

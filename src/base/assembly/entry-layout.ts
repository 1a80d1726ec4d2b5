/** Byte layout of an entry in the memory of a scan, shared by the scan (AssemblyScript) and its host (TypeScript). */

/** Maximum length of an entry's text. */
export const TEXT_BYTES = 64
export const MASK = 64
export const LENGTH = 80
export const ENTRY_BYTES = 96
export const INPUT_BYTES = 1048576

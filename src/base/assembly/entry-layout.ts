/** Layout of an entry in the memory of a scan, bytes: for the scan and its host. What AssemblyScript and TypeScript both read. */

/** Longest text of an entry. */
export const TEXT_BYTES = 64
export const MASK = 64
export const LENGTH = 80
export const ENTRY_BYTES = 96
export const INPUT_BYTES = 1048576

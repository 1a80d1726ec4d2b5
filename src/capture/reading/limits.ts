/** Limits of the work for a file. Beyond them, it is refused in words: a debug package may come from anywhere. */
export const LIMITS = {
  /** Entries of one zip that are listed. */
  zipEntries: 100_000,
  /** Length of the name of a zip entry, bytes. */
  zipNameBytes: 4096,
  /** Size of a central directory, bytes. */
  zipDirectoryBytes: 64 << 20,
  /** Zips inside zips: a cluster's package holds those of its nodes. */
  zipDepth: 3,
  /** Bytes that come out for each that went in so far, beyond the first `ratioFreeBytes`: JSON of I/O metrics reaches 40. */
  inflateRatio: 200,
  ratioFreeBytes: 64 << 20,
  /** Entries of at most so many bytes, packed and unpacked, are read many at a time. */
  smallEntryBytes: 256 << 10,
  /** Bytes of a zip that are read at once for small entries. */
  zipBlockBytes: 4 << 20,
  /** A nested zip is taken out whole to be read at random; beyond this it is refused, bytes. */
  nestedZipBytes: 1 << 30,
  /** Bytes that one entry may inflate to. */
  entryBytes: 64 * 2 ** 30,
} as const

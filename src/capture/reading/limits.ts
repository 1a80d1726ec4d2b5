/** Limits for a file, beyond which it is refused with a sentence: a debug package may come from anywhere. */
export const LIMITS = {
  /** Maximum number of entries of a zip. */
  zipEntries: 100_000,
  /** Maximum length of an entry's name, bytes. */
  zipNameBytes: 4096,
  /** Maximum size of a central directory, bytes. */
  zipDirectoryBytes: 64 << 20,
  /** Maximum depth of zips in zips: a cluster's package contains those of its nodes. */
  zipDepth: 3,
  /** Maximum output for each input byte so far, beyond the first `ratioFreeBytes`: JSON of I/O metrics reaches 40. */
  inflateRatio: 200,
  ratioFreeBytes: 64 << 20,
  /** Entries up to this size, compressed and unpacked, are read many at a time. */
  smallEntryBytes: 256 << 10,
  /** Bytes of a zip that are read at once for small entries. */
  zipBlockBytes: 4 << 20,
  /** Maximum size of a nested compressed zip, which is unpacked completely for random access, bytes. */
  nestedZipBytes: 1 << 30,
  /** Maximum unpacked size of an entry, bytes. */
  entryBytes: 64 * 2 ** 30,
} as const

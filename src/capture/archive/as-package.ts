const BLOCK_BYTES = 512
const NAME_BYTES = 100
const encoder = new TextEncoder()

export interface PackedFile {
  readonly path: string
  readonly blob: Blob
}

/**
 * Presents the files of a folder as one tar that only refers to them, so that none is read before its rows are needed.
 * Leaves out names that are too long for a tar header, which do not occur in archives.
 */
export function asPackage(name: string, files: readonly PackedFile[]): File {
  const parts: BlobPart[] = []
  for (const { path, blob } of files) {
    const header = tarHeader(path, blob.size)
    if (header === null) continue
    parts.push(header, blob, tarPadding(blob.size))
  }
  parts.push(TAR_END)
  return new File(parts, name)
}

/** Zeros at the end of a tar. */
export const TAR_END = new Uint8Array(2 * BLOCK_BYTES)

/** Padding after a file of that size. */
export const tarPadding = (bytes: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES)

/** Header of a file; null: its path is too long. Source: POSIX.1-2017, pax, "ustar Header Block". */
export function tarHeader(path: string, bytes: number): Uint8Array<ArrayBuffer> | null {
  const at = path.length <= NAME_BYTES ? -1 : path.indexOf('/', path.length - NAME_BYTES - 1)
  const [prefix, name] = at < 0 ? ['', path] : [path.slice(0, at), path.slice(at + 1)]
  const encoded = encoder.encode(name)
  if (encoded.length > NAME_BYTES || encoder.encode(prefix).length > 155) return null
  const header = new Uint8Array(BLOCK_BYTES)
  header.set(encoded)
  header.set(encoder.encode('0000644\u00000000000\u00000000000\u0000'), NAME_BYTES)
  header.set(encoder.encode(`${bytes.toString(8).padStart(11, '0')}\u000000000000000\u0000        0`), 124)
  header.set(encoder.encode('ustar\u000000'), 257)
  header.set(encoder.encode(prefix), 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.set(encoder.encode(`${sum.toString(8).padStart(6, '0')}\u0000 `), 148)
  return header
}

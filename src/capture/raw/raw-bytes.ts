/** Bytes that are read at once and cached. */
export const PIECE_BYTES = 64 << 10
/** Number of cached pieces: 8 MiB. */
const MAX_PIECES = 128
/** Size of the blobs for unpacked bytes, which the browser may keep on disk. A multiple of `PIECE_BYTES`. */
const PART_BYTES = 4 << 20

/**
 * Random access to the bytes of a file of any size. A plain file is sliced; a compressed one is written to blobs once,
 * while it is unpacked. A few pieces are cached, since requests are for rows and nodes near each other.
 */
export class RawBytes {
  /** Known size; grows during unpacking. */
  size = 0
  readonly #parts: { readonly at: number; readonly blob: Blob }[] = []
  readonly #pieces = new Map<number, Uint8Array<ArrayBuffer>>()
  #tail: Uint8Array<ArrayBuffer>[] = []
  #tailBytes = 0

  static of(blob: Blob): RawBytes {
    const bytes = new RawBytes()
    bytes.#parts.push({ at: 0, blob })
    bytes.size = blob.size
    return bytes
  }

  /** Appends the next unpacked piece. */
  append(piece: Uint8Array<ArrayBuffer>): void {
    let rest = piece
    while (rest.length > 0) {
      const taken = rest.subarray(0, PART_BYTES - this.#tailBytes)
      this.#tail.push(taken)
      this.#tailBytes += taken.length
      this.size += taken.length
      rest = rest.subarray(taken.length)
      if (this.#tailBytes === PART_BYTES) this.#store()
    }
  }

  /** Bytes from `from` to `to`, or to the end if that is before. Shared with the cache: must not be changed. */
  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const end = Math.min(to, this.size)
    if (from >= end) return new Uint8Array(0)
    const first = from - (from % PIECE_BYTES)
    if (end <= first + PIECE_BYTES) return (await this.#piece(first)).subarray(from - first, end - first)
    const joined = new Uint8Array(end - from)
    for (let at = first; at < end; at += PIECE_BYTES) {
      const piece = await this.#piece(at)
      const skipped = Math.max(0, from - at)
      joined.set(piece.subarray(skipped, end - at), at + skipped - from)
    }
    return joined
  }

  /** Like `read`, for a single pass: returns as many as are contiguous, and caches nothing. */
  async pass(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const part = this.#parts.findLast((each) => each.at <= from)
    const end = part === undefined ? 0 : Math.min(to, part.at + part.blob.size)
    if (part === undefined || from >= end) return this.read(from, to)
    return new Uint8Array(await part.blob.slice(from - part.at, end - part.at).arrayBuffer())
  }

  async #piece(at: number): Promise<Uint8Array<ArrayBuffer>> {
    const kept = this.#pieces.get(at)
    if (kept !== undefined) {
      this.#pieces.delete(at)
      this.#pieces.set(at, kept)
      return kept
    }
    const end = Math.min(at + PIECE_BYTES, this.size)
    const part = this.#parts.findLast((each) => each.at <= at)
    const piece =
      part !== undefined && at < part.at + part.blob.size
        ? new Uint8Array(await part.blob.slice(at - part.at, end - part.at).arrayBuffer())
        : this.#fromTail(at, end)
    // The last piece is incomplete while unpacking continues.
    if (piece.length === PIECE_BYTES) {
      this.#pieces.set(at, piece)
      for (const oldest of this.#pieces.keys()) {
        if (this.#pieces.size <= MAX_PIECES) break
        this.#pieces.delete(oldest)
      }
    }
    return piece
  }

  #fromTail(from: number, to: number): Uint8Array<ArrayBuffer> {
    const piece = new Uint8Array(to - from)
    let at = this.size - this.#tailBytes
    for (const chunk of this.#tail) {
      const start = Math.max(from, at)
      const end = Math.min(to, at + chunk.length)
      if (start < end) piece.set(chunk.subarray(start - at, end - at), start - from)
      at += chunk.length
    }
    return piece
  }

  #store(): void {
    this.#parts.push({ at: this.size - this.#tailBytes, blob: new Blob(this.#tail) })
    this.#tail = []
    this.#tailBytes = 0
  }
}

/** Large enough that handing one over costs nothing beside making it, small enough that a few are no memory. */
export const PIECE_BYTES = 256 * 1024

/** Text is encoded in runs: one call for many small texts. UTF-16 units. */
const RUN_UNITS = 8192

/** Bytes on their way out, cut into pieces of `PIECE_BYTES`. A piece is a buffer of its own, so it can be handed over. */
export class Pieces {
  readonly #encoder = new TextEncoder()
  readonly #full: Uint8Array<ArrayBuffer>[] = []
  #piece = new Uint8Array(PIECE_BYTES)
  #length = 0
  #run = ''

  /** A whole piece waits to be taken. */
  get hasPiece(): boolean {
    return this.#full.length > 0
  }

  text(text: string): void {
    this.#run += text
    if (this.#run.length >= RUN_UNITS) this.#encode()
  }

  bytes(bytes: Uint8Array): void {
    this.#encode()
    for (let at = 0; at < bytes.length;) {
      const some = bytes.subarray(at, at + PIECE_BYTES - this.#length)
      this.#piece.set(some, this.#length)
      this.#length += some.length
      at += some.length
      if (this.#length === PIECE_BYTES) this.#turnOver()
    }
  }

  /** The oldest whole piece; null while there is none. */
  take(): Uint8Array<ArrayBuffer> | null {
    return this.#full.shift() ?? null
  }

  /** Nothing more comes: the next piece, the last one may be short; null when all were taken. */
  finish(): Uint8Array<ArrayBuffer> | null {
    this.#encode()
    if (this.#length > 0) this.#turnOver()
    return this.take()
  }

  #encode(): void {
    let rest = this.#run
    this.#run = ''
    while (rest !== '') {
      const { read, written } = this.#encoder.encodeInto(rest, this.#piece.subarray(this.#length))
      this.#length += written
      if (read === rest.length) return
      // A character needs up to four bytes and is never cut, so a piece may end up to three bytes early.
      this.#turnOver()
      rest = rest.slice(read)
    }
  }

  #turnOver(): void {
    this.#full.push(this.#length === PIECE_BYTES ? this.#piece : this.#piece.subarray(0, this.#length))
    this.#piece = new Uint8Array(PIECE_BYTES)
    this.#length = 0
  }
}

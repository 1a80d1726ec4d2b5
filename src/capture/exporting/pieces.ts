/** Size of a piece: large enough that transferring it is cheap, small enough that a few take little memory. */
export const PIECE_BYTES = 256 * 1024

/** Text is encoded in runs of this length, UTF-16 units: one call for many small texts. */
const RUN_UNITS = 8192

/** Cuts output into pieces of `PIECE_BYTES`, each in a buffer of its own, to be transferred. */
export class Pieces {
  readonly #encoder = new TextEncoder()
  readonly #full: Uint8Array<ArrayBuffer>[] = []
  #piece = new Uint8Array(PIECE_BYTES)
  #length = 0
  #run = ''

  /** Whether a complete piece is ready. */
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

  /** The oldest complete piece; null: none. */
  take(): Uint8Array<ArrayBuffer> | null {
    return this.#full.shift() ?? null
  }

  /** Ends the output: returns the next piece, of which the last one may be shorter; null when all were taken. */
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
      // A character takes up to four bytes and is not cut, so a piece may end up to three bytes early.
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

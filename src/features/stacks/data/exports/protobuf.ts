const encoder = new TextEncoder()

/** Writes protocol buffers: the wire types 0 (varint) and 2 (bytes). Zero and empty values are left out, as proto3 does. */
export class Protobuf {
  #bytes = new Uint8Array(64)
  #length = 0

  /** A whole number from 0 to 2^53. */
  int(field: number, value: number): void {
    if (value === 0) return
    this.#varint(field * 8)
    this.#varint(value)
  }

  bigint(field: number, value: bigint): void {
    if (value === 0n) return
    this.#varint(field * 8)
    let rest = BigInt.asUintN(64, value)
    for (; rest > 0x7fn; rest >>= 7n) this.#byte(Number(rest & 0x7fn) | 0x80)
    this.#byte(Number(rest))
  }

  /** Written also when empty: an item of a list counts. */
  text(field: number, value: string): void {
    this.#piece(field, encoder.encode(value))
  }

  packed(field: number, values: readonly number[]): void {
    const inner = new Protobuf()
    for (const value of values) inner.#varint(value)
    this.#piece(field, inner.finish())
  }

  message(field: number, write: (inner: Protobuf) => void): void {
    const inner = new Protobuf()
    write(inner)
    this.#piece(field, inner.finish())
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }

  #piece(field: number, bytes: Uint8Array): void {
    this.#varint(field * 8 + 2)
    this.#varint(bytes.length)
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #varint(value: number): void {
    let rest = value
    // Bit operations end at 32 bits.
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.#byte((rest % 128) | 0x80)
    this.#byte(rest)
  }

  #byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = byte
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

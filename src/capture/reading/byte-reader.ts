/** Room for what is read at once and for what waits before it. */
const BUFFER_BYTES = 2 << 20

/** What `ByteReader.next` gives: the bytes that waited and the new ones behind them. */
export interface Window {
  readonly bytes: Uint8Array
  /** No more will come. */
  readonly done: boolean
  /** The stream broke here: what came before is still good. */
  readonly error: Error | null
}

/**
 * Reads a stream into one buffer that is used again and again, so that reading gigabytes allocates next to nothing.
 * Streams that cannot fill a given buffer (unpackers) are copied into it.
 */
export class ByteReader {
  #buffer = new ArrayBuffer(BUFFER_BYTES)
  #filled = 0
  readonly #byob: ReadableStreamBYOBReader | null
  readonly #plain: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    const byob = byobReader(stream)
    this.#byob = byob
    this.#plain = byob === null ? stream.getReader() : null
  }

  /** Reads on. The last `waiting` bytes of the window before are kept at the beginning of the new one, which replaces it. */
  async next(waiting: number): Promise<Window> {
    const bytes = new Uint8Array(this.#buffer)
    bytes.copyWithin(0, this.#filled - waiting, this.#filled)
    this.#filled = waiting
    try {
      const done = this.#byob === null ? await this.#copy() : await this.#fill(this.#byob)
      return { bytes: new Uint8Array(this.#buffer, 0, this.#filled), done, error: null }
    } catch (error) {
      // A buffer that was handed over when the stream broke does not come back; what waited in it is lost with it.
      const isLost = this.#buffer.byteLength === 0
      const left = isLost ? new Uint8Array(0) : new Uint8Array(this.#buffer, 0, this.#filled)
      return { bytes: left, done: true, error: error instanceof Error ? error : new Error(String(error)) }
    }
  }

  cancel(reason: unknown): void {
    // Whoever cancels has seen all that it wanted; that the stream was over or broken by then is no news.
    ;(this.#byob ?? this.#plain)?.cancel(reason).catch(() => undefined)
  }

  async #fill(reader: ReadableStreamBYOBReader): Promise<boolean> {
    this.#reserve(BUFFER_BYTES / 8)
    const { done, value } = await reader.read(new Uint8Array(this.#buffer, this.#filled))
    if (value !== undefined) {
      this.#buffer = value.buffer
      this.#filled += value.length
    }
    return done
  }

  async #copy(): Promise<boolean> {
    const { done, value } = await (this.#plain as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>).read()
    if (value !== undefined) {
      this.#reserve(value.length)
      new Uint8Array(this.#buffer).set(value, this.#filled)
      this.#filled += value.length
    }
    return done
  }

  #reserve(bytes: number): void {
    if (this.#buffer.byteLength - this.#filled >= bytes) return
    const wider = new ArrayBuffer((this.#filled + bytes) * 2)
    new Uint8Array(wider).set(new Uint8Array(this.#buffer, 0, this.#filled))
    this.#buffer = wider
  }
}

function byobReader(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStreamBYOBReader | null {
  try {
    return stream.getReader({ mode: 'byob' })
  } catch {
    return null
  }
}

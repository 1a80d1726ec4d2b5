/** Maximum number of bytes read at once. */
const READ_BYTES = 512 << 10
/** Space before these for the unread rest of the window before: more than any record that the server writes. */
const HEAD_BYTES = 256 << 10

/** Result of `ByteReader.next`: the unread rest, and the new bytes after it. */
export interface Window {
  readonly bytes: Uint8Array
  /** No more bytes will come. */
  readonly done: boolean
  /** The stream failed here; the bytes before it are valid. */
  readonly error: Error | null
}

/** Source of windows. */
export interface ByteSource {
  readonly next: (waiting: number) => Promise<Window>
  readonly cancel: (reason: unknown) => void
}

/** Source of bytes that are all in memory. */
export const bytesAtHand = (bytes: Uint8Array): ByteSource => ({
  next: (waiting) => {
    const window = waiting === 0 ? bytes : bytes.subarray(bytes.length - waiting)
    return Promise.resolve({ bytes: window, done: true, error: null })
  },
  cancel: () => {},
})

/** Bytes in one of our buffers, after its head. */
interface Filled {
  readonly buffer: ArrayBuffer
  readonly length: number
  readonly done: boolean
  readonly error: Error | null
}

/**
 * Reads a stream into two buffers in turn, so that reading gigabytes allocates next to nothing, and the next bytes are
 * on their way while the last are decoded:
 * ```
 * [ head │ read ······ ]   is decoded; what it leaves over goes before the read of the other
 * [ head │ read ······ ]   is filled meanwhile
 * ```
 * Streams that cannot fill a given buffer (unpackers) are copied into it.
 */
export class ByteReader implements ByteSource {
  readonly #byob: ReadableStreamBYOBReader | null
  readonly #plain: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null
  #ahead: Promise<Filled> | null
  #window: Uint8Array = new Uint8Array(0)
  /** The buffer of the window before; null while it is being filled. */
  #spare: ArrayBuffer | null = newBuffer()

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    const byob = byobReader(stream)
    this.#byob = byob
    this.#plain = byob === null ? stream.getReader() : null
    this.#ahead = this.#read(newBuffer())
  }

  /** Reads the next window. The last `waiting` bytes of the window before are kept at its start. */
  async next(waiting: number): Promise<Window> {
    const left = this.#window.subarray(this.#window.length - waiting)
    if (this.#ahead === null) return { bytes: left, done: true, error: null }
    const { buffer, length, done, error } = await this.#ahead
    const window = joined(left, buffer, length)
    const free = this.#spare ?? newBuffer()
    this.#spare = buffer
    this.#window = window
    this.#ahead = done ? null : this.#read(free)
    return { bytes: window, done, error }
  }

  cancel(reason: unknown): void {
    // The caller that cancels has everything it needs; a later end or error of the stream does not matter.
    ;(this.#byob ?? this.#plain)?.cancel(reason).catch(() => undefined)
  }

  async #read(buffer: ArrayBuffer): Promise<Filled> {
    try {
      return this.#byob === null ? await this.#copy(buffer) : await this.#fill(this.#byob, buffer)
    } catch (error) {
      return {
        buffer: newBuffer(),
        length: 0,
        done: true,
        error: error instanceof Error ? error : new Error(String(error)),
      }
    }
  }

  async #fill(reader: ReadableStreamBYOBReader, buffer: ArrayBuffer): Promise<Filled> {
    const { done, value } = await reader.read(new Uint8Array(buffer, HEAD_BYTES))
    return { buffer: value?.buffer ?? newBuffer(), length: value?.length ?? 0, done, error: null }
  }

  async #copy(buffer: ArrayBuffer): Promise<Filled> {
    const { done, value } = await (this.#plain as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>).read()
    const length = value?.length ?? 0
    const room = HEAD_BYTES + length <= buffer.byteLength ? buffer : new ArrayBuffer(HEAD_BYTES + length)
    if (value !== undefined) new Uint8Array(room).set(value, HEAD_BYTES)
    return { buffer: room, length, done, error: null }
  }
}

const newBuffer = (): ArrayBuffer => new ArrayBuffer(HEAD_BYTES + READ_BYTES)

/** Joins the unread bytes and the new ones: in the head of the buffer if they fit. */
function joined(left: Uint8Array, buffer: ArrayBuffer, length: number): Uint8Array {
  if (left.length <= HEAD_BYTES) {
    const window = new Uint8Array(buffer, HEAD_BYTES - left.length, left.length + length)
    window.set(left)
    return window
  }
  const wider = new Uint8Array(left.length + length)
  wider.set(left)
  wider.set(new Uint8Array(buffer, HEAD_BYTES, length), left.length)
  return wider
}

function byobReader(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStreamBYOBReader | null {
  try {
    return stream.getReader({ mode: 'byob' })
  } catch {
    return null
  }
}

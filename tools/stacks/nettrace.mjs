// @ts-check
/**
 * Decodes the runtime's event stream, "nettrace" version 4, from bytes. Events are passed on one by one and refer to
 * the bytes: nothing is copied, and the work is bounded by the stream's length, whatever its content.
 */

/**
 * @typedef {object} TraceEvent valid during the call only: the object is used again for the next event
 * @property {string} provider
 * @property {number} event number within the provider
 * @property {number} thread that the event is about
 * @property {number} captureThread that wrote the event
 * @property {number} sequence number of the event among those of its capture thread, modulo 2³²
 * @property {number} time in units of the trace's frequency
 * @property {readonly number[]} stack addresses, the innermost first; those above 2⁵³ are rounded
 * @property {number} start of the payload in the bytes
 * @property {number} end of the payload
 *
 * @typedef {object} Trace
 * @property {number} pid
 * @property {number} frequency of its times, a second
 */

/** Tags that frame objects. */
const NULL = 1
const OBJECT = 5
const END = 6

/** Bits of an event's flag byte: parts of its header that differ from the previous event. */
const HAS_METADATA = 1
const HAS_SEQUENCE = 2
const HAS_THREAD = 4
const HAS_STACK = 8
const HAS_ACTIVITY = 16
const HAS_RELATED = 32
const HAS_SIZE = 128

const GUID = 16
/** Size of a Trace object, bytes. */
const TRACE_SIZE = 48
/** Number of bytes of an event block's header that are read: its size, flags, two times. */
const BLOCK_HEADER = 20
const COMPRESSED = 1

/** @type {readonly number[]} */
const NO_STACK = []

/** Reads numbers within limits. Throws an Error beyond them instead of returning `undefined`. */
class Reader {
  /**
   * @param {Uint8Array} bytes
   * @param {number} at
   * @param {number} end
   */
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = at
    this.end = end
  }

  /**
   * @param {number} size
   * @returns {number} where the skipped bytes begin
   */
  skip(size) {
    const { at } = this
    if (!(size >= 0 && size <= this.end - at)) throw new Error(`nettrace: ${size} bytes at ${at} go beyond ${this.end}`)
    this.at = at + size
    return at
  }

  u8() {
    return this.view.getUint8(this.skip(1))
  }

  u16() {
    return this.view.getUint16(this.skip(2), true)
  }

  u32() {
    return this.view.getUint32(this.skip(4), true)
  }

  i32() {
    return this.view.getInt32(this.skip(4), true)
  }

  /** @returns {number} exact below 2⁵³ */
  u64() {
    const at = this.skip(8)
    return this.view.getUint32(at, true) + this.view.getUint32(at + 4, true) * 2 ** 32
  }

  /** @returns {number} seven bits a byte, the lowest first; exact below 2⁵³ */
  varuint() {
    let value = 0
    for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
      const byte = this.u8()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw new Error(`nettrace: a number of more than ten bytes at ${this.at}`)
  }

  /** @returns {string} UTF-16 up to a NUL */
  string() {
    const from = this.at
    while (this.u16() !== 0);
    return utf16(this.bytes, from, this.at - 2)
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} to
 * @returns {string}
 */
function utf16(bytes, from, to) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf16le', from, to)
}

/**
 * Reads a text from an event's payload.
 * @param {Uint8Array} bytes
 * @param {number} at where it begins
 * @param {number} end of the payload
 * @returns {{ text: string, next: number }} UTF-16 up to a NUL, and what follows it
 * @throws {Error} when no NUL is there
 */
export function textAt(bytes, at, end) {
  const reader = new Reader(bytes, at, end)
  return { text: reader.string(), next: reader.at }
}

/**
 * @param {Uint8Array} bytes a complete stream
 * @param {(event: TraceEvent) => void} visit
 * @returns {Trace}
 * @throws {Error} when the bytes are no such stream, or end early
 */
export function readNettrace(bytes, visit) {
  const decoder = new Decoder(bytes, visit)
  return decoder.run()
}

class Decoder {
  /** @type {Map<number, { provider: string, event: number }>} */
  #kinds = new Map()
  /** @type {Map<number, readonly number[]>} */
  #stacks = new Map()
  /** @type {Trace} */
  #trace = { pid: 0, frequency: 0 }
  /** @type {TraceEvent} */
  #event = {
    provider: '',
    event: 0,
    thread: 0,
    captureThread: 0,
    sequence: 0,
    time: 0,
    stack: NO_STACK,
    start: 0,
    end: 0,
  }

  /**
   * @param {Uint8Array} bytes
   * @param {(event: TraceEvent) => void} visit
   */
  constructor(bytes, visit) {
    this.bytes = bytes
    this.reader = new Reader(bytes)
    this.visit = visit
  }

  run() {
    const { reader } = this
    if (this.#ascii(8) !== 'Nettrace' || this.#ascii(reader.i32()) !== '!FastSerialization.1')
      throw new Error('nettrace: the stream does not begin as one of version 4 does')
    for (;;) {
      const tag = reader.u8()
      if (tag === NULL) return this.#trace
      this.#expect(OBJECT, tag)
      this.#object()
    }
  }

  /** @param {number} size */
  #ascii(size) {
    const at = this.reader.skip(size)
    return Buffer.from(this.bytes.subarray(at, at + size)).toString('latin1')
  }

  /**
   * @param {number} tag
   * @param {number} found
   */
  #expect(tag, found = this.reader.u8()) {
    if (found !== tag) throw new Error(`nettrace: tag ${found} in place of ${tag} at ${this.reader.at - 1}`)
  }

  #object() {
    const { reader } = this
    this.#expect(OBJECT)
    this.#expect(NULL)
    reader.skip(8) // Its version, and the minimum version of a reader.
    const type = this.#ascii(reader.i32())
    this.#expect(END)
    if (type === 'Trace') this.#readTrace(new Reader(this.bytes, reader.skip(TRACE_SIZE), reader.at))
    else {
      const size = reader.i32()
      reader.skip((4 - (reader.at % 4)) % 4)
      this.#block(type, new Reader(this.bytes, reader.skip(size), reader.at))
    }
    this.#expect(END)
  }

  /** @param {Reader} trace */
  #readTrace(trace) {
    trace.skip(24) // Time of day, and the same moment in ticks.
    this.#trace.frequency = trace.u64()
    trace.skip(4)
    this.#trace.pid = trace.u32()
  }

  /**
   * @param {string} type
   * @param {Reader} block
   */
  #block(type, block) {
    switch (type) {
      case 'MetadataBlock':
        return this.#readEvents(block, (event) => this.#learn(event))
      case 'EventBlock':
        return this.#readEvents(block, this.visit)
      case 'StackBlock':
        return this.#readStacks(block)
      case 'SPBlock':
        // Stack numbers restart after this block.
        return this.#stacks.clear()
      default:
        // A block type of a later minor version. Its size gives its end.
        return undefined
    }
  }

  /** @param {Reader} block */
  #readStacks(block) {
    const first = block.u32()
    const count = block.u32()
    for (let i = 0; i < count; i++) {
      const size = block.u32()
      if (size % 8 !== 0) throw new Error(`nettrace: a stack of ${size} bytes at ${block.at}`)
      const end = block.at + size
      if (end > block.end) throw new Error(`nettrace: a stack at ${block.at} goes beyond its block`)
      /** @type {number[]} */
      const stack = []
      while (block.at < end) stack.push(block.u64())
      this.#stacks.set(first + i, stack)
    }
  }

  /**
   * @param {Reader} block
   * @param {(event: TraceEvent) => void} visit
   */
  #readEvents(block, visit) {
    const header = block.u16()
    const flags = block.u16()
    block.skip(header - 4)
    if (header < BLOCK_HEADER) throw new Error(`nettrace: a block header of ${header} bytes`)
    if ((flags & COMPRESSED) === 0) throw new Error('nettrace: a block without compressed headers')
    const event = this.#event
    Object.assign(event, { thread: 0, captureThread: 0, sequence: 0, time: 0 })
    let kind = 0
    let stack = 0
    let size = 0
    while (block.at < block.end) {
      const has = block.u8()
      if (has & HAS_METADATA) kind = block.varuint()
      if (has & HAS_SEQUENCE) {
        event.sequence = (event.sequence + block.varuint()) % 2 ** 32
        event.captureThread = block.varuint()
        block.varuint() // its processor
      } else if (kind !== 0) event.sequence = (event.sequence + 1) % 2 ** 32
      if (has & HAS_THREAD) event.thread = block.varuint()
      if (has & HAS_STACK) stack = block.varuint()
      event.time += block.varuint()
      if (has & HAS_ACTIVITY) block.skip(GUID)
      if (has & HAS_RELATED) block.skip(GUID)
      if (has & HAS_SIZE) size = block.varuint()
      event.start = block.skip(size)
      event.end = block.at
      const known = this.#kinds.get(kind)
      event.provider = known?.provider ?? ''
      event.event = known?.event ?? 0
      event.stack = this.#stacks.get(stack) ?? NO_STACK
      visit(event)
    }
  }

  /** @param {TraceEvent} event of a metadata block: what events with a number are */
  #learn({ start, end }) {
    const payload = new Reader(this.bytes, start, end)
    const id = payload.i32()
    const provider = payload.string()
    this.#kinds.set(id, { provider, event: payload.i32() })
  }
}

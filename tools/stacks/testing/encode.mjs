// @ts-check
/** Writes nettrace streams, the other way round from ../nettrace.mjs, to try its decoder with what no server sends. */

/**
 * @typedef {object} Written
 * @property {number} kind metadata id
 * @property {number} thread
 * @property {number} captureThread
 * @property {number} sequence step from the event before: 1 unless events were dropped
 * @property {number} stack id
 * @property {number} timeDelta
 * @property {Uint8Array} payload
 */

/** @param {string} text */
export function utf16z(text) {
  return Buffer.from(`${text}\0`, 'utf16le')
}

/** @param {...number} values */
export function i32(...values) {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => bytes.writeInt32LE(value | 0, 4 * i))
  return bytes
}

/** @param {...number} values below 2⁵³ */
export function u64(...values) {
  const bytes = Buffer.alloc(8 * values.length)
  values.forEach((value, i) => bytes.writeBigUInt64LE(BigInt(value), 8 * i))
  return bytes
}

/** @param {number} value */
function varuint(value) {
  /** @type {number[]} */
  const bytes = []
  for (let left = BigInt(value); ; left >>= 7n) {
    if (left < 128n) return Buffer.from([...bytes, Number(left)])
    bytes.push(Number(left & 127n) | 128)
  }
}

/** Builds a stream block by block. */
export class Stream {
  #bytes = Buffer.concat([Buffer.from('Nettrace'), i32(20), Buffer.from('!FastSerialization.1')])

  constructor() {
    // time of day and ticks; frequency; pointer size, process, processors, rate
    this.#object('Trace', Buffer.concat([Buffer.alloc(24), u64(1000), i32(8, 77, 2, 0)]), false)
  }

  /**
   * @param {string} type
   * @param {Uint8Array} payload
   * @param {boolean} sized
   */
  #object(type, payload, sized = true) {
    const head = Buffer.concat([Buffer.from([5, 5, 1]), i32(2, 0, type.length), Buffer.from(type), Buffer.from([6])])
    const before = Buffer.concat([this.#bytes, head, sized ? i32(payload.length) : Buffer.alloc(0)])
    const padding = Buffer.alloc(sized ? (4 - (before.length % 4)) % 4 : 0)
    this.#bytes = Buffer.concat([before, padding, payload, Buffer.from([6])])
    return this
  }

  /**
   * @param {string} type
   * @param {Uint8Array} payload
   */
  block(type, payload) {
    return this.#object(type, payload)
  }

  /**
   * @param {number} first id
   * @param {readonly (readonly number[])[]} stacks
   */
  stacks(first, stacks) {
    const all = stacks.flatMap((stack) => [i32(8 * stack.length), u64(...stack)])
    return this.block('StackBlock', Buffer.concat([i32(first, stacks.length), ...all]))
  }

  /** @param {readonly { id: number, provider: string, event: number }[]} kinds */
  kinds(kinds) {
    const events = kinds.map(({ id, provider, event }) => ({
      kind: 0,
      thread: 0,
      captureThread: 0,
      sequence: 0,
      stack: 0,
      timeDelta: 0,
      payload: Buffer.concat([i32(id), utf16z(provider), i32(event), utf16z(''), u64(0), i32(1)]),
    }))
    return this.events(events, 'MetadataBlock')
  }

  /**
   * @param {readonly Written[]} events parts of a header that repeat are left out, as the runtime does
   * @param {string} type
   */
  events(events, type = 'EventBlock') {
    const header = Buffer.concat([Buffer.from([20, 0, 1, 0]), Buffer.alloc(16)])
    let before = { kind: 0, thread: 0, captureThread: 0, stack: 0, size: 0 }
    const all = events.map((event) => {
      const size = event.payload.length
      const inSequence = event.captureThread === before.captureThread && event.sequence === (event.kind === 0 ? 0 : 1)
      /** @type {readonly [number, boolean, readonly number[]][]} */
      const parts = [
        [1, event.kind !== before.kind, [event.kind]],
        [2, !inSequence, [event.sequence, event.captureThread, 0]],
        [4, event.thread !== before.thread, [event.thread]],
        [8, event.stack !== before.stack, [event.stack]],
        [0, true, [event.timeDelta]],
        [128, size !== before.size, [size]],
      ]
      before = { ...event, size }
      const used = parts.filter(([, isUsed]) => isUsed)
      const flags = used.reduce((sum, [flag]) => sum + flag, 0)
      return Buffer.concat([
        Buffer.from([flags]),
        ...used.flatMap(([, , values]) => values.map((value) => varuint(value))),
        event.payload,
      ])
    })
    return this.block(type, Buffer.concat([header, ...all]))
  }

  end() {
    return Buffer.concat([this.#bytes, Buffer.from([1])])
  }
}

/**
 * @param {{ method?: number, module: number, start: number, size: number, names: readonly [string, string, string] }} method
 *   names: type, method, signature
 */
export function methodPayload({ method = 1, module, start, size, names }) {
  return Buffer.concat([u64(method, module, start), i32(size, 0, 0), ...names.map(utf16z), Buffer.alloc(10)])
}

/**
 * @param {number} module
 * @param {string} path
 */
export function modulePayload(module, path) {
  return Buffer.concat([u64(module, 2), i32(0, 0), utf16z(path), utf16z('')])
}

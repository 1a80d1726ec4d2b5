// @ts-check
/**
 * Resolves names of managed code from the rundown: the runtime's list of all modules and methods at the end of a
 * session. A server has some 80,000 methods and a capture contains some 500 addresses, so names are read only for
 * those.
 */
import { textAt } from './nettrace.mjs'

/** @typedef {import('./nettrace.mjs').TraceEvent} TraceEvent */

const PROVIDER = 'Microsoft-Windows-DotNETRuntimeRundown'
const METHOD = 144
const MODULE = 154
const RUNTIME = 187

/** Number of bytes of a method event before its texts: method, module, start, size, token, flags. */
const METHOD_FIXED = 36
/** Number of bytes of a module event before its texts: module, assembly, flags, reserved. */
const MODULE_FIXED = 24
/**
 * Offset of the runtime's version in a runtime event, four u16: after instance, edition and the version of the
 * libraries.
 */
const RUNTIME_VERSION = 12

/** Name that official tools show for an unknown module or method. */
const UNKNOWN = '?'

/**
 * @typedef {object} MethodSymbol
 * @property {string} name `module!namespace.Type.Method(parameters)`; `?!?`, `module!?` where unknown
 * @property {number} start of the method's code; NaN where unknown
 */

/** Collects the rundown events of one stream, then resolves addresses to names. */
export class Rundown {
  #bytes
  #view
  /** Start and end of each method's code, and where its event's payload begins and ends. */
  /** @type {number[]} */
  #starts = []
  /** @type {number[]} */
  #ends = []
  /** @type {number[]} */
  #payloads = []
  /** @type {number[]} */
  #payloadEnds = []
  /** @type {Map<bigint, string>} */
  #modules = new Map()
  /** The runtime's version: major, minor, patch; empty when the stream does not report it. @type {readonly number[]} */
  version = []

  /** @param {Uint8Array} bytes the stream that the events point into */
  constructor(bytes) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Number of methods that the runtime listed. */
  get methods() {
    return this.#starts.length
  }

  /**
   * @param {TraceEvent} event of any kind: others than those of the rundown are passed over
   * @throws {Error} when it is too short
   */
  add({ provider, event, start, end }) {
    if (provider !== PROVIDER) return
    if (event === METHOD) this.#addMethod(start, end)
    else if (event === MODULE) this.#addModule(start, end)
    else if (event === RUNTIME) this.#addRuntime(start, end)
  }

  /**
   * @param {number} at
   * @param {number} end
   */
  #addMethod(at, end) {
    atLeast(METHOD_FIXED, end - at, 'a method')
    const start = this.#u64(at + 16)
    this.#starts.push(start)
    this.#ends.push(start + this.#view.getUint32(at + 24, true))
    this.#payloads.push(at)
    this.#payloadEnds.push(end)
  }

  /**
   * @param {number} at
   * @param {number} end
   */
  #addModule(at, end) {
    atLeast(MODULE_FIXED, end - at, 'a module')
    const { text } = textAt(this.#bytes, at + MODULE_FIXED, end)
    this.#modules.set(this.#view.getBigUint64(at, true), moduleName(text))
  }

  /**
   * @param {number} at
   * @param {number} end
   */
  #addRuntime(at, end) {
    atLeast(RUNTIME_VERSION + 6, end - at, 'the runtime')
    this.version = [0, 2, 4].map((offset) => this.#view.getUint16(at + RUNTIME_VERSION + offset, true))
  }

  /** @param {number} at */
  #u64(at) {
    return this.#view.getUint32(at, true) + this.#view.getUint32(at + 4, true) * 2 ** 32
  }

  /**
   * @param {Iterable<number>} addresses
   * @param {(address: number) => string | undefined} [mapped] names the library whose file lies at an address
   * @returns {Map<number, MethodSymbol>} one for each address
   */
  symbols(addresses, mapped = () => undefined) {
    const sorted = Float64Array.from(new Set(addresses)).toSorted()
    /** @type {Map<number, MethodSymbol>} */
    const symbols = new Map()
    for (let method = 0; method < this.#starts.length; method++) {
      const start = this.#starts[method] ?? 0
      const end = this.#ends[method] ?? 0
      for (let i = firstFrom(sorted, start), name = ''; i < sorted.length; i++) {
        const address = sorted[i] ?? 0
        if (address >= end) break
        name ||= this.#name(this.#payloads[method] ?? 0, this.#payloadEnds[method] ?? 0)
        symbols.set(address, { name, start })
      }
    }
    for (const address of sorted)
      if (!symbols.has(address))
        symbols.set(address, { name: `${mapped(address) ?? UNKNOWN}!${UNKNOWN}`, start: Number.NaN })
    return symbols
  }

  /**
   * @param {number} at of a method's payload
   * @param {number} end
   * @returns {string}
   */
  #name(at, end) {
    const type = textAt(this.#bytes, at + METHOD_FIXED, end)
    const method = textAt(this.#bytes, type.next, end)
    const { text: signature } = textAt(this.#bytes, method.next, end)
    const module = this.#modules.get(this.#view.getBigUint64(at + 8, true)) ?? UNKNOWN
    return `${module}!${type.text}.${method.text}${parametersOf(signature)}`
  }
}

/**
 * @param {number} least bytes
 * @param {number} found bytes
 * @param {string} what
 */
function atLeast(least, found, what) {
  if (found < least) throw new Error(`nettrace: ${found} bytes for ${what}, at least ${least} expected`)
}

/**
 * @param {Float64Array} sorted
 * @param {number} value
 * @returns {number} index of the first element that is not below the value
 */
function firstFrom(sorted, value) {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * @param {string} path of a module's file; for one that was compiled in memory, its name
 * @returns {string} file name without `.dll` or `.exe`
 */
function moduleName(path) {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/\.(?:dll|exe)$/i, '')
}

/**
 * @param {string} signature such as `instance bool  (int32,class System.Object)`
 * @returns {string} such as `(int32,class System.Object)`
 */
function parametersOf(signature) {
  const open = signature.indexOf('(')
  return open < 0 ? '()' : signature.slice(open)
}

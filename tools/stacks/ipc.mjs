// @ts-check
/**
 * Client of the .NET runtime's diagnostics socket: starts and ends an EventPipe session that samples the stacks of all
 * managed threads. The protocol is the runtime's "Diagnostic IPC Protocol", version 1, little endian, with one command
 * per connection.
 */
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { codeOf, Plain } from '../say.mjs'
import { startTicksOf, tmpOf } from './proc.mjs'

const MAGIC = 'DOTNET_IPC_V1\0'
/** Size of the header before a message's payload, bytes: magic, total size, command set, command, reserved. */
const HEADER = 20

const EVENT_PIPE = 2
const STOP = 1
/** Command like {@link START_4}, with a flag for the rundown in place of its keywords. */
const START_2 = 3
/** Command of .NET 9 and later, with the keywords of the rundown and whether events carry stacks. */
const START_4 = 5
const ANSWER = 0xff
const OK = 0

const SAMPLER = 'Microsoft-DotNETCore-SampleProfiler'
/** Level informational: the sampler has no finer one. */
const SAMPLER_LEVEL = 4
/**
 * Keywords of the rundown: modules of the loader (8), methods of the JIT (0x10) and precompiled ones (0x20), at the end
 * (0x100).
 */
const RUNDOWN = 0x138n
/** Size of the runtime's own buffer, megabytes. Events are dropped when it is full. */
const BUFFER_MB = 256
/** Number of the format "nettrace". */
const NETTRACE = 1

/** Maximum size of a response, bytes. A larger one counts as broken; 78,000 methods make 26 MB. */
const MOST_BYTES = 1 << 29

/**
 * @param {number} pid
 * @returns {string} path of its diagnostics socket
 * @throws {Plain} when it has none
 */
export function socketOf(pid) {
  const folder = tmpOf(pid)
  // Sockets of dead processes remain, so the path includes the start time.
  const path = join(folder, `dotnet-diagnostic-${pid}-${startTicksOf(pid)}-socket`)
  if (!existsSync(path))
    throw new Plain(
      `Process ${pid} has no diagnostics socket in ${folder}: it is no .NET process, or DOTNET_EnableDiagnostics=0 switched it off.`,
    )
  return path
}

/**
 * @param {number} set
 * @param {number} command
 * @param {Buffer} payload
 * @returns {Buffer}
 */
export function message(set, command, payload) {
  const head = Buffer.alloc(HEADER)
  head.write(MAGIC, 'latin1')
  head.writeUInt16LE(HEADER + payload.length, MAGIC.length)
  head.writeUInt8(set, 16)
  head.writeUInt8(command, 17)
  return Buffer.concat([head, payload])
}

/**
 * @param {string} text
 * @returns {Buffer} UTF-16 units including a closing NUL, after their number
 */
function string(text) {
  const units = Buffer.from(`${text}\0`, 'utf16le')
  return Buffer.concat([u32(units.length / 2), units])
}

/** @param {number} value */
function u32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** @param {bigint} value */
function u64(value) {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/**
 * @param {typeof START_2 | typeof START_4} command
 * @returns {Buffer}
 */
function startMessage(command) {
  const what = command === START_4 ? Buffer.concat([u64(RUNDOWN), Buffer.from([1])]) : Buffer.from([1])
  const sampler = Buffer.concat([u64(0n), u32(SAMPLER_LEVEL), string(SAMPLER), u32(0)])
  return message(EVENT_PIPE, command, Buffer.concat([u32(BUFFER_MB), u32(NETTRACE), what, u32(1), sampler]))
}

/** A connection for one command: its response, and for a session the stream that follows. */
class Exchange {
  /** @type {Buffer[]} */
  #chunks = []
  #length = 0
  #socket
  /** All bytes, once the runtime has closed the connection. @type {Promise<Buffer>} */
  all

  /**
   * @param {string} path
   * @param {Buffer} command
   */
  constructor(path, command) {
    this.#socket = connect(path)
    this.all = new Promise((done, failed) => {
      // A reset connection counts as ended: the bytes received so far are used, and the reader checks whether they are
      // complete.
      this.#socket.once('error', (error) => {
        if (this.#length > 0) done(Buffer.concat(this.#chunks))
        else failed(new Plain(`The diagnostics socket ${path} does not answer (${codeOf(error) || error.message}).`))
      })
      this.#socket.on('data', (chunk) => {
        this.#chunks.push(chunk)
        this.#length += chunk.length
        if (this.#length > MOST_BYTES) {
          this.#socket.destroy()
          failed(new Plain(`The runtime sent more than ${MOST_BYTES} bytes, which no session does.`))
        }
      })
      this.#socket.once('close', () => done(Buffer.concat(this.#chunks)))
    })
    this.all.catch(() => {})
    this.#socket.write(command)
  }

  /**
   * @param {number} size
   * @returns {Promise<Buffer>} at least so many bytes
   * @throws {Plain} when the runtime closes the connection before
   */
  async #first(size) {
    while (this.#length < size) {
      const closed = await Promise.race([
        new Promise((more) => this.#socket.once('data', () => more(false))),
        this.all.then(() => true),
      ])
      if (closed === true && this.#length < size)
        throw new Plain('The process closed its diagnostics socket without an answer: it ended, or is no .NET process.')
    }
    return Buffer.concat(this.#chunks)
  }

  /**
   * @returns {Promise<{ ok: boolean, payload: Buffer }>} not ok: the payload is an error number of the runtime
   * @throws {Plain} when that is no answer of a runtime
   */
  async answer() {
    const head = await this.#first(HEADER)
    const size = head.readUInt16LE(MAGIC.length)
    if (head.toString('latin1', 0, MAGIC.length) !== MAGIC || head[16] !== ANSWER || size < HEADER + 4)
      throw new Plain('The diagnostics socket answers, but not as a .NET runtime does.')
    const bytes = await this.#first(size)
    return { ok: bytes[17] === OK, payload: bytes.subarray(HEADER, size) }
  }

  close() {
    this.#socket.destroy()
  }
}

/**
 * @param {string} what
 * @param {Buffer} payload
 * @returns {Plain}
 */
function refused(what, payload) {
  return new Plain(`The runtime refused ${what} (error 0x${payload.readUInt32LE(0).toString(16)}).`)
}

/**
 * Samples the stacks of all managed threads of a process while `during` runs.
 * @param {string} path of the diagnostics socket
 * @param {() => Promise<void>} during how long: the session lasts until it settles
 * @returns {Promise<Buffer>} the session's nettrace stream, with the rundown at its end
 * @throws {Plain}
 */
export async function sampleStacks(path, during) {
  const { session, id } = await start(path)
  await Promise.race([during(), session.all])
  const stop = new Exchange(path, message(EVENT_PIPE, STOP, id))
  try {
    // The rundown is sent first, through the session's own connection.
    const [{ ok, payload }, all] = await Promise.all([stop.answer(), session.all])
    if (!ok) throw refused('to end the session', payload)
    return all.subarray(HEADER + id.length)
  } finally {
    stop.close()
    session.close()
  }
}

/**
 * @param {string} path
 * @returns {Promise<{ session: Exchange, id: Buffer }>}
 */
async function start(path) {
  for (const command of /** @type {const} */ ([START_4, START_2])) {
    const session = new Exchange(path, startMessage(command))
    const { ok, payload } = await session.answer()
    if (ok) {
      if (payload.length !== 8) throw new Plain('The runtime began a session without a number.')
      return { session, id: payload }
    }
    session.close()
    // An older runtime does not know the newer command.
    if (command === START_2) throw refused('a sampling session', payload)
  }
  throw new Plain('The runtime refused a sampling session.')
}

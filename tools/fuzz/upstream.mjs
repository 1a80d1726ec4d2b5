// @ts-check
/**
 * Server that records the requests that reach it. It accepts a single form of a request, and counts anything else as an
 * attack.
 */
import { once } from 'node:events'
import net from 'node:net'

/**
 * @typedef {object} Reached
 * @property {string} method
 * @property {string} target
 * @property {ReadonlyMap<string, string>} headers by lower-case name
 */

const HEAD = /^([A-Z]+) ([\u0021-\u007e]+) HTTP\/1\.1\r\n((?:[\w-]+: [^\r\n]*\r\n)*)\r\n/
const CHUNK = /([\da-f]+)\r\n/y

/**
 * @param {(reached: Reached) => void} onRequest
 * @param {(why: string, bytes: string) => void} onOdd something else came
 * @returns {Promise<{ port: number, close: () => void }>}
 */
export async function recordingUpstream(onRequest, onOdd) {
  /** @type {Set<net.Socket>} */
  const open = new Set()
  const server = net.createServer((socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
    let text = ''
    let isAnswering = false
    /** Whether the data that follows is not HTTP. */
    let isUpgraded = false
    const take = () => {
      if (text === '' || isUpgraded) return
      if (isAnswering) return odd('a request before the answer to the one before')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const [head = '', method = '', target = '', lines = ''] = HEAD.exec(text) ?? []
      if (head === '') return odd('no request')
      const pairs = lines.split('\r\n').flatMap((line) => {
        const at = line.indexOf(': ')
        return at < 0 ? [] : [/** @type {const} */ ([line.slice(0, at).toLowerCase(), line.slice(at + 2)])]
      })
      const headers = new Map(pairs)
      if (headers.size < pairs.length) return odd('a header twice')
      const size = bodySize(headers, text.slice(head.length))
      if (size === undefined) return odd('no clear length')
      if (size === null) return
      text = text.slice(head.length + size)
      onRequest({ method, target, headers })
      isAnswering = true
      isUpgraded = headers.has('upgrade')
      // The response is delayed, so that data that was sent too early is detected.
      setImmediate(() => {
        isAnswering = false
        if (socket.destroyed) return
        if (isUpgraded) {
          socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
          return
        }
        const body = method === 'HEAD' ? '' : target
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${target.length}\r\n\r\n${body}`)
        take()
      })
    }
    const odd = (/** @type {string} */ why) => {
      onOdd(why, text)
      socket.destroy()
    }
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (!socket.destroyed) take()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = /** @type {net.AddressInfo} */ (server.address())
  return {
    port: address.port,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

/**
 * @param {ReadonlyMap<string, string>} headers
 * @param {string} rest what came after them
 * @returns {number | null | undefined} bytes; null: not all is there yet; undefined: it is not clear
 */
function bodySize(headers, rest) {
  const length = headers.get('content-length')
  const coding = headers.get('transfer-encoding')
  if (coding !== undefined) {
    if (coding !== 'chunked' || length !== undefined) return undefined
    return chunkedSize(rest)
  }
  if (length === undefined) return 0
  if (!/^\d+$/.test(length)) return undefined
  return Number(length) <= rest.length ? Number(length) : null
}

/**
 * @param {string} rest
 * @returns {number | null | undefined} as of {@link bodySize}
 */
function chunkedSize(rest) {
  let at = 0
  for (;;) {
    CHUNK.lastIndex = at
    const [line = '', size = ''] = CHUNK.exec(rest) ?? []
    if (line === '') return rest.includes('\r\n', at) ? undefined : null
    const end = at + line.length + Number.parseInt(size, 16)
    if (rest.length < end + 2) return null
    if (rest.slice(end, end + 2) !== '\r\n') return undefined
    at = end + 2
    if (Number.parseInt(size, 16) === 0) return at
  }
}

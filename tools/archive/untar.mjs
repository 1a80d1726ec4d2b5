// @ts-check
/** Reads gzipped tar archives as npm creates them (ustar, pax paths, GNU long names). */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const unpack = promisify(gunzip)

const BLOCK = 512

/**
 * @param {Buffer} tgz
 * @returns {Promise<Map<string, Buffer>>} path → bytes of every plain file
 * @throws {Error} when it is no such archive
 */
export async function tgzFiles(tgz) {
  const tar = await unpack(tgz)
  /** @type {Map<string, Buffer>} */
  const files = new Map()
  let longName = ''
  for (let at = 0; at + BLOCK <= tar.length;) {
    if (tar[at] === 0) break
    const size = Number.parseInt(field(tar, at + 124, 12).trim() || '0', 8)
    const type = field(tar, at + 156, 1)
    const prefix = field(tar, at + 345, 155)
    const name = longName || (prefix ? `${prefix}/` : '') + field(tar, at, 100)
    const body = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (body.length !== size) throw new Error(`tar archive is cut short in ${name}`)
    longName = ''
    if (type === 'L') longName = field(body, 0, size)
    else if (type === 'x') longName = /^\d+ path=(.*)$/m.exec(body.toString('utf8'))?.[1] ?? ''
    else if (type === '0' || type === '') files.set(name, body)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} length
 * @returns {string} the text up to the first NUL
 */
function field(bytes, start, length) {
  const part = bytes.subarray(start, start + length)
  const end = part.indexOf(0)
  return part.toString('utf8', 0, end < 0 ? part.length : end)
}

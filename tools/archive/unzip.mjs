// @ts-check
/** Reads zip archives (stored and deflated entries, no zip64, no encryption): enough for Python wheels. */
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

const inflate = promisify(inflateRaw)

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50

/**
 * @typedef {object} ZipEntry
 * @property {string} name path with `/`; ends with `/` for a folder
 * @property {number} size bytes when unpacked
 * @property {() => Promise<Buffer>} read
 */

/**
 * @param {Buffer} zip
 * @returns {ZipEntry[]} in the archive's order
 * @throws {Error} when it is no zip archive
 */
export function zipEntries(zip) {
  let end = zip.length - 22
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--
  if (end < 0) throw new Error('not a zip archive, or cut short')
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  /** @type {ZipEntry[]} */
  const entries = []
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error(`zip directory entry ${i} is damaged`)
    const method = zip.readUInt16LE(at + 10)
    const packed = zip.readUInt32LE(at + 20)
    const size = zip.readUInt32LE(at + 24)
    const nameLength = zip.readUInt16LE(at + 28)
    const header = zip.readUInt32LE(at + 42)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    entries.push({ name, size, read: () => readEntry(zip, { name, header, method, packed, size }) })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

/**
 * @param {Buffer} zip
 * @param {{ name: string, header: number, method: number, packed: number, size: number }} entry
 * @returns {Promise<Buffer>}
 */
async function readEntry(zip, { name, header, method, packed, size }) {
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  const bytes = zip.subarray(start, start + packed)
  if (method !== 0 && method !== 8) throw new Error(`${name}: zip method ${method} is not known`)
  const out = method === 0 ? bytes : await inflate(bytes)
  if (out.length !== size) throw new Error(`${name}: ${out.length} bytes where ${size} were expected`)
  return out
}

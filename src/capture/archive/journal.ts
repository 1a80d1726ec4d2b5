import { deflateSync, inflateSync } from 'fflate'
import { crc32 } from '../reading/crc32.ts'
import type { ArchiveRecord } from './records.ts'

/**
 * A journal is its magic and blocks one after the other, each written as a whole:
 * ```
 * RKJ1 [bytes of the payload: u32][CRC-32 of the payload: u32][payload: deflated lines of JSON] …     little endian
 * ```
 * After a crash the last block may be cut, or its bytes not be those that were meant: it does not count.
 */
export const JOURNAL_MAGIC = Uint8Array.of(0x52, 0x4b, 0x4a, 0x31)

const HEAD_BYTES = 8
/** Maximum size of a block; a block of a few seconds has kilobytes. */
const MOST_BLOCK_BYTES = 1 << 28
const LEVEL = 1

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Empty without records. */
export function encodeBlock(records: readonly ArchiveRecord[]): Uint8Array {
  if (records.length === 0) return new Uint8Array()
  const lines = records.map((record) => JSON.stringify(record)).join('\n')
  const payload = deflateSync(encoder.encode(lines), { level: LEVEL })
  const block = new Uint8Array(HEAD_BYTES + payload.length)
  const view = new DataView(block.buffer)
  view.setUint32(0, payload.length, true)
  view.setUint32(4, crc32(payload), true)
  block.set(payload, HEAD_BYTES)
  return block
}

export interface JournalEnd {
  /** End of the last complete block; the rest is truncated or invalid. */
  readonly goodBytes: number
  /** Why the rest cannot be read; null: there is none. */
  readonly broken: string | null
}

/** Says that a journal ends within a block. */
export const CUT = 'The last block is cut.'
const DAMAGED = 'A block is not as written.'

export const isJournal = (head: Uint8Array): boolean => JOURNAL_MAGIC.every((byte, i) => head[i] === byte)

/** Passes the records of all complete blocks to `take`, in the order in which they were written. */
export function readJournal(bytes: Uint8Array, take: (record: ArchiveRecord) => void): JournalEnd {
  if (!isJournal(bytes))
    return { goodBytes: 0, broken: bytes.length === 0 ? 'It is empty.' : 'It does not begin as a journal.' }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = JOURNAL_MAGIC.length
  while (at < bytes.length) {
    if (at + HEAD_BYTES > bytes.length) return { goodBytes: at, broken: CUT }
    const from = at + HEAD_BYTES
    const length = view.getUint32(at, true)
    // A crash of the machine can leave zeros, whose CRC-32 is 0.
    if (length === 0) return { goodBytes: at, broken: CUT }
    if (length > MOST_BLOCK_BYTES) return { goodBytes: at, broken: DAMAGED }
    if (from + length > bytes.length) return { goodBytes: at, broken: CUT }
    const payload = bytes.subarray(from, from + length)
    if (crc32(payload) !== view.getUint32(at + 4, true)) return { goodBytes: at, broken: DAMAGED }
    for (const line of decoder.decode(inflateSync(payload)).split('\n')) take(JSON.parse(line) as ArchiveRecord)
    at = from + length
  }
  return { goodBytes: at, broken: null }
}

import { deflateSync, Inflate, inflateSync } from 'fflate'
import { formatPlural } from '../../base/text/format.ts'
import { crc32 } from '../reading/crc32.ts'
import { type ArchiveRecord, isRecord } from './records.ts'

/**
 * A journal is its magic and blocks one after the other, each written as a whole:
 * ```
 * RKJ1 [bytes of the payload: u32][CRC-32 of the payload: u32][payload: deflated lines of JSON] …     little endian
 * ```
 * After a crash the last block may be cut, or its bytes not be those that were meant: it does not count. Nor does a block
 * that a disk has damaged; those after it are found again by their payload.
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
  /** Why something cannot be read: the rest, or else what was skipped; null: all was read. */
  readonly broken: string | null
  /** Number of stretches that were skipped, with complete blocks after each. */
  readonly skipped: number
  /** Number of records whose kind only a later version knows; they are skipped. */
  readonly newer: number
}

/** Says that rows of a later version are skipped; empty: there are none. */
export const wordsOfNewer = (rows: number): string =>
  rows === 0 ? '' : `${formatPlural(rows, 'row')} of a newer version of Rookery ${rows === 1 ? 'was' : 'were'} skipped.`

/** Says that a journal ends within a block. */
const CUT = 'The last block is cut.'
const DAMAGED = 'A block is not as written.'
const NO_MAGIC = 'It does not begin as a journal.'

export interface JournalFaults {
  /** Why the rest of a journal is not read: its last block is cut, or it is damaged; null: it is read. */
  readonly rest: 'cut' | 'damaged' | null
  /** Sentences; empty: there are no faults. */
  readonly words: string
  readonly isDamaged: boolean
}

/** Faults of a journal of that size. A crash truncates the last block, which is no damage. */
export function faultsOf({ broken, goodBytes, skipped }: Omit<JournalEnd, 'newer'>, bytes: number): JournalFaults {
  const isWhole = broken === null || (goodBytes === bytes && bytes > 0)
  const rest = isWhole ? null : broken === CUT ? 'cut' : 'damaged'
  const words = [
    ...(skipped === 0 ? [] : [`${skipped === 1 ? 'A part is' : `${skipped} parts are`} damaged and left out.`]),
    ...(rest === null ? [] : [broken, rest === 'cut' ? 'The last seconds are missing.' : 'What follows is not read.']),
  ]
  return { rest, words: words.join(' '), isDamaged: rest === 'damaged' || skipped > 0 }
}

export const isJournal = (head: Uint8Array): boolean => JOURNAL_MAGIC.every((byte, i) => head[i] === byte)

/**
 * Passes the records of all complete blocks to `take`, in the order in which they were written. Those of a kind that
 * this version does not know are counted. `onSkipped` is called between the records before and after what cannot be
 * read.
 */
export function readJournal(
  bytes: Uint8Array,
  take: (record: ArchiveRecord) => void,
  onSkipped: () => void = () => undefined,
): JournalEnd {
  if (bytes.length === 0) return { goodBytes: 0, broken: 'It is empty.', skipped: 0, newer: 0 }
  const journal = new Blocks(bytes)
  let at = isJournal(bytes) ? JOURNAL_MAGIC.length : 0
  let skipped = 0
  let newer = 0
  let broken: string | null = null
  while (at < bytes.length) {
    const fault = at === 0 ? NO_MAGIC : journal.faultAt(at)
    if (fault !== null) {
      const next = journal.nextAfter(at)
      if (next === null) return { goodBytes: at, broken: fault, skipped, newer }
      broken ??= fault === CUT ? DAMAGED : fault
      skipped++
      onSkipped()
      at = next
    }
    const payload = journal.payloadAt(at)
    for (const line of decoder.decode(inflateSync(payload)).split('\n')) {
      const record = JSON.parse(line) as { readonly t?: unknown }
      if (isRecord(record)) take(record)
      else newer++
    }
    at += HEAD_BYTES + payload.length
  }
  return { goodBytes: at, broken, skipped, newer }
}

/** First characters of a payload. */
const FIRST_RECORD = encoder.encode('{"t":"')
/** Compressed bytes that have more than these characters, if any have. */
const FIRST_BYTES = 512

class Blocks {
  readonly #bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  payloadAt(at: number): Uint8Array {
    return this.#bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + this.#view.getUint32(at, true))
  }

  /** Fault of the block at `at`; null: it is complete. */
  faultAt(at: number): string | null {
    const left = this.#bytes.length - at - HEAD_BYTES
    if (left < 0) return CUT
    const length = this.#view.getUint32(at, true)
    // A crash of the machine can leave zeros, whose CRC-32 is 0.
    if (length === 0) return CUT
    if (length > MOST_BLOCK_BYTES) return DAMAGED
    if (length > left) return CUT
    return crc32(this.payloadAt(at)) === this.#view.getUint32(at + 4, true) ? null : DAMAGED
  }

  /** Start of the next complete block after a damaged one; null: there is none. */
  nextAfter(at: number): number | null {
    // Where only the payload is damaged, its length leads there.
    if (at + HEAD_BYTES <= this.#bytes.length) {
      const next = at + HEAD_BYTES + this.#view.getUint32(at, true)
      if (next < this.#bytes.length && this.#isBlock(next)) return next
    }
    for (let next = at + 1; next + HEAD_BYTES < this.#bytes.length; next++) if (this.#isBlock(next)) return next
    return null
  }

  #isBlock(at: number): boolean {
    if (at + HEAD_BYTES >= this.#bytes.length) return false
    const length = this.#view.getUint32(at, true)
    // The CRC of each possible length would take the square of the time.
    if (length === 0 || length > this.#bytes.length - at - HEAD_BYTES || !beginsAsPayload(this.payloadAt(at)))
      return false
    return this.faultAt(at) === null
  }
}

/** Whether a payload begins with a record, by its first bytes alone. */
function beginsAsPayload(payload: Uint8Array): boolean {
  if (!mayBeDeflated(payload)) return false
  let isRecord = false
  let isOver = false
  try {
    const inflate = new Inflate((piece) => {
      if (isOver || piece.length === 0) return
      isOver = true
      isRecord = FIRST_RECORD.every((byte, i) => piece[i] === byte)
    })
    inflate.push(payload.subarray(0, FIRST_BYTES), payload.length <= FIRST_BYTES)
  } catch {
    return false
  }
  return isRecord
}

/** Maximum value of the five bits that hold the number of codes of a kind (RFC 1951, 3.2.7). */
const MOST_CODES = 29
/** Code of `{` among the fixed ones, with its last bit first. */
const OPEN_FIXED = 0xd5

/** Whether bytes may be a deflated record, by the head of the first block: few others are, and inflating is slow. */
function mayBeDeflated(bytes: Uint8Array): boolean {
  const bits = (at: number, count: number): number => {
    const byte = at >> 3
    const all = (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8)
    return (all >> (at & 7)) & ((1 << count) - 1)
  }
  const type = bits(1, 2)
  if (type === 0) return bytes[5] === FIRST_RECORD[0]
  if (type === 1) return bits(3, 8) === OPEN_FIXED
  if (type === 3 || bits(3, 5) > MOST_CODES || bits(8, 5) > MOST_CODES) return false
  // The lengths of the codes for the lengths of codes use up all of their space.
  let space = 0
  for (let code = 0, count = bits(13, 4) + 4; code < count; code++) {
    const length = bits(17 + 3 * code, 3)
    if (length > 0) space += 128 >> length
  }
  return space === 128
}

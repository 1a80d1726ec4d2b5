import { LIMITS } from './limits.ts'
import { Refusal } from './refusal.ts'
import { isTar } from './sniff.ts'

/** A file in a tar: its bytes are those of the archive from `at` on. */
export interface TarEntry {
  readonly name: string
  readonly at: number
  readonly bytes: number
  /** Set for the last entry of an archive without an end mark: it may be incomplete, and others may be missing. */
  readonly isCut?: true
}

/** Block size: headers and contents begin at multiples of it. */
const BLOCK_BYTES = 512
/** Bytes of one read behind the end, where zeros may go on for long. */
const PIECE_BYTES = 1 << 20
const MAGIC_AT = 257
const PREFIX_AT = 345
/** Maximum length of a name. */
const MOST_NAME_BYTES = LIMITS.zipNameBytes
const decoder = new TextDecoder()

/**
 * Files in a tar, without links, folders and devices. Reads header by header, so that a large archive costs one small
 * read for each entry. For a truncated archive, the files before the cut. Throws `Refusal` for too many entries, and
 * for an invalid header. Source: POSIX.1-2017, pax; GNU tar manual, "Basic Tar Format".
 */
export async function listTar(blob: Blob): Promise<TarEntry[]> {
  const entries: TarEntry[] = []
  let longName: string | null = null
  for (let at = 0; at + BLOCK_BYTES <= blob.size;) {
    const header = new Uint8Array(await blob.slice(at, at + BLOCK_BYTES).arrayBuffer())
    // Two blocks of zeros end it; padding may follow.
    if (isBlank(header)) return entries
    if (!isTar(header))
      throw new Refusal(`byte ${at.toLocaleString('en-US')}: expected a header of the tar: the file is cut or broken.`)
    const bytes = sizeOf(header)
    const contentAt = at + BLOCK_BYTES
    if (!Number.isSafeInteger(bytes))
      throw new Refusal(`byte ${at.toLocaleString('en-US')}: ${nameOf(header)} has no size: the file is broken.`)
    const type = String.fromCharCode(header[156] ?? 0)
    if (contentAt + bytes > blob.size) {
      if (isFile(type)) entries.push({ name: longName ?? nameOf(header), at: contentAt, bytes: blob.size - contentAt })
      break
    }
    if (type === 'L' || type === 'x') {
      if (bytes > MOST_NAME_BYTES) throw new Refusal(`A name in the tar has ${bytes} bytes.`)
      const text = await blob.slice(contentAt, contentAt + bytes).text()
      longName = type === 'L' ? text.replace(/\0+$/, '') : (/^\d+ path=(.*)$/m.exec(text)?.[1] ?? longName)
    } else {
      if (isFile(type)) entries.push({ name: longName ?? nameOf(header), at: contentAt, bytes })
      longName = null
      if (entries.length > LIMITS.zipEntries)
        throw new Refusal(`A tar of more than ${LIMITS.zipEntries} entries is not listed.`)
    }
    at = contentAt + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
  }
  const last = entries.pop()
  if (last === undefined) throw new Refusal('The tar ends before its first file: it is cut.')
  return [...entries, { ...last, isCut: true }]
}

/** Number of bytes from the first that is no zero after the end of a whole tar: another tar, or no tar at all. */
export async function bytesAfterTar(blob: Blob): Promise<number> {
  let at = 0
  for (let isOver = false; !isOver && at < blob.size;) {
    const block = new Uint8Array(await blob.slice(at, at + BLOCK_BYTES).arrayBuffer())
    isOver = isBlank(block)
    const bytes = isOver ? 0 : sizeOf(block)
    if (!Number.isSafeInteger(bytes)) return 0
    at += BLOCK_BYTES + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
  }
  for (; at < blob.size; at += PIECE_BYTES) {
    const piece = new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer())
    const first = piece.findIndex((byte) => byte !== 0)
    if (first >= 0) return blob.size - at - first
  }
  return 0
}

const isBlank = (block: Uint8Array): boolean => block.every((byte) => byte === 0)
const isFile = (type: string): boolean => type === '0' || type === '\0'

const text = (header: Uint8Array, from: number, length: number): string => {
  const field = header.subarray(from, from + length)
  const end = field.indexOf(0)
  return decoder.decode(end < 0 ? field : field.subarray(0, end))
}

function nameOf(header: Uint8Array): string {
  const name = text(header, 0, 100)
  // GNU archives use the prefix field differently.
  const prefix = header[MAGIC_AT + 5] === 0 ? text(header, PREFIX_AT, 155) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Octal digits, or base 256 if the first bit is set (above 8 GiB). NaN: neither. */
function sizeOf(header: Uint8Array): number {
  if (((header[124] ?? 0) & 0x80) !== 0) return header.subarray(125, 136).reduce((size, byte) => size * 256 + byte, 0)
  const digits = text(header, 124, 12).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN
}

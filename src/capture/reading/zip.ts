import { blobStream } from './blob-stream.ts'
import { LIMITS } from './limits.ts'
import { Refusal } from './refusal.ts'
import { inflated } from './unpack.ts'

export interface ZipEntry {
  readonly name: string
  readonly compressedBytes: number
  readonly bytes: number
  /** CRC-32 of the unpacked bytes. */
  readonly crc: number
  /** 0 stored, 8 deflated; entries with another method are listed but not read. */
  readonly method: number
  readonly encrypted: boolean
  /** Position of its local header. */
  readonly headerAt: number
}

const END_SIGNATURE = 0x06054b50
const END64_LOCATOR_SIGNATURE = 0x07064b50
const END64_SIGNATURE = 0x06064b50
const ENTRY_SIGNATURE = 0x02014b50
export const LOCAL_SIGNATURE = 0x04034b50

const END_BYTES = 22
const LOCATOR_BYTES = 20
const END64_BYTES = 56
const ENTRY_BYTES = 46
export const LOCAL_BYTES = 30
const MAX_COMMENT = 0xffff

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Code page that has a letter for every byte, so that other names stay apart. */
const windows = new TextDecoder('windows-1252')

const view = async (blob: Blob, from: number, to: number): Promise<DataView> =>
  new DataView(await blob.slice(Math.max(0, from), to).arrayBuffer())

/**
 * Entries of a zip (zip64 included), read from its central directory alone. Null: there is none, as where the zip is cut.
 * Throws `Refusal` beyond `LIMITS`. Source: APPNOTE.TXT 6.3.10, sections 4.3.7 to 4.3.16.
 */
export async function listZip(blob: Blob): Promise<ZipEntry[] | null> {
  const directory = await findDirectory(blob)
  if (directory === null) return null
  if (directory.bytes > LIMITS.zipDirectoryBytes || directory.entries > LIMITS.zipEntries)
    throw new Refusal(
      `A zip of ${directory.entries} entries is not listed: at most ${LIMITS.zipEntries} entries in ${LIMITS.zipDirectoryBytes >> 20} MB are.`,
    )
  const data = await view(blob, directory.at, directory.at + directory.bytes)
  const entries: ZipEntry[] = []
  let at = 0
  while (
    at + ENTRY_BYTES <= data.byteLength &&
    data.getUint32(at, true) === ENTRY_SIGNATURE &&
    entries.length < directory.entries
  ) {
    const nameBytes = data.getUint16(at + 28, true)
    const extraBytes = data.getUint16(at + 30, true)
    const commentBytes = data.getUint16(at + 32, true)
    const next = at + ENTRY_BYTES + nameBytes + extraBytes + commentBytes
    if (next > data.byteLength) break
    if (nameBytes > LIMITS.zipNameBytes)
      throw new Refusal(
        `Entry ${entries.length + 1} of the zip has a name of ${nameBytes} bytes; at most ${LIMITS.zipNameBytes} are taken.`,
      )
    entries.push(readEntry(data, at, nameBytes, extraBytes))
    at = next
  }
  if (entries.length < directory.entries)
    throw new Refusal(
      `The zip's directory should list ${directory.entries} entries, but ends after ${entries.length}: the file is cut or broken.`,
    )
  mustNotOverlap(entries)
  return entries
}

/** Refuses entries that share bytes, with which a small zip can unpack to terabytes; no program writes them. */
function mustNotOverlap(entries: readonly ZipEntry[]): void {
  const byPlace = entries.toSorted((a, b) => a.headerAt - b.headerAt)
  for (const [i, { name, headerAt, compressedBytes }] of byPlace.entries()) {
    const next = byPlace[i + 1]
    if (next !== undefined && headerAt + LOCAL_BYTES + compressedBytes > next.headerAt)
      throw new Refusal(`${name} and ${next.name} share the same bytes of the zip: the file is broken, or a trap.`)
  }
}

function readEntry(data: DataView, at: number, nameBytes: number, extraBytes: number): ZipEntry {
  const flags = data.getUint16(at + 8, true)
  const sizes = [data.getUint32(at + 24, true), data.getUint32(at + 20, true), data.getUint32(at + 42, true)]
  const [bytes, compressedBytes, headerAt] = readZip64(data, at + ENTRY_BYTES + nameBytes, extraBytes, sizes) as [
    number,
    number,
    number,
  ]
  return {
    name: nameOfEntry(data, at + ENTRY_BYTES, nameBytes),
    bytes,
    compressedBytes,
    crc: data.getUint32(at + 16, true),
    method: data.getUint16(at + 10, true),
    encrypted: (flags & 1) !== 0,
    headerAt,
  }
}

export function nameOfEntry(data: DataView, at: number, bytes: number): string {
  const written = decodeName(new Uint8Array(data.buffer, data.byteOffset + at, bytes))
  // Archivers of Windows separate folders by a backslash, against section 4.4.17.
  return written.replaceAll('\\', '/')
}

/**
 * Names are UTF-8, also where bit 11 of section 4.4.4 does not say so, but for those of archivers that write the code
 * page of their computer, which the zip does not name: letters beyond ASCII may be wrong then.
 */
function decodeName(name: Uint8Array): string {
  try {
    return utf8.decode(name)
  } catch {
    return windows.decode(name)
  }
}

/** Reads the values that are 2^32 − 1 from the zip64 field, in this order. */
export function readZip64(data: DataView, from: number, extraBytes: number, values: readonly number[]): number[] {
  const wide = [...values]
  for (let at = from; at + 4 <= from + extraBytes; at += 4 + data.getUint16(at + 2, true)) {
    if (data.getUint16(at, true) !== 1) continue
    const end = Math.min(at + 4 + data.getUint16(at + 2, true), from + extraBytes)
    let field = at + 4
    wide.forEach((value, i) => {
      if (value !== 0xffff_ffff || field + 8 > end) return
      wide[i] = Number(data.getBigUint64(field, true))
      field += 8
    })
  }
  return wide
}

/** Number of bytes that are part of no entry, before the first one or after the end of the zip; none are of a server. */
export async function bytesOutsideZip(blob: Blob): Promise<number> {
  const tailAt = Math.max(0, blob.size - END_BYTES - MAX_COMMENT)
  const tail = await view(blob, tailAt, blob.size)
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END_SIGNATURE) continue
    const [bytes, from] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)]
    const after = tail.byteLength - at - END_BYTES - tail.getUint16(at + 20, true)
    const before = from === 0xffff_ffff ? 0 : tailAt + at - bytes - from
    return Math.max(0, after) + (before > END64_BYTES + LOCATOR_BYTES ? before : 0)
  }
  return 0
}

async function findDirectory(blob: Blob): Promise<{ at: number; bytes: number; entries: number } | null> {
  const tailAt = Math.max(0, blob.size - END_BYTES - MAX_COMMENT)
  const tail = await view(blob, tailAt, blob.size)
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END_SIGNATURE) continue
    const directory = {
      entries: tail.getUint16(at + 10, true),
      bytes: tail.getUint32(at + 12, true),
      at: tail.getUint32(at + 16, true),
    }
    const isWide = directory.entries === 0xffff || directory.bytes === 0xffff_ffff || directory.at === 0xffff_ffff
    const found = (isWide ? await findDirectory64(blob, tailAt + at) : null) ?? directory
    // The end of a zip that is stored in one that is cut counts its directory from its own beginning.
    if (found.at + found.bytes <= blob.size && (await beginsEntries(blob, found))) return found
  }
  return null
}

const beginsEntries = async (blob: Blob, { at, entries }: { at: number; entries: number }): Promise<boolean> => {
  const first = await view(blob, at, at + 4)
  return entries === 0 || (first.byteLength === 4 && first.getUint32(0, true) === ENTRY_SIGNATURE)
}

async function findDirectory64(
  blob: Blob,
  endAt: number,
): Promise<{ at: number; bytes: number; entries: number } | null> {
  if (endAt < LOCATOR_BYTES) return null
  const locator = await view(blob, endAt - LOCATOR_BYTES, endAt)
  if (locator.getUint32(0, true) !== END64_LOCATOR_SIGNATURE) return null
  const at = Number(locator.getBigUint64(8, true))
  if (at + END64_BYTES > blob.size) return null
  const end = await view(blob, at, at + END64_BYTES)
  if (end.getUint32(0, true) !== END64_SIGNATURE) return null
  return {
    entries: Number(end.getBigUint64(32, true)),
    bytes: Number(end.getBigUint64(40, true)),
    at: Number(end.getBigUint64(48, true)),
  }
}

/** Bytes of an entry as stored in the zip. Throws `Refusal` for what cannot be read. */
export async function zipEntryBlob(blob: Blob, entry: ZipEntry): Promise<Blob> {
  mustBeReadable(entry)
  const header = await view(blob, entry.headerAt, entry.headerAt + LOCAL_BYTES)
  const at = entry.headerAt + localHeaderBytes(header, 0, entry)
  return blob.slice(at, at + entry.compressedBytes)
}

/** Throws `Refusal` for an entry that is encrypted or compressed by another method than deflate. */
export function mustBeReadable({ name, encrypted, method }: ZipEntry): void {
  if (encrypted) throw new Refusal(`${name} is encrypted.`)
  if (method !== 0 && method !== 8)
    throw new Refusal(`${name} is packed by method ${method}: only stored (0) and deflated (8) entries are read.`)
}

/** Length of the local header expected at `at` of the data. Throws `Refusal` if there is none. */
export function localHeaderBytes(data: DataView, at: number, { name, headerAt }: ZipEntry): number {
  if (at + LOCAL_BYTES > data.byteLength || data.getUint32(at, true) !== LOCAL_SIGNATURE)
    throw new Refusal(
      `${name} should begin at byte ${headerAt.toLocaleString('en-US')}, but another thing stands there: the file is broken.`,
    )
  return LOCAL_BYTES + data.getUint16(at + 26, true) + data.getUint16(at + 28, true)
}

/**
 * Bytes of an entry as a stream, which fails if more come out than declared, or far more than a compression allows.
 * Throws `Refusal` like `zipEntryBlob`.
 */
export async function openZipEntry(blob: Blob, entry: ZipEntry): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const packed = await zipEntryBlob(blob, entry)
  return entry.method === 0 ? blobStream(packed) : inflated(packed, { name: entry.name, mostBytes: entry.bytes })
}

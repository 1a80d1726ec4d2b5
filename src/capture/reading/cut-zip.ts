import { LIMITS } from './limits.ts'
import { Refusal } from './refusal.ts'
import { LOCAL_BYTES, LOCAL_SIGNATURE, nameOfEntry, readZip64, type ZipEntry } from './zip.ts'

/** Read at once: the headers of many small entries. */
const WINDOW_BYTES = 64 << 10
/** Flag of an entry that was written to a stream: its sizes follow its bytes, so where it ends is not known. */
const STREAMED = 8

/** Bytes of a blob, read in windows as they are needed. */
class Windows {
  #at = 0
  #data = new DataView(new ArrayBuffer(0))

  readonly #blob: Blob

  constructor(blob: Blob) {
    this.#blob = blob
  }

  /** A view that begins at the byte and has at least so many, or all that are left. */
  async from(at: number, bytes: number): Promise<DataView> {
    const end = Math.min(at + bytes, this.#blob.size)
    if (at < this.#at || end > this.#at + this.#data.byteLength) {
      this.#at = at
      this.#data = new DataView(await this.#blob.slice(at, at + Math.max(bytes, WINDOW_BYTES)).arrayBuffer())
    }
    return new DataView(this.#data.buffer, at - this.#at)
  }
}

/**
 * Entries of a zip without a directory, by the header before each: of one that is cut, as far as it goes. The last
 * may end early. Throws `Refusal` where there is none that can be read.
 * Source: APPNOTE.TXT 6.3.10, sections 4.3.7 and 4.5.3.
 */
export async function listCutZip(blob: Blob): Promise<ZipEntry[]> {
  const windows = new Windows(blob)
  const entries: ZipEntry[] = []
  for (let at = 0; at + LOCAL_BYTES <= blob.size;) {
    const header = await windows.from(at, LOCAL_BYTES)
    if (header.getUint32(0, true) !== LOCAL_SIGNATURE) break
    const nameBytes = header.getUint16(26, true)
    const extraBytes = header.getUint16(28, true)
    const contentAt = LOCAL_BYTES + nameBytes + extraBytes
    if (nameBytes > LIMITS.zipNameBytes || at + contentAt > blob.size) break
    const data = await windows.from(at, contentAt)
    const flags = data.getUint16(6, true)
    const sizes = [data.getUint32(22, true), data.getUint32(18, true)]
    const [bytes = 0, compressedBytes = 0] = readZip64(data, LOCAL_BYTES + nameBytes, extraBytes, sizes)
    if ((flags & STREAMED) !== 0 && compressedBytes === 0) break
    entries.push({
      name: nameOfEntry(data, LOCAL_BYTES, nameBytes),
      bytes,
      compressedBytes,
      crc: data.getUint32(14, true),
      method: data.getUint16(8, true),
      encrypted: (flags & 1) !== 0,
      headerAt: at,
    })
    if (entries.length > LIMITS.zipEntries)
      throw new Refusal(`A zip of more than ${LIMITS.zipEntries} entries is not listed.`)
    at += contentAt + compressedBytes
  }
  if (entries.length === 0)
    throw new Refusal('It begins like a zip, but has no directory at its end: the file is cut or broken.')
  return entries
}

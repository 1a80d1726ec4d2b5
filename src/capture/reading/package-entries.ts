import { formatBytes, formatPlural } from '../../base/text/format.ts'
import type { Bytes } from '../../base/brand.ts'
import type { FileEntry } from '../client/state.ts'
import { isPackedResponse } from '../../ravendb/entry-names.ts'
import { blobStream, readablePart } from './blob-stream.ts'
import { listCutZip } from './cut-zip.ts'
import type { EntryList } from './entry-list.ts'
import { LIMITS } from './limits.ts'
import type { Piece } from './packed.ts'
import { Refusal } from './refusal.ts'
import { sniffContainer } from './sniff.ts'
import { bytesAfterTar, listTar } from './tar.ts'
import { utf8Stream } from './utf16.ts'
import { bytesOutsideZip, listZip, openZipEntry, type ZipEntry, zipEntryBlob } from './zip.ts'

/** An entry of a package as stored. A zip within a package is extracted first. */
export interface Listed {
  /** The zip that contains it; with `entry` null the bytes of the entry itself, as in a tar. */
  readonly blob: Blob
  readonly entry: ZipEntry | null
  /** Unique path: an entry that repeats a name gets a number. */
  readonly path: string
  /** Whether an earlier entry has the same name. */
  readonly isRepeated: boolean
  /** Whether the archive ends within it or right after it, before its regular end. */
  readonly isCut?: true
}

/** Entries of a package and of the zips within it. Throws `Refusal` for another format, or beyond `LIMITS`. */
export async function listPackage(archive: Blob, container: 'zip' | 'tar'): Promise<Listed[]> {
  return withOwnPaths(container === 'zip' ? await listNested(archive, '', 1) : await listAll(archive))
}

/** Number of bytes of an archive that are in none of its entries, such as a second archive behind it. */
export const bytesOutside = (archive: Blob, container: 'zip' | 'tar'): Promise<number> =>
  container === 'zip' ? bytesOutsideZip(archive) : bytesAfterTar(archive)

/** Makes paths unique, since entries are read by path; no server writes a path twice. */
function withOwnPaths(all: readonly Listed[]): Listed[] {
  const taken = new Set(all.map(({ path }) => path))
  const seen = new Set<string>()
  return all.map((listed) => {
    const { path } = listed
    if (!seen.has(path)) {
      seen.add(path)
      return listed
    }
    let number = 2
    while (taken.has(`${path} (${number})`)) number++
    taken.add(`${path} (${number})`)
    return { ...listed, path: `${path} (${number})`, isRepeated: true }
  })
}

async function listAll(archive: Blob): Promise<Listed[]> {
  const all: Listed[] = []
  for (const { name, at, bytes, isCut } of await listTar(archive)) {
    const blob = archive.slice(at, at + bytes)
    const path = name.replace(/^\.\//, '')
    const nested = isZipName(path) && isCut === undefined && (await isZip(blob))
    if (nested) all.push(...(await listNested(blob, `${path}/`, 2)))
    else all.push({ blob, entry: null, path, isRepeated: false, ...(isCut === undefined ? {} : { isCut }) })
  }
  return all
}

async function listNested(blob: Blob, prefix: string, depth: number): Promise<Listed[]> {
  const all: Listed[] = []
  const whole = await listZip(blob)
  for (const entry of whole ?? (await listCutZip(blob))) {
    if (entry.name.endsWith('/')) continue
    const path = `${prefix}${entry.name}`
    const nested = isZipName(path) ? await nestedZip(blob, entry, depth) : null
    if (nested === null) all.push({ blob, entry, path, isRepeated: false })
    else all.push(...(await listNested(nested, `${path}/`, depth + 1)))
  }
  const last = whole === null ? all.pop() : undefined
  return last === undefined ? all : [...all, { ...last, isCut: true }]
}

/**
 * A nested zip: read in place if it is stored, extracted if it is deflated, as far as it goes if it is cut. Null: not a zip,
 * or not opened.
 */
async function nestedZip(blob: Blob, entry: ZipEntry, depth: number): Promise<Blob | null> {
  if (depth >= LIMITS.zipDepth || entry.bytes > LIMITS.nestedZipBytes) return null
  try {
    const inner = await readablePart(await openZipEntry(blob, entry))
    return (await isZip(inner)) ? inner : null
  } catch (error) {
    if (error instanceof Refusal) throw error
    // Nothing came out of it: it is listed as it is, and reading it says why.
    return null
  }
}

const isZipName = (path: string): boolean => /\.zip$/i.test(path)

const isZip = async (blob: Blob): Promise<boolean> =>
  sniffContainer(new Uint8Array(await blob.slice(0, 4).arrayBuffer())) === 'zip'

/** Bytes of an entry: in place, or unpacked as they are read. Throws `Refusal` for what cannot be unpacked. */
export async function openListed({ blob, entry }: Listed): Promise<Blob | ReadableStream<Piece>> {
  if (entry === null) return blob
  return entry.method === 0 ? zipEntryBlob(blob, entry) : openZipEntry(blob, entry)
}

/** Text of an entry as a stream of UTF-8. */
export async function openText(listed: Listed): Promise<ReadableStream<Piece>> {
  const opened = await openListed(listed)
  return utf8Stream(opened instanceof Blob ? blobStream(opened) : opened)
}

/** Size of an entry in the archive. */
export const packedBytes = ({ blob, entry }: Listed): number => entry?.compressedBytes ?? blob.size

/** Whether the text of a JSON object or list ends before its last bracket. */
export function isCutJson(path: string, bytes: Piece): boolean {
  if (!path.endsWith('.json')) return false
  let at = bytes.length - 1
  while (at >= 0 && (bytes[at] ?? 0) <= 0x20) at--
  return bytes[at] !== 0x7d && bytes[at] !== 0x5d
}

export function listedEntry({ blob, entry, path }: Listed): FileEntry {
  const bytes = (entry?.bytes ?? blob.size) as Bytes
  const isEmpty = bytes === 0
  return { path, bytes, feed: null, phase: isEmpty ? 'empty' : 'listed', message: isEmpty ? 'The entry is empty.' : '' }
}

/** Describes the result of reading a package with that many servers. */
export function packageWords(
  all: readonly Listed[],
  entries: EntryList,
  { broken, servers, outside }: { readonly broken: number; readonly servers: number; readonly outside: number },
): string {
  const listed = all.length
  if (listed === 0) return 'The package holds no files.'
  const cut = all.find(({ isCut }) => isCut)
  const isOfServer = ({ phase, path }: FileEntry): boolean =>
    servers > 0 && phase === 'listed' && isPackedResponse(path)
  const known = entries.count((entry) => entry.feed !== null || isOfServer(entry))
  const unreadable = entries.count(({ phase }) => phase === 'refused')
  const failed = entries.count(({ phase }) => phase === 'not-gathered')
  const empty = entries.count(({ phase }) => phase === 'empty')
  // The files of a recording are in its own list; none needs a reader.
  const isRecorded = all.some(({ path }) => path.endsWith('.parquet') || path.endsWith('.journal'))
  const words = [
    ...(cut === undefined ? [] : [`The archive is cut: what should follow in or after ${cut.path} is missing`]),
    ...(outside > 0 ? [`${formatBytes(outside)} of the file are outside of the archive and were not read`] : []),
    ...(failed > 0 ? [`The server could not gather ${formatPlural(failed, 'entry', 'entries')}`] : []),
    ...(isRecorded && broken === 0
      ? []
      : [`${known} of ${listed} entries are data of panels${broken > 0 ? `, ${broken} of them broken` : ''}`]),
    ...(unreadable > 0 ? [`${unreadable} cannot be read`] : []),
    ...(empty > 0 ? [`${empty} ${empty === 1 ? 'is' : 'are'} empty`] : []),
    ...(known + unreadable + failed + empty < listed && !isRecorded ? ['the others can be read as text'] : []),
  ]
  return words.length === 0 ? '' : `${words.join('; ')}.`
}

/** Folder of an entry: one for each database and `server-wide`; none in a package of one database. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? 'database' : path.slice(0, at)
}

/** Maximum length of text, bytes, in which the first line is searched. */
const LINE_BYTES = 4096

/** The first meaningful line of a UTF-8 text; before it the server writes when the error was thrown. */
export async function firstLine(bytes: Piece | ReadableStream<Piece>): Promise<string> {
  let head: Piece
  if (bytes instanceof Uint8Array) head = bytes
  else {
    const reader = bytes.getReader()
    head = (await reader.read()).value ?? new Uint8Array(0)
    // The rest is not needed, so an error while cancelling does not matter.
    reader.cancel().catch(() => undefined)
  }
  const lines = new TextDecoder().decode(head.subarray(0, LINE_BYTES)).split(/\r?\n/)
  const said = lines.find((line) => line.trim() !== '' && !line.startsWith('Exception throw time:'))
  return said?.trim() ?? 'it does not say why.'
}

import { formatPlural } from '../../base/text/format.ts'
import type { Bytes } from '../../base/brand.ts'
import type { FileEntry } from '../client/state.ts'
import { isPackedResponse } from '../../ravendb/entry-names.ts'
import { blobStream } from './blob-stream.ts'
import type { EntryList } from './entry-list.ts'
import { LIMITS } from './limits.ts'
import type { Piece } from './packed.ts'
import { sniffContainer } from './sniff.ts'
import { listTar } from './tar.ts'
import { utf8Stream } from './utf16.ts'
import { listZip, openZipEntry, type ZipEntry, zipEntryBlob } from './zip.ts'

/** An entry of a package as it lies. A zip inside a package is taken out of its parent. */
export interface Listed {
  /** The zip that holds it; with `entry` null the bytes of the entry themselves, as a tar holds them. */
  readonly blob: Blob
  readonly entry: ZipEntry | null
  /** Unlike that of any other entry: a number is added to one that repeats a name. */
  readonly path: string
  /** Another entry of that name comes before it. */
  readonly isRepeated: boolean
  /** The archive ends in it, or right behind it, before its end. */
  readonly isCut?: true
}

/** Entries of a package and of the zips inside it. Throws `Refusal` for what is no such archive, or larger than `LIMITS`. */
export async function listPackage(archive: Blob, container: 'zip' | 'tar'): Promise<Listed[]> {
  return withOwnPaths(container === 'zip' ? await listNested(archive, '', 1) : await listAll(archive))
}

/** Each entry is read and looked at by its path; no server writes one twice. */
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
  for (const entry of await listZip(blob)) {
    if (entry.name.endsWith('/')) continue
    const path = `${prefix}${entry.name}`
    const nested = isZipName(path) ? await nestedZip(blob, entry, depth) : null
    if (nested === null) all.push({ blob, entry, path, isRepeated: false })
    else all.push(...(await listNested(nested, `${path}/`, depth + 1)))
  }
  return all
}

/** A zip that is stored is read in place, a deflated one is taken out. Null: not a zip, or none that is looked into. */
async function nestedZip(blob: Blob, entry: ZipEntry, depth: number): Promise<Blob | null> {
  if (depth >= LIMITS.zipDepth || entry.bytes > LIMITS.nestedZipBytes) return null
  const inner = await new Response(await openZipEntry(blob, entry)).blob()
  return (await isZip(inner)) ? inner : null
}

const isZipName = (path: string): boolean => /\.zip$/i.test(path)

const isZip = async (blob: Blob): Promise<boolean> =>
  sniffContainer(new Uint8Array(await blob.slice(0, 4).arrayBuffer())) === 'zip'

/** The bytes of an entry: where they lie, or unpacked as they are read. Throws `Refusal` for what cannot be unpacked. */
export async function openListed({ blob, entry }: Listed): Promise<Blob | ReadableStream<Piece>> {
  if (entry === null) return blob
  return entry.method === 0 ? zipEntryBlob(blob, entry) : openZipEntry(blob, entry)
}

/** Text of an entry as a stream, in UTF-8. */
export async function openText(listed: Listed): Promise<ReadableStream<Piece>> {
  const opened = await openListed(listed)
  return utf8Stream(opened instanceof Blob ? blobStream(opened) : opened)
}

/** Bytes of the archive that an entry takes. */
export const packedBytes = ({ blob, entry }: Listed): number => entry?.compressedBytes ?? blob.size

/** Whether a text that should be a JSON object or list ends before its last bracket. */
export function isCutJson(path: string, bytes: Piece): boolean {
  if (!path.endsWith('.json')) return false
  let at = bytes.length - 1
  while (at >= 0 && (bytes[at] ?? 0) <= 0x20) at--
  return bytes[at] !== 0x7d && bytes[at] !== 0x5d
}

/** In place of an endpoint that failed the server packs a text that says why. */
export const isNotGathered = (path: string): boolean => path.endsWith('.error')

export function listedEntry({ blob, entry, path }: Listed): FileEntry {
  const bytes = (entry?.bytes ?? blob.size) as Bytes
  const isEmpty = bytes === 0
  return { path, bytes, feed: null, phase: isEmpty ? 'empty' : 'listed', message: isEmpty ? 'The entry is empty.' : '' }
}

/** Describes the result of reading a package of so many servers. */
export function packageWords(
  all: readonly Listed[],
  entries: EntryList,
  { broken, servers }: { readonly broken: number; readonly servers: number },
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
  // Its files are known by the list of the recording, and none is for a reader.
  const isRecorded = all.some(({ path }) => path.endsWith('.parquet') || path.endsWith('.journal'))
  const words = [
    ...(cut === undefined ? [] : [`The archive is cut: what should follow in or after ${cut.path} is missing`]),
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

/** A debug package has a folder for each database, and `server-wide`; one of a single database has none. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? 'database' : path.slice(0, at)
}

/** Most of a text that is looked at for its first line, bytes. */
const LINE_BYTES = 4096

/** The first line of a text in UTF-8 that says something: the server writes before it when an error was thrown. */
export async function firstLine(bytes: Piece | ReadableStream<Piece>): Promise<string> {
  let head: Piece
  if (bytes instanceof Uint8Array) head = bytes
  else {
    const reader = bytes.getReader()
    head = (await reader.read()).value ?? new Uint8Array(0)
    // More of it is not wanted, so that an error on the way does not matter.
    reader.cancel().catch(() => undefined)
  }
  const lines = new TextDecoder().decode(head.subarray(0, LINE_BYTES)).split(/\r?\n/)
  const said = lines.find((line) => line.trim() !== '' && !line.startsWith('Exception throw time:'))
  return said?.trim() ?? 'it does not say why.'
}

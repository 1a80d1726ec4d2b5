import { errorText } from '../../base/text/error-text.ts'
import { formatBytes } from '../../base/text/format.ts'
import type { Piece } from './packed.ts'
import { isNotGathered, packedNameOf } from '../../ravendb/entry-names.ts'
import { firstLine, openText, type Listed } from './package-entries.ts'
import { Refusal } from './refusal.ts'
import { utf8Bytes } from './utf16.ts'
import { isSmall, ZipBlock, zipBlocks, type PackedEntry } from './zip-blocks.ts'

/* A package holds the responses of servers: where each lies. */

/** Responses of a database or of the server itself, by the names of their entries without extension. */
export interface PackagedFolder {
  /** Name of the folder, which is that of the database; null: a package of a single database does not contain it. */
  readonly name: string | null
  readonly entries: ReadonlyMap<string, Listed>
}

export interface PackagedServer {
  /** Path of its folders in the package, with a trailing `/`; empty: at the top. */
  readonly prefix: string
  /** Node tag from the name of its package; null: none. */
  readonly tag: string | null
  /** Folder `server-wide`; null: missing. */
  readonly own: PackagedFolder | null
  readonly databases: readonly PackagedFolder[]
}

const SERVER_WIDE = 'server-wide'
/** Entries of which every package made by a server has at least one. */
const SIGNS = new Set(['build.version', 'cluster.topology', 'admin.stats', 'stats', 'indexes.stats', 'database-record'])

/** Entries of the server itself, by which its folder is known where a package was packed again without that folder. */
const OWN_SIGNS = ['build.version', 'cluster.topology', 'admin.stats']

/** Entries of a database, by which it is known in a folder that has those of its server as well. */
const DATABASE_SIGNS = ['stats', 'database-record']

/** Order in which folders are taken: those that are surely the server's come before others with its entries. */
const rankOf = (folder: string): number => [SERVER_WIDE, '', folder].indexOf(folder)

/** Servers whose responses a package contains, by their paths; empty: not a debug package. */
export function serversOf(listed: readonly Listed[]): PackagedServer[] {
  const folders = new Map<string, { prefix: string; folder: string; entries: Map<string, Listed> }>()
  for (const each of listed) {
    const segments = each.path.replaceAll('\\', '/').split('/')
    const file = segments.pop() ?? ''
    // No server writes paths that leave a folder.
    const packed = packedNameOf(file)
    if (packed === null || segments.includes('..')) continue
    // The package of one database has no folder, and may itself be in a package.
    const last = segments.at(-1) ?? ''
    const folder = /\.zip$/i.test(last) ? '' : last
    if (folder !== '') segments.pop()
    const prefix = segments.map((segment) => `${segment}/`).join('')
    const key = `${prefix}|${folder}`
    const known = folders.get(key) ?? { prefix, folder, entries: new Map<string, Listed>() }
    folders.set(key, known)
    // The last of entries with the same name is read, as unpackers do; a copy only where there is no other.
    if (!packed.isRenamed || !known.entries.has(packed.name)) known.entries.set(packed.name, each)
  }
  const servers = new Map<string, { own: PackagedFolder | null; databases: PackagedFolder[] }>()
  const found = [...folders.values()].filter(({ entries }) => [...SIGNS].some((sign) => entries.has(sign)))
  const isServers = ({ folder, entries }: (typeof found)[number]): boolean =>
    folder === SERVER_WIDE || OWN_SIGNS.some((sign) => entries.has(sign))
  // A folder is that of the servers' package itself where something beside it belongs to them.
  const isAlike = (prefix: string): boolean =>
    found.every((each) => each.prefix !== prefix || (isServers(each) && rankOf(each.folder) > 1))
  for (const { prefix, folder, entries } of found.toSorted((a, b) => rankOf(a.folder) - rankOf(b.folder))) {
    const isOwn = isServers({ prefix, folder, entries })
    const isDatabase = !isOwn || (folder !== SERVER_WIDE && DATABASE_SIGNS.some((sign) => entries.has(sign)))
    // A folder that has both, or lies beside that of another server or beside such folders only, is a server of its own.
    const isApart =
      isOwn && folder !== '' && (isDatabase || isAlike(prefix) || (servers.get(prefix)?.own ?? null) !== null)
    const at = isApart ? `${prefix}${folder}/` : prefix
    const server = servers.get(at) ?? { own: null, databases: [] }
    servers.set(at, server)
    if (isOwn) server.own ??= { name: null, entries }
    if (isDatabase) server.databases.push({ name: isApart || folder === '' ? null : folder, entries })
  }
  return [...servers]
    .map(([prefix, { own, databases }]) => ({ prefix, tag: tagOf(prefix), own, databases }))
    .toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1))
}

const tagOf = (prefix: string): string | null => /Node - \[([^\]]{1,8})\]/.exec(prefix)?.[1] ?? null

/** Larger entries are left to the viewer, bytes. */
const MOST_BYTES = 64 << 20

/** A response as JSON text, or why there is none. */
export type PackagedResponse =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'failed'; readonly message: string }

/** Reads entries in the order in which they are stored, many at a time; calls `take` once for each. */
export async function readListed(
  wanted: readonly Listed[],
  take: (listed: Listed, response: PackagedResponse) => void,
  step: () => Promise<void>,
): Promise<void> {
  const packed = wanted.filter((each): each is Listed & PackedEntry => each.entry !== null)
  const inOrder = packed.toSorted((a, b) => a.entry.headerAt - b.entry.headerAt)
  for (const listed of wanted) if (listed.entry === null) take(listed, await responseOf(listed, null))
  for (const blob of new Set(inOrder.map((each) => each.blob)))
    for (const block of zipBlocks(inOrder.filter((each) => each.blob === blob))) {
      const isBlock = block.length > 1 || block.every(({ entry }) => isSmall(entry))
      const read = isBlock ? await ZipBlock.read(block) : null
      for (const listed of block) {
        take(listed, await responseOf(listed, read))
        await step()
      }
    }
}

async function responseOf(listed: Listed, block: ZipBlock | null): Promise<PackagedResponse> {
  const { entry, path } = listed
  try {
    if ((entry?.bytes ?? listed.blob.size) === 0) return { kind: 'failed', message: 'The entry is empty.' }
    if ((entry?.bytes ?? listed.blob.size) > MOST_BYTES && !isNotGathered(path))
      return { kind: 'failed', message: `It is larger than ${formatBytes(MOST_BYTES)}, and can be read in Files.` }
    const atHand = entry === null || block === null ? null : block.unpack(entry)
    const bytes = atHand === null ? await openText(listed) : utf8Bytes(atHand)
    if (isNotGathered(path))
      return { kind: 'failed', message: `The server could not gather it: ${await firstLine(bytes)}` }
    const text = await textOf(bytes)
    return { kind: 'text', text }
  } catch (error) {
    if (listed.isCut && !(error instanceof Refusal)) return { kind: 'failed', message: 'The archive ends within it.' }
    return { kind: 'failed', message: errorText(error) }
  }
}

/** Decodes text. A `Response` would replace the error of the stream by its own. */
async function textOf(bytes: Piece | ReadableStream<Piece>): Promise<string> {
  const decoder = new TextDecoder()
  if (bytes instanceof Uint8Array) return decoder.decode(bytes)
  const reader = bytes.getReader()
  let text = ''
  for (let next = await reader.read(); !next.done; next = await reader.read())
    text += decoder.decode(next.value, { stream: true })
  return text + decoder.decode()
}

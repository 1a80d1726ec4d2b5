import type { TimeRange } from '../../base/ticks.ts'
import { isFileSource, type Gap, type SavedPicture, type SourceId } from '../client/state.ts'
import type { Listed } from '../reading/package-entries.ts'
import { Refusal } from '../reading/refusal.ts'

/*
 * A saved capture (`.rookery`) is a tar: `capture.json`, then journals as those of an archive, then `complete.json`, which is
 * missing where the file was cut between two of them.
 */

export const CAPTURE_FILE = 'capture.json'
export const COMPLETE_FILE = 'complete.json'
const FORMAT = 'rookery-capture'
const VERSION = 1

/** Name of the file in the saved address; replaced by the name under which it is opened. */
export const SAVED_NAME = 'rookery.capture'

/** Place of a source in a saved capture. */
export interface SavedPlace {
  readonly source: SourceId
  /** Folder of the server. */
  readonly node: string
  /** Id of the source on that server: `server`, `db:shop`. */
  readonly own: SourceId
}

export interface SaveParams extends SavedPicture {
  readonly places: readonly SavedPlace[]
  /** Known gaps of the sources. */
  readonly gaps: readonly Gap[]
  /** Time for which figures of the live server are saved; the page may have a month from earlier visits. */
  readonly range: TimeRange
}

const NODE_LENGTH = 60
const safe = (name: string): string => name.replaceAll(/[^\w.-]/g, '_').slice(0, NODE_LENGTH) || 'server'

/**
 * Places of all sources, all different. A folder has one server: figures, findings and queries have no other mark of
 * their server. `host`: of the live server.
 */
export function placesOf(sources: readonly SourceId[], host: string): SavedPlace[] {
  const nodes = new Map<string, string>()
  const named = new Set<string>()
  const nodeOf = (origin: string, name: string): string => {
    let node = nodes.get(origin) ?? name
    if (!nodes.has(origin)) for (let n = 2; named.has(node); n++) node = `${name}_${String(n)}`
    nodes.set(origin, node)
    named.add(node)
    return node
  }
  return sources.map((source) => {
    if (!isFileSource(source)) return { source, node: nodeOf('live', safe(host)), own: source }
    const segments = source.slice('file:'.length).split('/')
    const last = segments.at(-1) ?? ''
    const own = last === 'server' || last.startsWith('db:') ? last : `db:${last}`
    return { source, node: nodeOf(`file:${segments.slice(0, -1).join('/')}`, safe(segments.at(-2) ?? 'files')), own }
  })
}

/** Id of a saved source in a file of that name. */
export const placedIn = (file: string, { node, own }: Pick<SavedPlace, 'node' | 'own'>): SourceId =>
  `file:${file}/${node}/${own.replace(/^db:/, '')}`

export const captureHead = ({ address, presets }: SavedPicture): string =>
  JSON.stringify({ format: FORMAT, version: VERSION, address, presets })

/** Reads the picture of a saved capture; null: it is none. Errors: `Refusal` for a later version. */
export async function readSavedPicture(
  listed: readonly Listed[],
): Promise<{ readonly picture: SavedPicture; readonly isWhole: boolean } | null> {
  const head = listed.find(({ path }) => path === CAPTURE_FILE)
  if (head === undefined || head.entry !== null) return null
  const value = readHead(await head.blob.text())
  if (value?.format !== FORMAT) return null
  if (value.version !== VERSION)
    throw new Refusal(
      `The capture has version ${String(value.version)}, and this Rookery reads ${String(VERSION)}: use a newer one.`,
    )
  const { address, presets } = value
  const picture = {
    address: typeof address === 'string' ? address : '',
    presets: typeof presets === 'string' ? presets : '',
  }
  return { picture, isWhole: listed.some(({ path }) => path === COMPLETE_FILE) }
}

interface Head {
  readonly format?: unknown
  readonly version?: unknown
  readonly address?: unknown
  readonly presets?: unknown
}

/** Parses the head of a capture; null: not JSON. */
function readHead(text: string): Head | null {
  try {
    return JSON.parse(text) as Head | null
  } catch {
    return null
  }
}

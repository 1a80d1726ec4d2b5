import { hostOfServer } from '../../../base/http/stand-alone.mjs'
import { journalOf } from '../../../capture/archive/manifest.ts'
import type { Recording } from '../../../capture/archive/recordings.ts'
import { placesOf, type SavedPlace } from '../../../capture/archive/saved-capture.ts'
import type { CaptureState, SourceId } from '../../../capture/client/state.ts'
import { textOf, type Asked } from './asked.ts'

type Sources = Pick<CaptureState, 'sources' | 'server'>

/** Places that SQL gives to the sources of the page that are not of a recording. */
export function placesBeside(recordings: readonly Recording[], { sources, server }: Sources): SavedPlace[] {
  const ids = sources.flatMap(({ id }) => (recordings.some(({ name }) => id.startsWith(`file:${name}/`)) ? [] : [id]))
  return placesOf(ids, hostOfServer(server?.url ?? location.origin))
}

/** Server of a row on the timeline. */
export interface RowPlace {
  /** Recordings with hours of it. */
  readonly recordings: readonly Recording[]
  /** Sources of that server; null: the server is unknown. */
  readonly sources: readonly SourceId[] | null
}

const UNKNOWN: RowPlace = { recordings: [], sources: null }

/** Finds the server of a row by its node. Without a node it is known only where one recording is all that is open. */
export function placeOfRow(
  { columns }: Pick<Asked, 'columns'>,
  row: readonly unknown[],
  recordings: readonly Recording[],
  state: Sources,
): RowPlace {
  const beside = placesBeside(recordings, state)
  const own = ({ name }: Recording, node: string): SourceId[] =>
    state.sources.flatMap(({ id }) => (id.startsWith(`file:${name}/${node}`) ? [id] : []))
  const node = textOf(row[columns.findIndex(({ name }) => name === 'node')])
  if (node === '') {
    const [only, ...others] = recordings
    if (only === undefined || others.length > 0 || beside.length > 0) return UNKNOWN
    const sources = own(only, '')
    return { recordings, sources: sources.length === 0 ? null : sources }
  }
  const holders = recordings.filter((recording) => hasNode(recording, node))
  const placed = beside.filter((place) => place.node === node).map(({ source }) => source)
  if (holders.length === 0 && placed.length === 0) return UNKNOWN
  const recorded = holders.flatMap((each): SourceId[] => {
    const sources = own(each, `${node}/`)
    // Its hours are opened with the row: until then only the server itself is known to be there.
    return sources.length === 0 ? [`file:${each.name}/${node}/server`] : sources
  })
  return { recordings: holders, sources: [...recorded, ...placed] }
}

const hasNode = ({ manifest, journals }: Recording, node: string): boolean =>
  manifest.nodes.some(({ name }) => name === node) ||
  manifest.files.some((file) => file.node === node) ||
  journals.some((path) => journalOf(path)?.node === node)

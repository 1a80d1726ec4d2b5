import { strToU8, Zip, ZipDeflate } from 'fflate'
import { formatPlural } from '../../../base/text/format.ts'
import { jsonWithoutSecrets } from '../../../base/text/secrets.ts'
import { formatTicks, type Ticks } from '../../../base/ticks.ts'
import type { Gap } from '../../../capture/client/state.ts'
import type { Exporters, ExportPlan, ExportSteps } from '../../../capture/exporting/exporter.ts'
import { Pieces } from '../../../capture/exporting/pieces.ts'
import type { NewestResponse } from '../../../ravendb/http/newest.ts'
import type { ServerExports } from '../contract.ts'

/** Folder for the server's responses about itself. */
const SERVER_WIDE = 'server-wide'
/** Maximum size of an entry in a zip without the ZIP64 extension, bytes. */
const MOST_ENTRY_BYTES = 0xffff_ffff

/** Place of a response in a package. */
export type EntryPlace = Pick<NewestResponse, 'entry' | 'database'>

/** Entry with data that a feed has collected, in the format of the server's response. */
export interface CollectedEntry extends EntryPlace {
  readonly events: number
  readonly batches: number
  /**
   * Writes the response without secrets, and yields the number of rows written so far. `metadata`: first member of the
   * response, with a comma.
   */
  readonly steps: (out: Pieces, metadata: string) => ExportSteps
}

export type CollectedEntries = (gaps: readonly Gap[]) => readonly CollectedEntry[]

export interface PackageSource {
  /** Newest responses, as they arrived. */
  readonly newest: () => readonly NewestResponse[]
  readonly collected: CollectedEntries
  readonly nowMs: () => number
  /** Returns the time of the server's clock at a wall clock time, ms; null: not known. */
  readonly ticksAt: (atMs: number) => Ticks | null
  readonly nodeTag: () => string | null
}

/** Exports the responses and collected data of a server in the layout of its own debug package. Sends no request. */
export const packageExporters = (source: PackageSource) =>
  ({ 'server.package': ({ gaps }) => packagePlan(source, gaps) }) satisfies Exporters<keyof ServerExports>

const pathOf = ({ database, entry }: EntryPlace): string => `${database ?? SERVER_WIDE}/${entry}.json`

/** Plans a package: a row is a response, an event or a batch. */
function packagePlan({ newest, collected, nowMs, ticksAt, nodeTag }: PackageSource, gaps: readonly Gap[]): ExportPlan {
  const entries = collected(gaps)
  // A collected entry contains everything that a single response of the same path has.
  const paths = new Set(entries.map(pathOf))
  const responses = newestOfEach(newest()).filter((response) => !paths.has(pathOf(response)))
  if (responses.length + entries.length === 0)
    throw new Error('Nothing of this server was read yet that a package has.')
  const sumOf = (kind: 'events' | 'batches'): number => entries.reduce((sum, each) => sum + each[kind], 0)
  const [events, batches] = [sumOf('events'), sumOf('batches')]
  const tag = nodeTag()
  const metadata = metadataOf(ticksAt(nowMs()), tag)
  return {
    rows: responses.length + events + batches,
    contents: [
      formatPlural(responses.length, 'response'),
      formatPlural(events, 'I/O event'),
      formatPlural(batches, 'index batch', 'index batches'),
    ].join(', '),
    *steps(out) {
      const zip = new Zip((error, chunk) => {
        // Never observed. If it happens, the step that pushed the data throws the error.
        if (error !== null) throw error
        out.bytes(chunk)
      })
      const begin = (place: EntryPlace): ZipDeflate => {
        const file = new ZipDeflate(pathOf(place), { level: 6 })
        zip.add(file)
        return file
      }
      let rows = 0
      for (const response of responses) {
        const text = entryText(new TextDecoder().decode(response.bytes), metadataOf(ticksAt(response.atMs), tag))
        begin(response).push(strToU8(text), true)
        yield ++rows
      }
      for (const each of entries) {
        for (const written of collectedSteps(begin(each), each, metadata)) yield rows + written
        rows += each.events + each.batches
      }
      zip.end()
    },
  }
}

/** Compresses an entry piece by piece, since the entry may be too large to be held in memory at once. */
function* collectedSteps(file: ZipDeflate, { steps, entry }: CollectedEntry, metadata: string): ExportSteps {
  const text = new Pieces()
  let bytes = 0
  const push = (piece: Uint8Array): void => {
    bytes += piece.length
    if (bytes > MOST_ENTRY_BYTES) throw new Error(`${entry} is larger than 4 GiB, which this package cannot hold.`)
    file.push(piece)
  }
  for (const rows of steps(text, metadata)) {
    for (let piece = text.take(); piece !== null; piece = text.take()) push(piece)
    yield rows
  }
  for (let piece = text.finish(); piece !== null; piece = text.take()) push(piece)
  file.push(new Uint8Array(0), true)
}

/** Newest response of each entry: an entry may have been requested with several queries. */
function newestOfEach(all: readonly NewestResponse[]): readonly NewestResponse[] {
  const byEntry = new Map<string, NewestResponse>()
  for (const each of all.toSorted((a, b) => a.atMs - b.atMs)) byEntry.set(`${each.database ?? ''}/${each.entry}`, each)
  return [...byEntry.values()].toSorted((a, b) =>
    (a.database ?? '') === (b.database ?? '')
      ? a.entry < b.entry
        ? -1
        : 1
      : (a.database ?? '') < (b.database ?? '')
        ? -1
        : 1,
  )
}

/** First member of an entry, with a comma, as the server writes it into a package; empty: the time is not known. */
function metadataOf(atTicks: Ticks | null, tag: string | null): string {
  if (atTicks === null) return ''
  const metadata = { DateTime: formatTicks(atTicks), ...(tag === null ? {} : { NodeTag: tag }) }
  return `"@metadata":${JSON.stringify(metadata)},`
}

/** Text of an entry: the response without secrets, with its time and node. */
function entryText(response: string, metadata: string): string {
  const text = jsonWithoutSecrets(response).trimStart()
  if (metadata === '' || !text.startsWith('{') || /^\{\s*"@metadata"/.test(text)) return text
  const rest = text.slice(1).trimStart()
  return `{${rest.startsWith('}') ? metadata.slice(0, -1) : metadata}${rest}`
}

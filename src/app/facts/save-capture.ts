import { DURATION, START } from '../../base/columns/event-chunk.ts'
import { jsonWithoutSecrets, withoutSecrets } from '../../base/text/secrets.ts'
import type { TimeRange } from '../../base/ticks.ts'
import { TAR_END, tarHeader, tarPadding } from '../../capture/archive/as-package.ts'
import { encodeBlock, JOURNAL_MAGIC } from '../../capture/archive/journal.ts'
import { journalPath } from '../../capture/archive/manifest.ts'
import { movedLane } from '../../capture/archive/read-archive.ts'
import type { ArchiveRecord } from '../../capture/archive/records.ts'
import {
  CAPTURE_FILE,
  captureHead,
  COMPLETE_FILE,
  type SavedPlace,
  type SaveParams,
} from '../../capture/archive/saved-capture.ts'
import { isFileSource, type SourceId } from '../../capture/client/state.ts'
import type { ExportPlan, ExportSteps } from '../../capture/exporting/exporter.ts'
import type { Pieces } from '../../capture/exporting/pieces.ts'
import type { HeldRows } from '../../features/archive/contract.ts'
import type { RecordedServers } from '../../features/archive/data/recorded-servers.ts'
import { NO_FILTER } from '../../feeds/indexing/contract/batches.ts'
import { batchesOf } from '../../feeds/indexing/data/exports/batches.ts'
import { exportedBatchJson } from '../../feeds/indexing/data/exports/exporters.ts'
import { countParts, exportParts } from '../../feeds/indexing/data/exports/scope.ts'
import type { IndexingFeed } from '../../feeds/indexing/data/feed.ts'
import { ID } from '../../feeds/indexing/data/index-table.ts'
import { ioRecords } from '../../feeds/io/data/archive-records.ts'
import type { IoFeed } from '../../feeds/io/data/feed.ts'
import { figureCoverages, figureGapRecord, serverRecords } from '../../feeds/server/data/archive-records.ts'
import type { ServerFeed } from '../../feeds/server/data/feed.ts'
import { TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { HeldStacks } from '../../feeds/stacks/data/later-stacks.ts'
import { snapshotBytes } from '../../feeds/stacks/data/exports/snapshot-bytes.ts'
import { savedSnapshots, threadsOf } from './save-stacks.ts'

/** Feeds whose rows are saved. */
export interface SavedFeeds {
  readonly io: Pick<IoFeed, 'store'>
  readonly indexing: Pick<IndexingFeed, 'store'>
  readonly server: Pick<ServerFeed, 'model'>
  readonly stacks: HeldStacks
  readonly recorded: RecordedServers
}

/** Rows of a block, which is compressed as a whole, and of a journal, which is read as a whole. */
const BLOCK_ROWS = 4096
const JOURNAL_ROWS = 131_072
const encoder = new TextEncoder()

/** Counts the rows that would be saved. */
export function heldRows(
  { io, indexing, recorded, server, stacks }: SavedFeeds,
  { places, range }: Pick<SaveParams, 'places' | 'range'>,
): HeldRows {
  const sources = new Set(places.map(({ source }) => source))
  let events = 0
  for (const lane of io.store.lanes.values())
    if (sources.has(lane.source)) for (const { events: table } of lane.tracks.values()) events += table.length
  const batches = countParts(partsOf(indexing, [...sources]))
  let samples = 0
  let lines = 0
  for (const each of recorded.recordsOf([...sources]))
    if (each.t === 'vital') samples += each.ticks.length
    else if (each.t === 'log') lines++
  if (places.some(isLive)) for (const each of vitalRecords(server, range)) samples += each.ticks.length
  const snapshots = savedSnapshots(stacks, places)
  return { events, batches, samples, lines, snapshots: snapshots.length, threads: threadsOf(snapshots) }
}

const isLive = ({ source }: SavedPlace): boolean => !isFileSource(source)

/** Plans a saved capture, see `saved-capture.ts`. A row is an event, a batch, a sample, a line of a log or a snapshot. */
export function saveCapture(feeds: SavedFeeds, params: SaveParams): ExportPlan {
  const { events, batches, samples, lines, snapshots } = heldRows(feeds, params)
  return { rows: events + batches + samples + lines + snapshots, steps: (out) => steps(feeds, params, out) }
}

function* steps(feeds: SavedFeeds, params: SaveParams, out: Pieces): ExportSteps {
  writeFile(out, CAPTURE_FILE, [
    encoder.encode(captureHead({ ...params, presets: jsonWithoutSecrets(params.presets) })),
  ])
  let rows = yield* writeJournals(out, params.places, (places) => recordsOf(feeds, params, places))
  for (const saved of savedSnapshots(feeds.stacks, params.places)) {
    writeFile(out, saved.path, snapshotBytes(saved.store, saved.snapshot))
    yield ++rows
  }
  writeFile(out, COMPLETE_FILE, [encoder.encode(JSON.stringify({ rows }))])
  out.bytes(TAR_END)
}

/** Writes the records of each server as journals of a tar, and returns the number of their rows. */
export function* writeJournals(
  out: Pieces,
  all: readonly SavedPlace[],
  recordsIn: (places: readonly SavedPlace[]) => Iterable<ArchiveRecord>,
): Generator<number, number, undefined> {
  let rows = 0
  for (const node of new Set(all.map((place) => place.node))) {
    const places = all.filter((place) => place.node === node)
    let number = 0
    let journal: Uint8Array[] = []
    let block: ArchiveRecord[] = []
    let [blockRows, journalRows] = [0, 0]
    const endBlock = (): void => {
      journal.push(encodeBlock(block))
      block = []
      blockRows = 0
    }
    const endJournal = (): void => {
      if (block.length > 0) endBlock()
      if (journal.length > 0) writeFile(out, journalPath(node, number++), [JOURNAL_MAGIC, ...journal])
      journal = []
      journalRows = 0
    }
    for (const record of recordsIn(places)) {
      block.push(record)
      const own = rowsOf(record)
      if (isCounted(record)) rows += own
      blockRows += own
      journalRows += own
      if (blockRows < BLOCK_ROWS) continue
      endBlock()
      if (journalRows >= JOURNAL_ROWS) endJournal()
      yield rows
    }
    endJournal()
    yield rows
  }
  return rows
}

const rowsOf = (record: ArchiveRecord): number =>
  record.t === 'io' ? (record.c[0]?.length ?? 0) : record.t === 'vital' ? record.ticks.length : 1

const isCounted = ({ t }: ArchiveRecord): boolean => t === 'io' || t === 'batch' || t === 'vital' || t === 'log'

function writeFile(out: Pieces, path: string, parts: readonly Uint8Array[]): void {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  const header = tarHeader(path, bytes)
  // Names in paths have a limited length.
  if (header === null) throw new Error(`${path} is longer than a tar allows.`)
  out.bytes(header)
  for (const part of parts) out.bytes(part)
  out.bytes(tarPadding(bytes))
}

/** Kinds of records that take long to make, and the range of batches; null: all. */
interface Wanted {
  readonly io: boolean
  readonly batches: boolean
  readonly vitals: boolean
  readonly within: TimeRange | null
}

const ALL: Wanted = { io: true, batches: true, vitals: true, within: null }

export function* recordsOf(
  feeds: SavedFeeds,
  { gaps, range }: Pick<SaveParams, 'gaps' | 'range'>,
  places: readonly SavedPlace[],
  wanted = ALL,
): Generator<ArchiveRecord> {
  const { io, indexing, server, recorded } = feeds
  for (const { source, own } of places) {
    if (wanted.io) for (const record of ioRecords(io.store, source)) yield { ...record, source: own }
    if (wanted.batches) yield* batchRecords(indexing, source, own, wanted.within)
    for (const gap of gaps)
      if (gap.source === source)
        yield {
          t: 'gap',
          gap: {
            ...gap,
            source: own,
            lane: gap.lane === null ? null : movedLane(gap.lane, source, own),
            detail: withoutSecrets(gap.detail),
          },
        }
  }
  if (places.some(isLive)) {
    if (wanted.vitals) yield* vitalRecords(server, range)
    for (const [lane, coverage] of figureCoverages(server.model))
      for (const gap of coverage.gaps(range, false, range.endTicks))
        yield figureGapRecord(lane, { ...gap, detail: withoutSecrets(gap.detail) })
    for (const record of serverRecords(server.model, range.endTicks, true)) yield withoutSecretsIn(record)
  }
  const files = places.filter((place) => !isLive(place)).map(({ source }) => source)
  for (const record of recorded.recordsOf(files))
    if ('json' in record) yield withoutSecretsIn(record)
    else yield record.t === 'log' ? { ...record, message: withoutSecrets(record.message) } : record
}

/** Removes what looks like a password, a key or a token from texts of users and errors. */
const withoutSecretsIn = <Record extends { readonly json: string }>(record: Record): Record => ({
  ...record,
  json: jsonWithoutSecrets(record.json),
})

/** Batches, with those that run: as in the document of the server, these have no end. */
export const partsOf = (
  { store }: SavedFeeds['indexing'],
  sources: readonly SourceId[],
  range: TimeRange | null = null,
) => exportParts(store, { sources, indexes: null, range, filter: NO_FILTER })

function* batchRecords(
  indexing: SavedFeeds['indexing'],
  source: string,
  own: string,
  within: TimeRange | null,
): Generator<ArchiveRecord & { readonly t: 'batch' }> {
  const json = exportedBatchJson(indexing.store)
  for (const batch of batchesOf(partsOf(indexing, [source], within))) {
    const { index, read } = batch
    yield {
      t: 'batch',
      source: own,
      index: index.name,
      id: read(ID),
      startTicks: read(START),
      durationTicks: read(DURATION),
      json: JSON.stringify(json(batch)),
    }
  }
}

/** Figures of the live server at the finest resolution that is kept: a second, or longer for older ones. */
export function* vitalRecords(
  { model: { series } }: SavedFeeds['server'],
  range: TimeRange,
): Generator<ArchiveRecord & { readonly t: 'vital' }> {
  const seconds = Math.ceil((range.endTicks - range.startTicks) / TICKS_PER_SECOND) + 1
  for (const { key } of series.available) {
    const { length, startTicks, mean, count } = series.rows(key, range, seconds)
    for (let from = 0; from < length; from += BLOCK_ROWS) {
      const rows = Array.from({ length: Math.min(BLOCK_ROWS, length - from) }, (_, i) => from + i)
      const known = rows.filter((row) => (count[row] ?? 0) > 0)
      if (known.length > 0)
        yield {
          t: 'vital',
          key,
          ticks: known.map((row) => startTicks[row] as number),
          values: known.map((row) => mean[row] as number),
        }
    }
  }
}

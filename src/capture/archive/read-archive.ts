import type { Bytes } from '../../base/brand.ts'
import { formatPlural } from '../../base/text/format.ts'
import type { Ticks, TimeRange } from '../../base/ticks.ts'
import type { FileEntry, Gap, GapReason, SourceId } from '../client/state.ts'
import { allIndexesLane } from '../client/state.ts'
import type { Feed } from '../worker/feed.ts'
import type { GapLog } from '../worker/gap-log.ts'
import { faultsOf, type JournalFaults, readJournal, wordsOfNewer } from './journal.ts'
import { gapsOfLost, isOfFiles, type JournalHole, type LostFile, rowsTakenBack } from './lost-files.ts'
import { journalOf, TABLES, type TableName } from './manifest.ts'
import { groupsInPath } from './parts.ts'
import { tableRowsOf } from './record-rows.ts'
import { countRows, readParquet } from './read-parquet.ts'
import { LOST_FILE, SORTED_BY, type TableRows, type Value } from './tables.ts'

interface ArchiveTarget {
  /** Name of the package, as in the ids of its sources. */
  readonly name: string
  readonly feeds: readonly Feed[]
  readonly gapLog: GapLog
  /** Called before rows of a source are read. */
  readonly onSource: (id: SourceId) => void
  /** Reads a document of an endpoint into the file source of that name. */
  readonly readDocument: (json: Uint8Array<ArrayBuffer>, name: string) => Promise<void>
  /** Called when tables have changed; lets other work run. */
  readonly pause: () => Promise<void>
}

interface ArchivePlace {
  readonly node: string
  /** Table of the file; null: a journal. */
  readonly table: TableName | null
}

const TABLE_FILE = /(?:^|\/)([\w-]+)\/node=([^/]+)\/day=[^/]+\/[^/]+\.parquet$/

/** Server and table of a file from its path; null: not part of an archive, or of a table of a later version. */
function archivePlaceOf(path: string): ArchivePlace | null {
  const journal = journalOf(path)
  if (journal !== null) return { node: journal.node, table: null }
  const [, name = '', node = ''] = TABLE_FILE.exec(path) ?? []
  const table = TABLES.find((each) => each === name)
  return table === undefined ? null : { node, table }
}

type SourceOf = (own: SourceId) => SourceId

/** Source in the page, by the name of the package, the server, and the source's id on it. */
const sourceIn = (name: string, node: string, own: SourceId): SourceId =>
  `file:${name}/${node}/${own.replace(/^db:/, '')}`

interface ArchiveEntry
  extends
    Required<Pick<FileEntry, 'feed' | 'otherFeeds' | 'phase' | 'message' | 'newerRows'>>,
    Pick<JournalFaults, 'rest'> {
  /** Time of the rows of a journal; null: it has none, or the file is no journal. */
  readonly time: TimeRange | null
  /** Damage within a journal, with rows after it. */
  readonly holes: readonly JournalHole[]
}

/** Reads a file of an archive and returns its state; null: it is not part of an archive. Errors: `Refusal`, `Error`. */
export async function readArchiveEntry(
  path: string,
  opened: Blob | ReadableStream<Uint8Array<ArrayBuffer>>,
  target: ArchiveTarget,
): Promise<ArchiveEntry | null> {
  const place = archivePlaceOf(path)
  if (place === null && !TABLE_FILE.test(path)) return null
  const blob = opened instanceof Blob ? opened : await new Response(opened).blob()
  if (place === null) return newerEntry(await countRows(blob))
  const sourceOf: SourceOf = (own) => {
    const id = sourceIn(target.name, place.node, own)
    target.onSource(id)
    return id
  }
  const batches: TableRows[] = []
  const takers = new Set<string>()
  let count = 0
  let time: TimeRange | null = null
  const take = async (rows: TableRows): Promise<void> => {
    count += rows.length
    if (rows.table === 'gaps') {
      takeGaps(rows, target.gapLog, sourceOf)
      takers.add('io')
    }
    if (rows.table === 'batches') batches.push(rows)
    else for (const feed of target.feeds) if ((await feed.takeRows?.(rows, sourceOf)) === true) takers.add(feed.name)
  }
  let { rest, words, isDamaged }: JournalFaults = { rest: null, words: '', isDamaged: false }
  let holes: readonly JournalHole[] = []
  let newerRows = 0
  if (place.table === null) {
    const stretches: TableRows[][] = [[]]
    const bytes = new Uint8Array(await blob.arrayBuffer())
    const end = readJournal(
      bytes,
      (record) => {
        const rows = tableRowsOf(record)
        if (rows !== null) stretches.at(-1)?.push(rows)
      },
      () => stretches.push([]),
    )
    const all = stretches.flat()
    time = timeOf(all)
    holes = holesBetween(stretches.map(timeOf))
    ;({ rest, words, isDamaged } = faultsOf(end, bytes.length))
    newerRows = end.newer
    for (const rows of all) await take(rows)
  } else
    for await (const rows of readParquet(place.table, blob, groupsInPath(path))) {
      await take(rows)
      await target.pause()
    }
  for (const [source, json] of batchDocuments(batches)) {
    takers.add('indexing')
    await target.readDocument(json, sourceOf(source).slice('file:'.length))
  }
  await target.pause()
  const message = [`${formatPlural(count, 'row')}.`, wordsOfNewer(newerRows), words].filter(Boolean).join(' ')
  const [feed = null, ...otherFeeds] = takers
  return {
    feed,
    otherFeeds,
    phase: isDamaged ? 'broken' : feed === null ? 'listed' : 'read',
    message,
    newerRows,
    time,
    rest,
    holes,
  }
}

/** State of a file of a table that only a later version knows. */
const newerEntry = (rows: number): ArchiveEntry => ({
  feed: null,
  otherFeeds: [],
  phase: 'listed',
  message: wordsOfNewer(rows),
  newerRows: rows,
  time: null,
  rest: null,
  holes: [],
})

/** Times between stretches that could be read; null where nothing before, or after, has a time. */
function holesBetween(times: readonly (TimeRange | null)[]): JournalHole[] {
  const holes: JournalHole[] = []
  if (times.length > 1 && times.at(-1) === null) holes.push({ startTicks: null, endTicks: null })
  let endTicks: Ticks | null = times[0]?.endTicks ?? null
  for (const time of times.slice(1)) {
    if (time === null) continue
    const startTicks = endTicks === null ? null : (Math.min(endTicks, time.startTicks) as Ticks)
    holes.push({ startTicks, endTicks: time.startTicks })
    endTicks = Math.max(endTicks ?? time.endTicks, time.endTicks) as Ticks
  }
  return holes
}

/** Tables whose rows are written as they begin; others may have begun long before the journal. */
const TIMELY: readonly TableName[] = ['vitals', 'io']

/** Time of the rows of a journal; null: it has none. */
function timeOf(all: readonly TableRows[]): TimeRange | null {
  const ticksOf = (rows: TableRows): readonly number[] =>
    Array.from(rows.columns[SORTED_BY[rows.table].at(-1) ?? ''] ?? [], Number)
  const ends = all.map((rows) => ticksOf(rows).at(-1) ?? Number.NEGATIVE_INFINITY)
  const endTicks = ends.reduce((newest, ticks) => Math.max(newest, ticks), Number.NEGATIVE_INFINITY)
  if (!Number.isFinite(endTicks)) return null
  const starts = TIMELY.map((table) =>
    all.reduce(
      (oldest, rows) => (rows.table === table ? Math.min(oldest, ticksOf(rows)[0] ?? oldest) : oldest),
      Number.POSITIVE_INFINITY,
    ),
  )
  return { startTicks: (starts.find(Number.isFinite) ?? endTicks) as Ticks, endTicks: endTicks as Ticks }
}

/** Records the gaps of files of an archive that are missing or cannot be read. `known`: sources of the page. */
export async function takeLostFiles(
  lost: readonly LostFile[],
  { name, feeds, gapLog, onSource }: Pick<ArchiveTarget, 'name' | 'feeds' | 'gapLog' | 'onSource'>,
  known: readonly SourceId[],
): Promise<void> {
  for (const each of lost) {
    const archived = archivePlaceOf(each.path)
    if (archived === null) continue
    const { node, table } = archived
    const place = sourceIn(name, node, '')
    const own = known.flatMap((id) => (id.startsWith(place) ? ownOf(id.slice(place.length)) : []))
    const sourceOf = (of: SourceId): SourceId => {
      const id = sourceIn(name, node, of)
      onSource(id)
      return id
    }
    const rows = gapsOfLost(each, table, own)
    takeGaps(rows, gapLog, sourceOf)
    for (const feed of feeds) await feed.takeRows?.(rows, sourceOf)
  }
}

/** Takes back the gaps of files, and of parts of files, that were lost before. `paths`: as they were lost. */
export async function takeReadAgain(
  paths: ReadonlySet<string>,
  { name, feeds, gapLog }: Pick<ArchiveTarget, 'name' | 'feeds' | 'gapLog'>,
): Promise<void> {
  for (const { id, source, reason, detail } of gapLog.snapshot(null))
    if (reason === 'malformed' && source.startsWith(`file:${name}/`) && isOfFiles(paths, detail)) gapLog.remove(id)
  for (const path of paths) {
    const place = archivePlaceOf(path)
    if (place === null) continue
    const rows = rowsTakenBack(path)
    for (const feed of feeds) await feed.takeRows?.(rows, (own) => sourceIn(name, place.node, own))
  }
}

const ownOf = (name: string): SourceId => (name === 'server' ? name : `db:${name}`)

const encoder = new TextEncoder()

/** Documents in the form of `indexes/performance`, by source. */
function batchDocuments(groups: readonly TableRows[]): Map<SourceId, Uint8Array<ArrayBuffer>> {
  const bySource = new Map<SourceId, Map<string, string[]>>()
  for (const { columns, length } of groups)
    for (let row = 0; row < length; row++) {
      const source = textAt(columns, 'source', row)
      const indexes = bySource.get(source) ?? new Map<string, string[]>()
      bySource.set(source, indexes)
      const index = textAt(columns, 'index', row)
      const details = indexes.get(index) ?? []
      indexes.set(index, details)
      details.push(textAt(columns, 'detail', row))
    }
  return new Map(
    Array.from(bySource, ([source, indexes]) => {
      const lists = Array.from(
        indexes,
        ([name, details]) => `{"Name":${JSON.stringify(name)},"Performance":[${details.join(',')}]}`,
      )
      return [source, encoder.encode(`{"Results":[${lists.join(',')}]}`)] as const
    }),
  )
}

function takeGaps({ columns, length }: TableRows, gapLog: GapLog, sourceOf: SourceOf): void {
  for (let row = 0; row < length; row++) {
    const own = textAt(columns, 'source', row)
    const lane = columns['lane']?.[row] ?? null
    if (lane === LOST_FILE) continue
    const source = sourceOf(own)
    gapLog.addOnce({
      source,
      lane: lane === null ? null : movedLane(String(lane), own, source),
      kind: (columns['kind']?.[row] ?? null) as Gap['kind'],
      reason: reasonOf(textAt(columns, 'reason', row)),
      startTicks: columns['start_ticks']?.[row] as Ticks,
      endTicks: columns['end_ticks']?.[row] as Ticks,
      missingCount: (columns['missing_count']?.[row] ?? null) as number | null,
      missingBytes: (columns['missing_bytes']?.[row] ?? null) as Bytes | null,
      detail: textAt(columns, 'detail', row),
    })
  }
}

const REASONS: Readonly<Record<GapReason, true>> = {
  'socket-closed': true,
  'server-stopped': true,
  'server-unresponsive': true,
  'tab-hidden': true,
  'database-unloaded': true,
  'database-disabled': true,
  'database-deleted': true,
  'database-restarted': true,
  'worker-restarted': true,
  'ring-lapped': true,
  'index-changed': true,
  'not-watched': true,
  'paused-by-rookery': true,
  'clock-jumped': true,
  'not-sent': true,
  malformed: true,
}
/** A reason that this version does not know is treated as unreadable. */
const reasonOf = (text: string): GapReason => (Object.hasOwn(REASONS, text) ? (text as GapReason) : 'malformed')

/** Renames a lane, which begins with its source. */
export function movedLane(lane: string, own: SourceId, source: SourceId): string {
  if (lane === allIndexesLane(own)) return allIndexesLane(source)
  return lane.startsWith(own) ? source + lane.slice(own.length) : lane
}

const textAt = (columns: Readonly<Record<string, ArrayLike<Value>>>, name: string, row: number): string =>
  String(columns[name]?.[row] ?? '')

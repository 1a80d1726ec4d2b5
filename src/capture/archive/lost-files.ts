import { parseTicks, type Ticks, type TimeRange } from '../../base/ticks.ts'
import { allIndexesLane, type GapReason, type SourceId } from '../client/state.ts'
import type { Listed } from '../reading/package-entries.ts'
import { HOUR_TICKS, journalOf, type TableName } from './manifest.ts'
import type { Part } from './parts.ts'
import {
  CLUSTER_LOG,
  COLUMNS,
  FIGURES,
  JOURNAL_END,
  LOST_FILE,
  READ_AGAIN,
  SERVER_LOG,
  type TableRows,
  type Value,
} from './tables.ts'

/* Files of a recording that are missing or cannot be read: the time of their rows becomes a gap. */

/** List of the parts that a package of a recording should have; the package is made by the page. */
export const PARTS_FILE = 'parts.json'
const FORMAT = 'rookery-parts'

export interface ExpectedPart {
  readonly path: string
  /** Time of its rows; of a journal, the end of the rows before it. Null: there are none before it. */
  readonly time: TimeRange | null
  /** Size of the file; null: part of a file, or a journal. */
  readonly bytes: number | null
  /** Whether the recording lacks it; it has no bytes in the package then. */
  readonly isMissing: boolean
}

export const expectedPart = ({ path, minTicks, maxTicks, groups, bytes }: Part, isMissing: boolean): ExpectedPart => ({
  path,
  time: { startTicks: minTicks as Ticks, endTicks: maxTicks as Ticks },
  bytes: groups === null ? bytes : null,
  isMissing,
})

export const partsList = (parts: readonly ExpectedPart[]): Blob => new Blob([JSON.stringify({ format: FORMAT, parts })])

/** Parts that a package should have, by path. Empty: it has no list of them. */
export async function expectedParts(listed: readonly Listed[]): Promise<ReadonlyMap<string, ExpectedPart>> {
  const list = listed.find(({ path, entry }) => path === PARTS_FILE && entry === null)
  if (list === undefined) return new Map()
  try {
    const { format, parts } = JSON.parse(await list.blob.text()) as { format?: unknown; parts: readonly ExpectedPart[] }
    return new Map(format === FORMAT ? parts.map((part) => [part.path, part]) : [])
  } catch {
    // Another program's file of that name.
    return new Map()
  }
}

/** Says by its size that a file is not as it was written. Null: its size is right, or not known. */
export function wordsOfSize(bytes: number, expected: ExpectedPart | undefined): string | null {
  if (expected?.isMissing === true) return 'The file is missing.'
  if (expected === undefined || expected.bytes === null || expected.bytes === bytes) return null
  const [has, should] = [bytes, expected.bytes].map((count) => count.toLocaleString('en-US'))
  return `It has ${String(has)} bytes, and the manifest says ${String(should)}: it is cut, or another file.`
}

/** File that could not be read, or not to its end. */
export interface UnreadFile {
  readonly path: string
  /** Why its rows are not here. */
  readonly message: string
  /** Whether it is a journal whose last block is cut. */
  readonly isCut: boolean
  /** Part of a journal that could not be read, with rows after it. Left out: its rest, or the whole file. */
  readonly hole?: JournalHole
}

/** Time between the rows before and after what could not be read. Null: there are none. */
export interface JournalHole {
  readonly startTicks: Ticks | null
  readonly endTicks: Ticks | null
}

export interface LostFile extends TimeRange, Pick<UnreadFile, 'path' | 'message'> {
  /** Whether no more than the last seconds of a recording are lost. */
  readonly isEnd: boolean
}

/** Known times of the files in a package. */
interface KnownTimes {
  readonly paths: readonly string[]
  readonly expected: ReadonlyMap<string, ExpectedPart>
  /** Times of the rows of journals, as far as they could be read. */
  readonly journals: ReadonlyMap<string, TimeRange>
}

/** Adds the time of what is lost; leaves out files whose time is not known. */
export const lostFiles = (unread: readonly UnreadFile[], known: KnownTimes): LostFile[] =>
  unread.flatMap(({ path, message, isCut, hole }) => {
    const time =
      journalOf(path) === null ? timeOfFile(path, known.expected.get(path)) : timeOfLost(path, hole ?? null, known)
    if (time === null) return []
    return { path, message, startTicks: time.startTicks, endTicks: time.endTicks, isEnd: isCut && time.isLast === true }
  })

type LostTime = TimeRange & { readonly isLast?: boolean }

function timeOfLost(path: string, hole: JournalHole | null, known: KnownTimes): LostTime | null {
  const { startTicks = null, endTicks = null } = hole ?? {}
  if (endTicks === null) return timeOfRest(path, known)
  if (startTicks !== null) return { startTicks, endTicks }
  // Nothing of this journal comes before it.
  const journals = new Map([...known.journals].filter(([each]) => each !== path))
  const before = timeOfRest(path, { ...known, journals })?.startTicks ?? endTicks
  return { startTicks: Math.min(before, endTicks) as Ticks, endTicks }
}

/**
 * Time of what could not be read of a journal: from its last row, else from the end of the files and journals before
 * it, to the start of what follows of its server. `isLast`: nothing follows. Null: nothing of the server has a time.
 */
function timeOfRest(path: string, { paths, expected, journals }: KnownTimes): LostTime | null {
  const { node, number } = journalOf(path) ?? { node: '', number: 0 }
  const files = paths.flatMap((each) =>
    /\/node=([^/]+)\//.exec(each)?.[1] === node ? (timeOfFile(each, expected.get(each)) ?? []) : [],
  )
  const others = Array.from(journals, ([each, time]) => ({ time, journal: journalOf(each) })).filter(
    ({ journal }) => journal?.node === node,
  )
  const earlier = others.flatMap(({ time, journal }) => (journal !== null && journal.number < number ? time : []))
  const later = others.flatMap(({ time, journal }) => (journal !== null && journal.number > number ? time : []))
  const ends = [expected.get(path)?.time ?? [], ...files, ...earlier].flat().map(({ endTicks }) => endTicks)
  const from = journals.get(path)?.endTicks ?? Math.max(...ends)
  const next = Math.min(...[...later, ...files].map(({ startTicks }) => startTicks).filter((ticks) => ticks > from))
  if (!Number.isFinite(from) && !Number.isFinite(next)) return null
  const startTicks = (Number.isFinite(from) ? from : next) as Ticks
  const last = Math.max(startTicks, ...[...files, ...later].map(({ endTicks }) => endTicks)) as Ticks
  return { startTicks, endTicks: Number.isFinite(next) ? (next as Ticks) : last, isLast: !Number.isFinite(next) }
}

/** Time of the rows of a file: as its package lists it, else the hours in its name; null: neither. */
function timeOfFile(path: string, expected: ExpectedPart | undefined): LostTime | null {
  if (expected !== undefined) return expected.time
  const [, day = '', first, last = first] = /\/day=([\d-]+)\/(\d\d)\d{4}(?:-to-(\d\d)\d{4})?[^/]*$/.exec(path) ?? []
  if (first === undefined) return null
  const hour = (text: string | undefined): number => parseTicks(`${day}T${String(text)}:00:00.0000000Z`)
  const [startTicks, endTicks] = [hour(first) as Ticks, (hour(last) + HOUR_TICKS) as Ticks]
  return Number.isNaN(startTicks) || Number.isNaN(endTicks) ? null : { startTicks, endTicks }
}

/**
 * Gaps of a lost file: of what its table has, for all sources of its server, and one that says of which table it was.
 * `table`: null for a journal, which has all of them. `sources`: those known of the server, as the server names them.
 */
export function gapsOfLost(
  { path, message, isEnd, startTicks, endTicks }: LostFile,
  table: TableName | null,
  sources: readonly SourceId[],
): TableRows {
  const all = sources.length === 0 ? (['server'] as const) : sources
  const databases = all.some((source) => source !== 'server') ? all.filter((source) => source !== 'server') : all
  const ofAll: readonly Place[] = [
    ...databases.flatMap((source) => [
      { source, lane: null },
      { source, lane: allIndexesLane(source) },
    ]),
    { source: 'server', lane: FIGURES },
  ]
  const places: readonly Place[] =
    table === null
      ? ofAll
      : table === 'io' || table === 'io-rollups'
        ? databases.map((source) => ({ source, lane: null }))
        : table === 'batches'
          ? databases.map((source) => ({ source, lane: allIndexesLane(source) }))
          : OWN_LANES[table] === undefined
            ? []
            : [{ source: 'server', lane: OWN_LANES[table] }]
  const detail = `${path}: ${message}`
  const kind = table ?? (isEnd ? JOURNAL_END : 'journal')
  return gapRows(
    [...places, { source: 'server', lane: LOST_FILE, kind }].map(({ source, lane, kind: of = null }: Row) => ({
      source,
      lane,
      kind: of,
      start_ticks: startTicks,
      end_ticks: endTicks,
      detail,
    })),
  )
}

/** Row that takes back that a file, or a part of one, was lost: it has been read again. */
export const rowsTakenBack = (path: string): TableRows =>
  gapRows([{ source: 'server', lane: READ_AGAIN, start_ticks: 0, end_ticks: 0, detail: path }])

/** Whether the detail of a gap is that of one of these lost files and parts of files. */
export const isOfFiles = (paths: ReadonlySet<string>, detail: string): boolean =>
  paths.has(detail.slice(0, Math.max(0, detail.indexOf(': '))))

function gapRows(rows: readonly Readonly<Record<string, Value>>[]): TableRows {
  const reason: GapReason = 'malformed'
  const columns = COLUMNS.gaps.map(({ name }) => [
    name,
    rows.map((row) => (name === 'reason' ? reason : (row[name] ?? null))),
  ])
  return { table: 'gaps', length: rows.length, columns: Object.fromEntries(columns) as TableRows['columns'] }
}

interface Place {
  readonly source: SourceId
  readonly lane: string | null
}

type Row = Place & { readonly kind?: string | null }

const OWN_LANES: Partial<Record<TableName, string>> = {
  vitals: FIGURES,
  'cluster-log': CLUSTER_LOG,
  logs: SERVER_LOG,
}

import { parseTicks, type Ticks, type TimeRange } from '../../base/ticks.ts'
import { allIndexesLane, type GapReason, type SourceId } from '../client/state.ts'
import type { Listed } from '../reading/package-entries.ts'
import { HOUR_TICKS, type TableName } from './manifest.ts'
import type { Part } from './parts.ts'
import { CLUSTER_LOG, COLUMNS, FIGURES, LOST_FILE, SERVER_LOG, type TableRows, type Value } from './tables.ts'

/* Files of a recording that are missing or cannot be read: the time of their rows becomes a gap. */

/** List of the parts that a package of a recording should have; the package is made by the page. */
export const PARTS_FILE = 'parts.json'
const FORMAT = 'rookery-parts'

export interface ExpectedPart extends TimeRange {
  readonly path: string
  /** Size of the file; null: part of a file. */
  readonly bytes: number | null
  /** Whether the recording lacks it; it has no bytes in the package then. */
  readonly isMissing: boolean
}

export const partsList = (parts: readonly Part[], missing: ReadonlySet<Part>): Blob => {
  const expected = parts.map((part) => ({
    path: part.path,
    startTicks: part.minTicks,
    endTicks: part.maxTicks,
    bytes: part.groups === null ? part.bytes : null,
    isMissing: missing.has(part),
  }))
  return new Blob([JSON.stringify({ format: FORMAT, parts: expected })])
}

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

export interface LostFile extends TimeRange {
  readonly path: string
  /** Why its rows are not here. */
  readonly message: string
}

/** Time of the rows of a file: as its package lists it, else the hours in its name; null: neither. */
export function timeOfFile(path: string, expected: ExpectedPart | undefined): TimeRange | null {
  if (expected !== undefined) return { startTicks: expected.startTicks, endTicks: expected.endTicks }
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
  { path, message, ...time }: LostFile,
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
  const rows = [...places, { source: 'server', lane: LOST_FILE, kind: table ?? 'journal' }].map(
    ({ source, lane, kind = null }: Place): Readonly<Record<string, Value>> => ({
      source,
      lane,
      kind,
      reason: 'malformed' satisfies GapReason,
      start_ticks: time.startTicks,
      end_ticks: time.endTicks,
      missing_count: null,
      missing_bytes: null,
      detail,
    }),
  )
  const columns = COLUMNS.gaps.map(({ name }) => [name, rows.map((row) => row[name] ?? null)])
  return { table: 'gaps', length: rows.length, columns: Object.fromEntries(columns) as TableRows['columns'] }
}

interface Place {
  readonly source: SourceId
  readonly lane: string | null
  readonly kind?: string | null
}

const OWN_LANES: Partial<Record<TableName, string>> = {
  vitals: FIGURES,
  'cluster-log': CLUSTER_LOG,
  logs: SERVER_LOG,
}

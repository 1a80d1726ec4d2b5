import { msFromTicks, type Ticks } from '../../base/ticks.ts'
import type { FleetServer } from '../../capture/archive/fleet.ts'
import {
  type ArchiveFile,
  type ArchiveHour,
  emptyManifest,
  HOUR_TICKS,
  type Manifest,
  type TableName,
} from '../../capture/archive/manifest.ts'
import { SORTED_BY } from '../../capture/archive/tables.ts'
import { archiveTicks, dayOf, ticksOfArchive } from '../../capture/archive/ticks.ts'
import { clockOf } from '../folder.ts'
import { hoursWithFiles } from '../hours.ts'
import { GROUP_ROWS } from '../parquet.ts'
import type { ClickHouse } from './client.ts'
import { checkDatabase, type Until } from './prepare.ts'
import { columnNamesOf, SENT_TABLES, sqlName, startOf } from './schema.ts'

/** Maximum number of servers that a page lists. */
const MOST_SERVERS = 5000
/** Output settings for Parquet that the page can read with `readParquet`. */
const AS_FILE = `SETTINGS output_format_parquet_compression_method = 'gzip', output_format_parquet_row_group_size = ${String(GROUP_ROWS)}, output_format_parquet_string_as_string = 1 FORMAT Parquet`

/** Row of `SERVERS`; 64-bit numbers come as text. */
interface ServerRow {
  readonly node: string
  readonly url: string
  readonly events: string
  readonly writes: string
  readonly slow: string
  readonly slow_ticks: string
  readonly longest: string
  readonly longest_at: string
  readonly critical: string
  readonly warning: string
  readonly gap_ticks: string
  readonly findings_at: string
  readonly gap_at: string
  readonly last_ticks: string
}

const SERVERS = `SELECT s.node AS node, s.url AS url, events, writes, slow, slow_ticks, slowest.1 AS longest, slowest.2 AS longest_at,
  critical, warning, gap_ticks, findings_at, gap_at, last_ticks
FROM (SELECT node, argMax(url, seen) AS url FROM servers GROUP BY node) AS s
LEFT JOIN (
  SELECT node, sum(h_events) AS events, sum(h_writes) AS writes, sum(h_slow) AS slow, sum(h_slow_ticks) AS slow_ticks,
    max(h_slowest) AS slowest, sum(h_critical) AS critical, sum(h_warning) AS warning, sum(h_gap) AS gap_ticks,
    argMaxIf(hour_ticks, (h_critical, h_warning, hour_ticks), h_critical + h_warning > 0) AS findings_at,
    argMaxIf(hour_ticks, (h_gap, hour_ticks), h_gap > 0) AS gap_at
  FROM (
    SELECT node, hour_ticks, sum(events) AS h_events, sum(writes) AS h_writes, sum(slow) AS h_slow,
      sum(slow_ticks) AS h_slow_ticks, max(slowest) AS h_slowest, sum(critical) AS h_critical,
      sum(warning) AS h_warning, max(gap_ticks) AS h_gap
    FROM hours WHERE hour_ticks >= {from:Int64} AND hour_ticks < {to:Int64} GROUP BY node, hour_ticks
  )
  GROUP BY node
) AS h ON s.node = h.node
LEFT JOIN (SELECT node, max(max_ticks) AS last_ticks FROM contents WHERE feed = 'vitals' OR feed = 'io' GROUP BY node) AS c ON s.node = c.node
ORDER BY slow_ticks DESC, critical DESC, warning DESC, node
LIMIT ${String(MOST_SERVERS)}`

/** Reads recordings of many servers from ClickHouse, in the form in which the page opens a recording. */
export class FleetReader {
  readonly #clickHouse: ClickHouse

  constructor(clickHouse: ClickHouse) {
    this.#clickHouse = clickHouse
  }

  get name(): string {
    return this.#clickHouse.database
  }

  /** Checks that there is a recording that can be read. Errors: `ClickHouseError`, also if there is none. */
  check(): Promise<void> {
    return checkDatabase(this.#clickHouse)
  }

  /** Servers with sums of what happened in the hours of a range, worst first. Errors: `ClickHouseError`. */
  async servers(
    { startTicks, endTicks }: { readonly startTicks: number; readonly endTicks: number },
    until: Until = {},
  ): Promise<readonly FleetServer[]> {
    const from = archiveTicks(Math.floor(startTicks / HOUR_TICKS) * HOUR_TICKS)
    const params = { from, to: archiveTicks(endTicks) }
    const rows = await this.#clickHouse.rows<ServerRow>(SERVERS, { params, ...until })
    return rows.map((row) => ({
      node: row.node,
      url: row.url,
      events: Number(row.events),
      writes: Number(row.writes),
      slow: Number(row.slow),
      slowTicks: Number(row.slow_ticks),
      slowestTicks: Number(row.longest),
      critical: Number(row.critical),
      warning: Number(row.warning),
      gapTicks: Number(row.gap_ticks),
      lastTicks: ticksOrNull(row.last_ticks),
      slowestAt: ticksOrNull(row.longest_at),
      findingsAt: ticksOrNull(row.findings_at),
      gapAt: ticksOrNull(row.gap_at),
    }))
  }

  /**
   * Manifest of a server's rows, as if each hour of a table were a file. Null: there is no such server. Errors:
   * `ClickHouseError`.
   */
  async manifest(node: string, until: Until = {}): Promise<Manifest | null> {
    const sent = { params: { node }, ...until }
    const [server] = await this.#clickHouse.rows<{ url: string }>(
      'SELECT argMax(url, seen) AS url FROM servers WHERE node = {node:String} GROUP BY node',
      sent,
    )
    if (server === undefined) return null
    const bytes = await this.#bytesOfRows(until)
    const contents = await this.#clickHouse.rows<Record<'feed' | 'hour_ticks' | 'count' | 'first' | 'last', string>>(
      'SELECT feed, hour_ticks, sum(rows) AS count, min(min_ticks) AS first, max(max_ticks) AS last FROM contents WHERE node = {node:String} GROUP BY feed, hour_ticks ORDER BY feed, hour_ticks',
      sent,
    )
    const files = contents.flatMap((row): ArchiveFile[] => {
      const table = SENT_TABLES.find((each) => each === row.feed)
      if (table === undefined) return []
      const hour = ticksOfArchive(BigInt(row.hour_ticks))
      const rows = Number(row.count)
      return [
        {
          path: `${table}/node=${node}/day=${dayOf(hour)}/${clockOf(hour, msFromTicks)}-${row.count}.parquet`,
          table,
          node,
          day: dayOf(hour),
          rows,
          bytes: Math.round(rows * (bytes.get(sqlName(table)) ?? 0)),
          minTicks: ticksOfArchive(BigInt(row.first)),
          maxTicks: ticksOfArchive(BigInt(row.last)),
          hourRows: [[hour, rows]],
        },
      ]
    })
    const hours = hoursWithFiles(await this.#hours(sent), files)
    return { ...emptyManifest(), nodes: [{ name: node, url: server.url, journal: 0 }], files, hours }
  }

  /**
   * Rows of a file of the manifest, as Parquet. Undefined: the path is not one of a manifest. Only table, server and
   * hour of the path are used; the number at its end is the row count, which changes the path when rows are added.
   * Errors: `ClickHouseError`.
   */
  async file(path: string, until: Until = {}): Promise<Uint8Array | undefined> {
    const [, name, node, day = '', hour = ''] =
      /^([a-z-]+)\/node=([^/]+)\/day=(\d{4}-\d\d-\d\d)\/(\d\d)0000-\d+\.parquet$/.exec(path) ?? []
    const table = SENT_TABLES.find((each) => each === name)
    const atMs = Date.parse(`${day}T${hour}:00:00Z`)
    if (table === undefined || node === undefined || Number.isNaN(atMs)) return undefined
    const from = BigInt(atMs) * 10_000n
    const start = startOf(table)
    const order = SORTED_BY[table].map((column) => `\`${column}\``).join(', ')
    return this.#clickHouse.run(
      `SELECT ${columnNamesOf(table)} FROM ${sqlName(table)} WHERE node = {node:String} AND ${start} >= {from:Int64} AND ${start} < {to:Int64} ORDER BY ${order} ${AS_FILE}`,
      { params: { node, from, to: from + BigInt(HOUR_TICKS) }, isReading: true, ...until },
    )
  }

  async #hours(sent: Until & { readonly params: { readonly node: string } }): Promise<ArchiveHour[]> {
    type Row = Record<keyof ArchiveHour, string>
    const rows = await this.#clickHouse.rows<Row>(
      `SELECT toString(hour_ticks) AS startTicks, sum(h.events) AS events, sum(h.writes) AS writes, sum(h.slow) AS slow,
  sum(slow_ticks) AS slowTicks, max(slowest).1 AS slowestTicks, sum(h.critical) AS critical, sum(h.warning) AS warning,
  max(gap_ticks) AS gapTicks
FROM hours AS h WHERE node = {node:String} GROUP BY hour_ticks ORDER BY hour_ticks`,
      sent,
    )
    return rows.map((row) => ({
      node: sent.params.node,
      startTicks: ticksOfArchive(BigInt(row.startTicks)),
      events: Number(row.events),
      writes: Number(row.writes),
      slow: Number(row.slow),
      slowTicks: Number(row.slowTicks),
      slowestTicks: Number(row.slowestTicks),
      critical: Number(row.critical),
      warning: Number(row.warning),
      gapTicks: Number(row.gapTicks),
    }))
  }

  /** Mean number of bytes of a row on the disk of ClickHouse, by table. */
  async #bytesOfRows(until: Until): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#clickHouse.rows<{ table: TableName; each: number }>(
      'SELECT table, sum(bytes_on_disk) / sum(rows) AS each FROM system.parts WHERE database = {database:String} AND active AND rows > 0 GROUP BY table',
      { params: { database: this.name }, ...until },
    )
    return new Map(rows.map(({ table, each }) => [table, each]))
  }
}

const ticksOrNull = (text: string): Ticks | null => (text === '0' ? null : ticksOfArchive(BigInt(text)))

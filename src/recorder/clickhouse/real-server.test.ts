/**
 * Rows that a recorder sends of a real server, in ClickHouse itself (chdb, behind a front that loses responses): `npm run test:all`
 * has it, as chdb is half a gigabyte.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { startClickHouse } from '../../../tools/clickhouse/chdb.mjs'
import { createNetwork } from '../../../tools/record/network.mjs'
import { createDatabase, deleteDatabase } from '../../../tools/ravendb/client.mjs'
import { createSay } from '../../../tools/say.mjs'
import { runWorkload } from '../../../tools/workload.mjs'
import { ticksFromMs } from '../../base/ticks.ts'
import { hourOf, nodeName, type TableName } from '../../capture/archive/manifest.ts'
import { readParquet } from '../../capture/archive/read-parquet.ts'
import { COLUMNS, type Value } from '../../capture/archive/tables.ts'
import { archiveTicks, ticksOfArchive } from '../../capture/archive/ticks.ts'
import { clickHouseFront } from '../../testing/server/clickhouse-front.ts'
import { HourSums } from '../hours.ts'
import { record } from '../main.ts'
import { DAY_MS } from '../merge.ts'
import { encodeTable } from '../parquet.ts'
import { ClickHouse } from './client.ts'
import { fleetName } from './fleet-name.ts'
import { prepareDatabase } from './prepare.ts'
import { FleetReader } from './reader.ts'
import { insertOf, SENT_TABLES, sqlName } from './schema.ts'

const PASSWORD = 'p w&ß'
const DATABASE = 'sent'
const days = (count: number) => ({ keepMs: count * DAY_MS, maxBytes: null })
const CLASSES = { events: days(3), slow: days(30), seconds: days(30), minutes: days(365), rest: days(30) }
const DAYS = { events: 3, slow: 30, seconds: 30, minutes: 365, rest: 30 }
/** Those of 10 ms, and those longer than 99 in 100 of their lane and kind. */
function slowOf(rows: readonly Record<string, Value>[]): Record<string, Value>[] {
  const durationOf = (row: Record<string, Value> | undefined): number => Number(row?.['duration_ticks'])
  const laneOf = ({ path, kind }: Record<string, Value>): string => `${String(path)} ${String(kind)}`
  return [...new Set(rows.map(laneOf))].flatMap((name) => {
    const lane = rows.filter((row) => laneOf(row) === name).toSorted((a, b) => durationOf(a) - durationOf(b))
    const usual = durationOf(lane[Math.floor(0.99 * lane.length)])
    return lane.filter((row) => durationOf(row) >= 100_000 || durationOf(row) > usual)
  })
}

/** Each third response to an insert is lost. */
const LOST = 3

interface Insert {
  readonly table: string
  readonly bytes: Uint8Array
}

const url = inject('serverUrl')
let stop: () => Promise<void>
let clickHouse: ClickHouse
/** Rows of files by their token, as the sender sent them. */
const sent = new Map<string, Insert>()
let inserts = 0
let records: Readonly<Record<string, number>> = {}

const node = fleetName({ nodes: [{ name: nodeName(url), url, journal: 0 }] }, nodeName(url))

async function one(sql: string): Promise<Record<string, unknown>> {
  const [row] = await clickHouse.rows<Record<string, unknown>>(sql)
  return row ?? {}
}

/** Rows of a table as they were sent, read without ClickHouse. */
async function sentRows(table: TableName): Promise<Record<string, Value>[]> {
  const rows: Record<string, Value>[] = []
  for (const { bytes } of [...sent.values()].filter((insert) => insert.table === sqlName(table)))
    rows.push(...(await rowsOf(table, bytes)))
  return rows
}

async function rowsOf(table: TableName, bytes: Uint8Array): Promise<Record<string, Value>[]> {
  const rows: Record<string, Value>[] = []
  for await (const { columns, length } of readParquet(table, new Blob([Uint8Array.from(bytes)])))
    for (let row = 0; row < length; row++)
      rows.push(Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[row] ?? null])))
  return rows
}

const keysOf = (rows: readonly Record<string, Value>[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

describe.skipIf(process.env['ROOKERY_CLICKHOUSE'] === undefined)('a recording in ClickHouse', () => {
  beforeAll(async () => {
    const database = await startClickHouse({ password: PASSWORD, say: createSay() })
    const front = await clickHouseFront(async ({ sql, params, user, password, body }) => {
      const target = new URL(database.url)
      target.searchParams.set('database', DATABASE)
      for (const [name, value] of Object.entries(params)) target.searchParams.set(`param_${name}`, value)
      if (body.length > 0) target.searchParams.set('query', sql)
      if (/^(?:CREATE DATABASE|SELECT (?:version|count|engine_full))/.test(sql)) target.searchParams.delete('database')
      const response = await fetch(target, {
        method: 'POST',
        headers: { 'x-clickhouse-user': user, 'x-clickhouse-key': Buffer.from(password).toString('latin1') },
        body: body.length > 0 ? Uint8Array.from(body) : sql,
      })
      const [, table = ''] = /^INSERT INTO (\w+) \(node/.exec(sql) ?? []
      if (table !== '') sent.set(/token = '(\w+)'/.exec(sql)?.[1] ?? '', { table, bytes: body })
      const text = await response.text()
      return table !== '' && ++inserts % LOST === 0 ? 'lost' : { status: response.status, text }
    })
    const folder = mkdtempSync(join(tmpdir(), 'rookery-spool-'))
    stop = async () => {
      front.close()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
      await deleteDatabase(url, DATABASE)
    }
    clickHouse = new ClickHouse({ url: database.url, database: DATABASE, user: 'default', password: PASSWORD })
    await createDatabase(url, DATABASE)
    const loaded = new AbortController()
    const load = runWorkload({ url, database: DATABASE, signal: loaded.signal, fillRate: 500, rate: 200 })
    const recording = await record({
      to: folder,
      send: { url: front.url, database: DATABASE, user: 'default', password: PASSWORD },
      servers: [createNetwork(new URL(url), {})] as never,
      retention: { classes: CLASSES, maxBytes: 1e9 },
      limit: 0.05,
      flushMs: 500,
      foldMs: 5000,
      listen: { host: '127.0.0.1', port: 0 },
      say: () => undefined,
    })
    const health = async () =>
      (await (await fetch(`${String(recording.url)}/healthz`)).json()) as {
        servers: [{ records: Record<string, number> }]
      }
    await vi.waitUntil(
      async () => {
        ;[{ records }] = (await health()).servers
        return (records['io'] ?? 0) > 100 && inserts > 8
      },
      { timeout: 200_000, interval: 200 },
    )
    loaded.abort()
    await load.catch(() => undefined)
    await recording.stop()
  }, 300_000)
  afterAll(() => stop())

  test('has each row once, to the tick and the byte, though responses were lost', async () => {
    expect(sent.size).toBeLessThan(inserts)
    const { count } = await one('SELECT count() AS count FROM io')
    expect(Number(count)).toBeGreaterThanOrEqual(records['io'] ?? Number.POSITIVE_INFINITY)
    for (const table of SENT_TABLES) {
      const rows = await sentRows(table)
      expect({ table, ...(await one(`SELECT toInt32(count()) AS count FROM ${sqlName(table)}`)) }).toEqual({
        table,
        count: rows.length,
      })
    }
    expect(await clickHouse.rows('SELECT DISTINCT node FROM io')).toEqual([{ node }])
  })

  test('is listed by hour with the sums that the recorder would have written, and each file has the rows that were sent', async () => {
    const reader = new FleetReader(clickHouse)
    const manifest = await reader.manifest(node)
    if (manifest === null) throw new Error('It is not listed.')
    for (const table of SENT_TABLES) {
      const files = manifest.files.filter((file) => file.table === table)
      const rows = []
      for (const file of files) rows.push(...(await rowsOf(table, (await reader.file(file.path)) ?? new Uint8Array())))
      expect({ table, keys: keysOf(rows) }).toEqual({ table, keys: keysOf(await sentRows(table)) })
      expect({ table, rows: files.reduce((sum, file) => sum + file.rows, 0) }).toEqual({ table, rows: rows.length })
    }
    const sums = new HourSums(node)
    for (const row of await sentRows('io'))
      sums.event(String(row['kind']), Number(row['start_ticks']), Number(row['duration_ticks']))
    for (const row of await sentRows('findings')) sums.finding(String(row['level']), Number(row['start_ticks']))
    for (const { lane, start_ticks, end_ticks } of await sentRows('gaps'))
      sums.gap({ lane: lane as string | null, startTicks: start_ticks as never, endTicks: end_ticks as never })
    const hours = new Map(sums.hours.map((hour) => [hour.startTicks, hour]))
    expect(manifest.hours?.length).toBeGreaterThan(0)
    for (const hour of manifest.hours ?? []) expect(hour).toEqual(hours.get(hour.startTicks))
    expect(await reader.file('io/node=x/day=2026-11-26/020000-1.parquet')).toBeDefined()
    for (const path of [
      'io_slow/node=x/day=2026-11-26/020000-1.parquet',
      'io/node=x/day=2026-11-26/0200-1.parquet',
      '../io',
    ])
      expect(await reader.file(path)).toBeUndefined()
    expect(await reader.manifest("x' or 1")).toBeNull()
  })

  test('has roll-ups of all events, and slow events', async () => {
    const all = await one(
      'SELECT count() AS events, sum(duration_ticks) AS busy, max(duration_ticks) AS longest FROM io',
    )
    for (const table of ['io_seconds', 'io_minutes'])
      expect(
        await one(
          `SELECT sum(events) AS events, sum(busy_ticks) AS busy, max(max_duration_ticks) AS longest FROM ${table}`,
        ),
      ).toMatchObject({ busy: all['busy'], longest: all['longest'], events: all['events'] })
  })

  test('lists its servers by slow writes and findings', async () => {
    const reader = new FleetReader(clickHouse)
    await clickHouse.run("INSERT INTO servers VALUES ('silent', 'http://silent', now())")
    const [first, silent] = await reader.servers({
      startTicks: ticksFromMs(Date.now() - DAY_MS),
      endTicks: ticksFromMs(Date.now()),
    })
    const rows = await sentRows('io')
    const writes = rows.filter(({ kind }) => kind === 'JournalWrite')
    const longest = writes.reduce((most, row) =>
      Number(row['duration_ticks']) > Number(most['duration_ticks']) ? row : most,
    )
    expect(first).toMatchObject({
      node,
      url,
      events: rows.length,
      writes: writes.length,
      slowestTicks: longest['duration_ticks'],
      slowestAt: longest['start_ticks'],
    })
    expect(silent).toMatchObject({ node: 'silent', events: 0, lastTicks: null, slowestAt: null, findingsAt: null })
    await clickHouse.run("DELETE FROM servers WHERE node = 'silent'")
  })

  test('has codecs and the order of lanes, and gives rows up by class', async () => {
    await prepareDatabase(clickHouse, DAYS)
    expect(
      await one(
        "SELECT compression_codec AS codec FROM system.columns WHERE database = currentDatabase() AND table = 'io' AND name = 'start_ticks'",
      ),
    ).toEqual({ codec: 'CODEC(Delta(8), T64, ZSTD(3))' })
    expect(
      await one("SELECT sorting_key AS key FROM system.tables WHERE database = currentDatabase() AND name = 'io'"),
    ).toEqual({ key: 'node, source, path, kind, start_ticks' })
    const old = ticksFromMs(Date.now() - 10 * DAY_MS)
    const values = ['db:old', '/old', 'Documents', 'JournalWrite', '0.journal', old, 150_000, 4096, null, null, null]
    const { bytes } = encodeTable('io', [values.map((value) => [value])])
    await clickHouse.run(insertOf('io', 'old'), { params: { node: 'old' }, body: bytes })
    for (const table of ['io', 'io_minutes', 'hours']) await clickHouse.run(`OPTIMIZE TABLE ${table} FINAL`)
    const left = async (table: string) =>
      Number((await one(`SELECT count() AS rows FROM ${table} WHERE node = 'old'`))['rows'])
    expect(await left('io')).toBe(0)
    expect(await left('io_slow')).toBe(1)
    expect(await one("SELECT events, busy_ticks, start_ticks FROM io_minutes WHERE node = 'old'")).toMatchObject({
      events: '1',
      busy_ticks: '150000',
    })
    const [hour] = await clickHouse.rows<{ hour_ticks: string }>("SELECT hour_ticks FROM hours WHERE node = 'old'")
    expect(ticksOfArchive(BigInt(hour?.hour_ticks ?? 0))).toBe(hourOf(old))
  })

  test('has slow events: those of 10 ms, and the longest of a hundred and more of their lane and kind that came together', async () => {
    const many = Array.from({ length: 250 }, (_, at) => [
      'db:lane',
      '/lane',
      'Documents',
      at < 150 ? 'JournalWrite' : 'DataSync',
      '0.journal',
      ticksFromMs(Date.now()) + at,
      at * 100,
      4096,
      null,
      null,
      null,
    ])
    const columns = COLUMNS.io.map((_, column) => many.map((row) => row[column] ?? null))
    await clickHouse.run(insertOf('io', 'lane'), { params: { node: 'lane' }, body: encodeTable('io', [columns]).bytes })
    sent.set('lane', { table: 'io', bytes: encodeTable('io', [columns]).bytes })
    const slow: Record<string, Value>[] = []
    for (const { bytes } of [...sent.values()].filter(({ table }) => table === 'io'))
      slow.push(...slowOf(await rowsOf('io', bytes)))
    // 149 of the first kind; of a hundred none is longer than 99 in 100.
    expect(slow.filter(({ path }) => path === '/lane').map((row) => row['duration_ticks'])).toEqual([14_900])
    const found = await clickHouse.rows<{ key: string }>(
      "SELECT concat(path, ' ', kind, ' ', toString(start_ticks), ' ', toString(duration_ticks)) AS key FROM io_slow WHERE node != 'old'",
    )
    const keyOf = ({ path, kind, start_ticks, duration_ticks }: Record<string, Value>): string =>
      [path, kind, archiveTicks(Number(start_ticks)), duration_ticks].join(' ')
    expect(found.map(({ key }) => key).toSorted()).toEqual(slow.map(keyOf).toSorted())
  })

  test('keeps its own logs for a time by the configuration that is shipped', async () => {
    const file = readFileSync(join(import.meta.dirname, '../../../tools/record/clickhouse-logs.xml'), 'utf8')
    const times = new Set([...file.matchAll(/<ttl>(.+?)<\/ttl>/g)].map(([, ttl]) => ttl ?? ''))
    expect(times.size).toBeGreaterThan(1)
    for (const ttl of times)
      await clickHouse.run(
        `CREATE OR REPLACE TABLE own_log (event_date Date, event_time DateTime) ENGINE = MergeTree ORDER BY event_time TTL ${ttl}`,
      )
    await clickHouse.run('DROP TABLE own_log')
  })
})

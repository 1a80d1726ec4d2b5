// @ts-check
/**
 * Measures a day of a fleet in ClickHouse (chdb): time to insert rows, their size in bytes, and the duration of a
 * page's requests. ClickHouse generates the rows, with log-normal sizes and durations, of eight storages and three
 * kinds.
 * `npm run bench:fleet [-- --events 10000000 --servers 100]`
 */
import { parseArgs } from 'node:util'
import { startClickHouse } from '../tools/clickhouse/chdb.mjs'
import { loadRecorder } from '../tools/record/build.mjs'
import { createSay } from '../tools/say.mjs'
import { median } from './results.mjs'

const { values } = parseArgs({
  options: { events: { type: 'string', default: '10000000' }, servers: { type: 'string', default: '100' } },
})
const SERVERS = Number(values.servers)
const EACH = Math.round(Number(values.events) / SERVERS)
const DAY_MS = 86_400_000
const EPOCH_MS = Date.UTC(2020, 0)
const ROUNDS = 5
const SENDS = 20
/** Retention, days: long enough that no row expires during the measurement. */
const YEARS = 3650

const say = createSay()
const { ClickHouse, FleetReader, insertOf, prepareDatabase } = await loadRecorder(say)
const { url, stop } = await startClickHouse({ password: 'bench', say })
const clickHouse = new ClickHouse({ url, database: 'bench', user: 'default', password: 'bench' })
await prepareDatabase(clickHouse, { events: YEARS, slow: YEARS, seconds: YEARS, minutes: YEARS, rest: YEARS })

const endMs = Math.floor(Date.now() / DAY_MS) * DAY_MS
const ticksFrom = (endMs - DAY_MS) * 10_000
const nameOf = (/** @type {number} */ server) => `raven-${String(server).padStart(4, '0')}`

/** @param {number} server */
const rowsOf = (
  server,
) => `INSERT INTO io SELECT '${nameOf(server)}', concat('db:', toString(place % 4)), concat('/data/', toString(place)),
  'Documents', ['JournalWrite', 'DataFlush', 'DataSync'][1 + place % 3], concat(toString(intDiv(number, 20000)), '.journal'), start,
  toInt64(10 * ceil(randLogNormal(6.2 + (cityHash64(${server}) % 100) / 100, 1.1, number))), 4096 * toInt64(ceil(randLogNormal(1.5, 1, number))), 67108864, NULL, NULL
FROM (SELECT number, cityHash64(number, ${server}) % 8 AS place,
  ${ticksFrom} + toInt64((number + randUniform(0, 1)) * ${(DAY_MS * 10_000) / EACH}) AS start FROM numbers(${EACH}))`

const began = performance.now()
for (let server = 0; server < SERVERS; server++) {
  await clickHouse.run(rowsOf(server))
  await clickHouse.run(`INSERT INTO servers SELECT {node:String}, 'http://bench', now()`, {
    params: { node: nameOf(server) },
  })
}
const madeMs = performance.now() - began
for (const table of ['io', 'io_seconds', 'io_minutes', 'io_slow', 'hours', 'contents'])
  // A merge of 100,000,000 rows takes longer than the time limit of the recorder's statements.
  for (;;)
    try {
      await clickHouse.run(`OPTIMIZE TABLE ${table} FINAL SETTINGS optimize_skip_merged_partitions = 1`)
      break
    } catch (error) {
      process.stdout.write(`${table}: ${String(error)}\n`)
    }

/** @param {() => Promise<unknown>} run @returns {Promise<number>} ms */
async function timed(run) {
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return median(times)
}

const reader = new FleetReader(clickHouse)
const endTicks = (endMs - EPOCH_MS) * 10_000
const range = { startTicks: endTicks - DAY_MS * 10_000, endTicks }
const listed = await reader.servers(range)
const manifest = await reader.manifest(nameOf(7))
const hour = manifest?.files.find(({ table }) => table === 'io')?.path ?? ''
const listMs = await timed(() => reader.servers(range))
const manifestMs = await timed(() => reader.manifest(nameOf(7)))
const hourMs = await timed(() => reader.file(hour))

const file = await clickHouse.run(
  `SELECT * EXCEPT node FROM io WHERE node = '${nameOf(7)}' ORDER BY source, path, kind, start_ticks SETTINGS output_format_parquet_compression_method = 'gzip' FORMAT Parquet`,
)
const cpu = process.cpuUsage()
const sendMs = await timedSends()
const { user, system } = process.cpuUsage(cpu)

async function timedSends() {
  const start = performance.now()
  for (let send = 0; send < SENDS; send++)
    await clickHouse.run(insertOf('io', `bench${send}`), { params: { node: `sent-${send}` }, body: file })
  return performance.now() - start
}

const sizes = await clickHouse.rows(
  "SELECT table, sum(rows) AS count, sum(bytes_on_disk) AS bytes, round(sum(bytes_on_disk) / sum(rows), 2) AS each FROM system.parts WHERE database = 'bench' AND active AND rows > 0 GROUP BY table ORDER BY table",
)
const columns = await clickHouse.rows(
  "SELECT name, round(sum(column_data_compressed_bytes) / sum(rows), 3) AS each FROM (SELECT column AS name, column_data_compressed_bytes, rows FROM system.parts_columns WHERE database = 'bench' AND table = 'io' AND active) GROUP BY name ORDER BY each DESC",
)
process.stdout.write(
  `${JSON.stringify({ servers: listed.length, worst: listed[0], madeMs, listMs, manifestMs, hourMs, hourBytes: manifest?.files[0]?.rows, sentRowsASecond: (SENDS * EACH * 1000) / sendMs, sentCpuMs: (user + system) / 1000, fileBytes: file.length, sizes, columns }, null, 1)}\n`,
)
await stop()

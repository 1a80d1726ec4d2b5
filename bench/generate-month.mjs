// @ts-check
/**
 * Generates a recording of a month from a seed, with the recorder's own folding: each hour is a journal that is
 * converted to files, and each day is compacted as a recorder does it. The server has one database with six indexes,
 * more load by day than by night, and a slow quarter of an hour each night. The first run writes the folder; later runs
 * use it again.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadRecorder } from '../tools/record/build.mjs'
import { createSay } from '../tools/say.mjs'
import { batchesOf } from './generate-batches.mjs'
import { randomOf } from './generate.mjs'

/** Ticks per second, and the ticks of 2020, as the studio counts them. */
const TICKS_PER_SECOND = 10_000_000
const HOUR = 3600 * TICKS_PER_SECOND
const START_MS = Date.UTC(2026, 9, 1)
const START = (START_MS - Date.UTC(2020, 0)) * 10_000
const HOURS_OF_DAY = 24
export const DAYS = 30

const NODE = { name: 'db1.example_8080', url: 'http://db1.example:8080' }
const SOURCE = 'db:shop'
const ROOT = '/var/lib/ravendb/Databases/shop'

/** Share of the events, by storage. */
const STORAGES = [
  { path: ROOT, type: 'Documents', share: 0.4 },
  ...[0.14, 0.14, 0.1, 0.1, 0.08, 0.04].map((share, at) => ({
    path: `${ROOT}/Indexes/Orders_By${String(at)}`,
    type: 'Index',
    share,
  })),
]
/** Share of a storage's events, mean duration in µs and mean size in pages of 4 KB, by kind. */
const KINDS = [
  { kind: 'JournalWrite', share: 0.96, us: 300, pages: 6 },
  { kind: 'DataFlush', share: 0.03, us: 4000, pages: 300 },
  { kind: 'DataSync', share: 0.01, us: 30_000, pages: 900 },
]
const EVENTS_PER_JOURNAL = 20_000
/**
 * Second of the day at which the slow quarter of an hour begins, its length, and the factor by which writes take longer
 * in it.
 */
const BAD_SECOND = 2 * 3600 + 10 * 60
const BAD_SECONDS = 900
const BAD_FACTOR = 40

/** Figures of a server, with their interval in seconds. */
const FIGURES = [
  ...['cpu.machine', 'cpu.process'].map((key) => ({ key, every: 5, mean: 20 })),
  ...['writes.rate', 'writes.byteRate', 'traffic.averageMs'].map((key) => ({ key, every: 10, mean: 900 })),
  ...['traffic.requests', 'traffic.concurrent'].map((key) => ({ key, every: 10, mean: 60 })),
  ...['resident', 'private', 'managed', 'unmanaged', 'available'].map((name) => ({
    key: `memory.${name}`,
    every: 15,
    mean: 2e9,
  })),
  ...['heap', 'gen0', 'gen1', 'gen2'].map((name) => ({ key: `gc.${name}`, every: 15, mean: 4e8 })),
]
const BATCHES_PER_HOUR = 30

/** Load factor by hour: 0.4 at four in the morning, 1.6 at four in the afternoon. @param {number} hour */
const loadAt = (hour) => 1 - 0.6 * Math.cos((2 * Math.PI * ((hour % HOURS_OF_DAY) - 4)) / HOURS_OF_DAY)

/** @param {() => number} random mean 1, with a heavy tail */
const tailed = (random) => 0.4 + Math.min(300, 0.11 / (1.0001 - random()) ** 0.9)

/**
 * @typedef {object} Month
 * @property {string} folder
 * @property {number} events
 * @property {number} startTicks
 * @property {number} endTicks
 */

/**
 * Writes a recording of `DAYS` days with about the given number of I/O events, or finds the existing one.
 * @param {string} folder @param {number} events @param {number} [seed]
 * @returns {Promise<Month>}
 */
export async function generateMonth(folder, events, seed = 1) {
  const made = join(folder, 'generated.json')
  if (existsSync(made)) return JSON.parse(readFileSync(made, 'utf8'))
  const { fold, Folder, Pending, FileTidier } = await loadRecorder(createSay())
  const archive = await Folder.open(folder)
  const tidier = new FileTidier(archive, console.log)
  const random = randomOf(seed)
  const batches = batchesOf(seed)
  const began = performance.now()
  let count = 0
  const hours = DAYS * HOURS_OF_DAY
  for (let hour = 0; hour < hours; hour++) {
    const pending = new Pending()
    const start = START + hour * HOUR
    /** @param {import('../src/capture/archive/records.ts').ArchiveRecord} record */
    const take = (record) => pending.take(record)
    for (const record of ioOf(start, (events / hours) * loadAt(hour), random)) {
      take(record)
      count += record.c[0]?.length ?? 0
    }
    for (const { key, every, mean } of FIGURES) take(figureOf(key, start, every, mean * loadAt(hour), random))
    for (let at = 0; at < BATCHES_PER_HOUR; at++) {
      const startTicks = start + Math.floor(((at + random() * 0.5) * HOUR) / BATCHES_PER_HOUR)
      const { index, id, json, durationTicks } = batches(START_MS + (startTicks - START) / 10_000)
      take({ t: 'batch', source: SOURCE, index, id, startTicks, durationTicks, json })
    }
    if (hour % HOURS_OF_DAY === 2) for (const record of badNight(start)) take(record)
    await fold(archive, NODE, pending, hour + 1)
    if (hour % HOURS_OF_DAY !== HOURS_OF_DAY - 1) continue
    await tidier.run(START_MS + (hour + 2) * 3_600_000)
    const seconds = Math.round((performance.now() - began) / 1000)
    console.log(
      `${String((hour + 1) / HOURS_OF_DAY)} of ${String(DAYS)} days, ${String(count)} events, ${String(seconds)} s`,
    )
  }
  const month = { folder, events: count, startTicks: START, endTicks: START + hours * HOUR }
  writeFileSync(made, JSON.stringify(month))
  return month
}

/**
 * Generates the events of an hour, by storage and kind, in records of one journal each.
 * @param {number} start @param {number} events @param {() => number} random
 * @returns {Generator<import('../src/capture/archive/records.ts').IoRecord>}
 */
function* ioOf(start, events, random) {
  for (const { path, type, share: ofStorage } of STORAGES)
    for (const { kind, share, us, pages } of KINDS) {
      const many = Math.max(1, Math.round(events * ofStorage * share))
      for (let from = 0; from < many; from += EVENTS_PER_JOURNAL) {
        const length = Math.min(EVENTS_PER_JOURNAL, many - from)
        const starts = Array.from({ length }, (_, at) => start + Math.floor(((from + at + random()) * HOUR) / many))
        const durations = starts.map((at) => Math.round(us * tailed(random) * slownessAt(at)) * 10)
        const sizes = starts.map(() => 4096 * Math.max(1, Math.round(pages * tailed(random))))
        const none = starts.map(() => -1)
        const isJournal = kind === 'JournalWrite'
        const file = isJournal ? `${String(start / HOUR)}${String(from / EVENTS_PER_JOURNAL)}.journal` : 'Raven.voron'
        const fileSizes = starts.map(() => (isJournal ? 67_108_864 : 4_294_967_296))
        yield { t: 'io', source: SOURCE, path, type, kind, file, c: [starts, durations, sizes, fileSizes, none, none] }
      }
    }
}

/** @param {number} ticks */
function slownessAt(ticks) {
  const second = ((ticks - START) / TICKS_PER_SECOND) % 86_400
  return second >= BAD_SECOND && second < BAD_SECOND + BAD_SECONDS ? BAD_FACTOR : 1
}

/**
 * @param {string} key @param {number} start @param {number} every s @param {number} mean @param {() => number} random
 * @returns {import('../src/capture/archive/records.ts').VitalRecord}
 */
function figureOf(key, start, every, mean, random) {
  const length = Math.floor(3600 / every)
  const ticks = Array.from({ length }, (_, at) => start + Math.floor((at + random() * 0.1) * every * 10) * 1_000_000)
  let value = mean
  const values = ticks.map(() => (value = Math.round(0.9 * value + 0.1 * mean * (0.5 + random()))))
  return { t: 'vital', key, ticks, values }
}

/**
 * Creates the finding and the gap of the slow quarter of an hour.
 * @param {number} start of its hour
 * @returns {import('../src/capture/archive/records.ts').ArchiveRecord[]}
 */
function badNight(start) {
  const startTicks = start + (BAD_SECOND - 7200) * TICKS_PER_SECOND
  const endTicks = startTicks + BAD_SECONDS * TICKS_PER_SECOND
  const finding = { id: 'slow-writes|shop', level: 'critical', title: 'Journal writes of shop are slow' }
  const range = { startTicks, endTicks: startTicks + 20 * TICKS_PER_SECOND }
  const gap = { id: -1, source: SOURCE, lane: null, kind: null, reason: 'server-unresponsive', detail: '' }
  return [
    {
      t: 'finding',
      ...finding,
      startTicks,
      endTicks,
      json: JSON.stringify({ ...finding, startTicks, lastTicks: endTicks, isOver: true }),
    },
    /** @type {any} */ ({ t: 'gap', gap: { ...gap, ...range, missingCount: null, missingBytes: null } }),
  ]
}

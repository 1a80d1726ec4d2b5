import { EventTable, type EventBatch } from '../base/columns/event-table.ts'
import { DURATION, SIZE, START } from '../base/columns/event-chunk.ts'
import { ticksFromMs } from '../base/ticks.ts'
import { type OtherRecord, rowsOfRecord } from '../capture/archive/record-rows.ts'
import type { ArchiveRecord, IoRecord } from '../capture/archive/records.ts'
import type { ArchiveHour, TableName } from '../capture/archive/manifest.ts'
import { COLUMNS, type Value } from '../capture/archive/tables.ts'
import { dayOf } from '../capture/archive/ticks.ts'
import { ACCELERATION, COMPRESSED, FILE, FILE_SIZE, IO_COLUMNS, NO_SIZE } from '../feeds/io/data/reading/wire.ts'
import { HourSums } from './hours.ts'
import { GROUP_ROWS, type GroupColumns } from './parquet.ts'

/**
 * Maximum number of rows that wait in the form of the journal before they go into tables, which hold them in fewer
 * bytes.
 */
const MOST_LOOSE_ROWS = 20_000
const DAY_MS = 86_400_000
const SHAPE = { columnCount: IO_COLUMNS, identity: [DURATION, SIZE, FILE], fillable: [] }

/** Columns of the table, in the order of a record's columns. */
const RECORD_COLUMNS = [START, DURATION, SIZE, FILE_SIZE, COMPRESSED, ACCELERATION]

interface Track {
  readonly place: Pick<IoRecord, 'source' | 'path' | 'type' | 'kind'>
  readonly files: string[]
  readonly events: EventTable
}

/** Rows of one table and one day, in groups. */
export interface PendingPart {
  readonly table: TableName
  readonly day: string
  readonly minTicks: number
  readonly maxTicks: number
  readonly groups: () => Iterable<GroupColumns>
}

/** Journal records that are not in files yet. */
export class Pending {
  readonly #tracks = new Map<string, Track>()
  #loose: IoRecord[] = []
  #looseRows = 0
  readonly #others: OtherRecord[] = []
  /** Number of rows of all tables. */
  rows = 0

  /** Adds a record. Seeds are skipped: they are in files already. */
  take(record: ArchiveRecord): void {
    if (record.t === 'known' || record.t === 'log-mark' || 'seed' in record) return
    if (record.t !== 'io') {
      this.#others.push(record)
      this.rows += record.t === 'vital' ? record.ticks.length : 1
      return
    }
    this.#loose.push(record)
    this.#looseRows += record.c[0]?.length ?? 0
    this.rows += record.c[0]?.length ?? 0
    if (this.#looseRows >= MOST_LOOSE_ROWS) this.#settle()
  }

  /** Rows by table and day, sorted by storage, kind and time within each. */
  parts(): PendingPart[] {
    this.#settle()
    return [...this.#ioParts(), ...this.#otherParts()]
  }

  /** Sums of the rows by hour. */
  hours(node: string): ArchiveHour[] {
    this.#settle()
    const sums = new HourSums(node)
    for (const { place, events } of this.#tracks.values())
      events.forEachPart(0, events.length, (chunk, from, to) => {
        for (let row = from; row < to; row++) sums.event(place.kind, chunk.read(START, row), chunk.read(DURATION, row))
      })
    for (const record of this.#others)
      if (record.t === 'finding') sums.finding(record.level, record.startTicks)
      else if (record.t === 'gap') sums.gap(record.gap)
    return sums.hours
  }

  #settle(): void {
    const byTrack = new Map<Track, IoRecord[]>()
    for (const record of this.#loose) {
      const track = this.#track(record)
      const known = byTrack.get(track)
      if (known === undefined) byTrack.set(track, [record])
      else known.push(record)
    }
    for (const [track, records] of byTrack) track.events.merge(batchOf(track, records), false)
    this.#loose = []
    this.#looseRows = 0
  }

  #track({ source, path, type, kind }: IoRecord): Track {
    const key = [source, path, kind].join('\u0000')
    let track = this.#tracks.get(key)
    if (track === undefined)
      this.#tracks.set(key, (track = { place: { source, path, type, kind }, files: [], events: new EventTable(SHAPE) }))
    return track
  }

  #ioParts(): PendingPart[] {
    const byDay = new Map<string, { track: Track; from: number; to: number }[]>()
    for (const [, track] of [...this.#tracks].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const { events } = track
      for (let from = 0; from < events.length;) {
        const day = dayOf(events.read(START, from))
        const to = events.lowerBound(ticksFromMs(Date.parse(day) + DAY_MS))
        const runs = byDay.get(day)
        if (runs === undefined) byDay.set(day, [{ track, from, to }])
        else runs.push({ track, from, to })
        from = to
      }
    }
    return Array.from(byDay, ([day, runs]) => ({
      table: 'io' as const,
      day,
      minTicks: Math.min(...runs.map(({ track, from }) => track.events.read(START, from))),
      maxTicks: Math.max(...runs.map(({ track, from, to }) => latestEnd(track.events, from, to))),
      groups: () => ioGroups(runs),
    }))
  }

  #otherParts(): PendingPart[] {
    const rows = this.#others.flatMap(rowsOfRecord)
    const parts: PendingPart[] = []
    for (const table of new Set(rows.map((row) => row.table))) {
      const own = rows.filter((row) => row.table === table)
      for (const day of new Set(own.map(({ fromTicks }) => dayOf(fromTicks)))) {
        const ofDay = own
          .filter(({ fromTicks }) => dayOf(fromTicks) === day)
          .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.fromTicks - b.fromTicks))
        parts.push({
          table,
          day,
          minTicks: ofDay.reduce((least, { fromTicks }) => Math.min(least, fromTicks), Number.POSITIVE_INFINITY),
          maxTicks: ofDay.reduce((most, { toTicks }) => Math.max(most, toTicks), Number.NEGATIVE_INFINITY),
          groups: () => rowGroups(ofDay.map(({ values }) => values)),
        })
      }
    }
    return parts
  }
}

function batchOf(track: Track, records: readonly IoRecord[]): EventBatch {
  const length = records.reduce((sum, { c }) => sum + (c[0]?.length ?? 0), 0)
  const columns = Array.from({ length: IO_COLUMNS }, () => new Float64Array(length))
  let at = 0
  for (const { c, file } of records) {
    let id = track.files.lastIndexOf(file)
    if (id < 0) id = track.files.push(file) - 1
    RECORD_COLUMNS.forEach((column, i) => columns[column]?.set(c[i] ?? [], at))
    const rows = c[0]?.length ?? 0
    columns[FILE]?.fill(id, at, at + rows)
    at += rows
  }
  return { columns, length }
}

function latestEnd(events: EventTable, from: number, to: number): number {
  let latest = Number.NEGATIVE_INFINITY
  events.forEachPart(from, to, (chunk, partFrom, partTo) => {
    for (let row = partFrom; row < partTo; row++)
      latest = Math.max(latest, chunk.read(START, row) + chunk.read(DURATION, row))
  })
  return latest
}

const orNull = (value: number): number | null => (value < 0 ? null : value)

function* ioGroups(runs: readonly { track: Track; from: number; to: number }[]): Generator<GroupColumns> {
  let group = newGroup(COLUMNS.io.length)
  for (const { track, from, to } of runs) {
    const { place, files, events } = track
    for (let row = from; row < to; row++) {
      const chunk = events.chunks[events.chunkOf(row)]
      if (chunk === undefined) continue
      const at = row - events.firstRowOf(events.chunkOf(row))
      const size = chunk.read(FILE_SIZE, at) === NO_SIZE ? null : chunk.read(SIZE, at)
      const values = [
        place.source,
        place.path,
        place.type,
        place.kind,
        files[chunk.read(FILE, at)] ?? '',
        chunk.read(START, at),
        chunk.read(DURATION, at),
        size,
        orNull(chunk.read(FILE_SIZE, at)),
        orNull(chunk.read(COMPRESSED, at)),
        orNull(chunk.read(ACCELERATION, at)),
      ]
      values.forEach((value, column) => group[column]?.push(value))
      if (group[0]?.length === GROUP_ROWS) {
        yield group
        group = newGroup(COLUMNS.io.length)
      }
    }
  }
  yield group
}

type Values = readonly Value[]
const newGroup = (columns: number): Value[][] => Array.from({ length: columns }, () => [])

function* rowGroups(rows: readonly Values[]): Generator<GroupColumns> {
  for (let from = 0; from < rows.length; from += GROUP_ROWS) {
    const own = rows.slice(from, from + GROUP_ROWS)
    yield (own[0] ?? []).map((_, column) => own.map((row) => row[column] ?? null))
  }
}

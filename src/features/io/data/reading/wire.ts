import type { TickSpan } from '../../../../base/brand.ts'
import type { EventBatch } from '../../../../base/columns/event-table.ts'
import { parseTicks, spanFromMs } from '../../../../base/ticks.ts'

/** Columns of an I/O event behind start, duration and size. −1: not reported. */
export const FILE = 3
export const FILE_SIZE = 4
export const COMPRESSED = 5
export const ACCELERATION = 6
export const IO_COLUMNS = 7

/** One roll-up: what the server folded of one file and kind (its `History`). Times in ticks, sizes in bytes. */
export interface IoRollUpRow {
  readonly startTicks: number
  readonly endTicks: number
  readonly sizeBytes: number
  readonly busyTicks: number
  readonly minTicks: number
  readonly maxTicks: number
}

/** A journal file that is zeroed for its next use: newer servers report that as journal writes of this file. */
const RECYCLED_JOURNAL = 'recyclable-journal'

/**
 * The kind that a row is kept as: preparing a journal is no commit, so it is a kind of its own and not in the figures of
 * journal writes.
 */
export const trackKind = (file: string, kind: string): string =>
  kind === 'JournalWrite' && file.startsWith(RECYCLED_JOURNAL) ? 'JournalPreparation' : kind

/** The kind as the server reports it. */
export const wireKind = (kind: string): string => (kind === 'JournalPreparation' ? 'JournalWrite' : kind)

export interface IoKindRows {
  readonly kind: string
  /** Columns as above, in the order of the document; FILE is left at 0 for the table to fill in. */
  readonly events: EventBatch
  readonly rollUps: readonly IoRollUpRow[]
}

export interface IoFileRows {
  readonly name: string
  readonly status: string | null
  readonly kinds: readonly IoKindRows[]
}

export interface IoEnvironmentRows {
  readonly path: string
  readonly type: string
  readonly files: readonly IoFileRows[]
}

/** What could not be read: how many rows, and the first of them in words (where, expected, got). */
export interface IoProblems {
  readonly count: number
  readonly first: string | null
}

export interface IoDocument {
  readonly environments: readonly IoEnvironmentRows[]
  readonly problems: IoProblems
}

/** The document is not one of I/O metrics at all. `path` is a JSON path. */
export class IoWireError extends Error {
  override readonly name = 'IoWireError'
  constructor(path: string, expected: string, got: unknown) {
    super(`${path}: expected ${expected}, got ${describe(got)}`)
  }
}

/** Longest span that is believed: ten years. A longer one is a broken number and not a slow disk. */
export const MAX_SPAN_MS = 10 * 365 * 86_400_000

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads one answer of `debug/io-metrics` (or frame of its live socket), already parsed from JSON.
 * A row that makes no sense is left out and counted; a kind or status that is not known is kept by its name.
 * Shape: `{Environments:[{Path, Type, Files:[{File, Status, Recent[], History[]}]}]}`.
 * Source: endpoints `/databases/{name}/debug/io-metrics` and `/admin/debug/io-metrics` as recorded on 5.4, 6.2 and 7.1.
 * Throws `IoWireError` when it is another document.
 */
export function readIoDocument(document: unknown): IoDocument {
  const root = fields(document)
  if (root === null) throw new IoWireError('$', 'an object with Environments', document)
  const list = root['Environments']
  if (!Array.isArray(list)) throw new IoWireError('$.Environments', 'a list', list)
  const problems = new ProblemCount()
  const environments: IoEnvironmentRows[] = []
  list.forEach((item: unknown, i) => {
    const environment = fields(item)
    const path = environment?.['Path']
    const files = environment?.['Files']
    if (environment === null || typeof path !== 'string' || !Array.isArray(files)) {
      problems.add(`$.Environments[${i}]`, 'an environment with Path and Files', item)
      return
    }
    const type = typeof environment['Type'] === 'string' ? environment['Type'] : 'Unknown'
    environments.push({ path, type, files: readFiles(files, `$.Environments[${i}].Files`, problems) })
  })
  return { environments, problems: problems.result() }
}

function readFiles(files: readonly unknown[], at: string, problems: ProblemCount): IoFileRows[] {
  const rows: IoFileRows[] = []
  files.forEach((item, i) => {
    const file = fields(item)
    const name = file?.['File']
    if (file === null || typeof name !== 'string') {
      problems.add(`${at}[${i}]`, 'a file with its name', item)
      return
    }
    const kinds = new Map<string, KindBuilder>()
    const kindOf = (row: Fields): KindBuilder | null => {
      const kind = row['Type']
      if (typeof kind !== 'string' || kind === '') return null
      let builder = kinds.get(kind)
      if (builder === undefined) kinds.set(kind, (builder = new KindBuilder(kind)))
      return builder
    }
    listOf(file['Recent']).forEach((event, row) => {
      const event_ = fields(event)
      const builder = event_ === null ? null : kindOf(event_)
      if (event_ === null || builder === null || !builder.addEvent(event_))
        problems.add(`${at}[${i}].Recent[${row}]`, 'an event with Type, Start, Duration and a size', event)
    })
    listOf(file['History']).forEach((rollUp, row) => {
      const rollUp_ = fields(rollUp)
      const builder = rollUp_ === null ? null : kindOf(rollUp_)
      if (rollUp_ === null || builder === null || !builder.addRollUp(rollUp_))
        problems.add(`${at}[${i}].History[${row}]`, 'a roll-up with Type, Start, End, Size and durations', rollUp)
    })
    const status = typeof file['Status'] === 'string' ? file['Status'] : null
    rows.push({ name, status, kinds: Array.from(kinds.values(), (builder) => builder.result()) })
  })
  return rows
}

class KindBuilder {
  readonly #kind: string
  readonly #events: number[] = []
  readonly #rollUps: IoRollUpRow[] = []

  constructor(kind: string) {
    this.#kind = kind
  }

  /** False: the row makes no sense. A compression tells `OriginalSize` where others tell `Size`. */
  addEvent(row: Fields): boolean {
    const start = timeOf(row['Start'])
    const duration = spanOf(row['Duration'])
    const size = bytesOf(row['Size'] ?? row['OriginalSize'])
    if (Number.isNaN(start) || Number.isNaN(duration) || Number.isNaN(size)) return false
    const compressed = bytesOf(row['CompressedSize'])
    const acceleration = bytesOf(row['Acceleration'])
    const fileSize = bytesOf(row['FileSize'])
    // Live deltas carry 0 for what they leave out: nothing compresses to nothing, and LZ4 has no level 0.
    this.#events.push(
      start,
      duration,
      size,
      0,
      orUnknown(fileSize),
      orUnknown(compressed, 1),
      orUnknown(acceleration, 1),
    )
    return true
  }

  addRollUp(row: Fields): boolean {
    const startTicks = timeOf(row['Start'])
    const endTicks = timeOf(row['End'])
    const sizeBytes = bytesOf(row['Size'])
    const busyTicks = spanOf(row['ActiveDuration'])
    const minTicks = spanOf(row['MinDuration'])
    const maxTicks = spanOf(row['MaxDuration'])
    if ([startTicks, endTicks, sizeBytes, busyTicks, minTicks, maxTicks].some(Number.isNaN) || endTicks < startTicks)
      return false
    this.#rollUps.push({ startTicks, endTicks, sizeBytes, busyTicks, minTicks, maxTicks })
    return true
  }

  result(): IoKindRows {
    const length = this.#events.length / IO_COLUMNS
    const columns = Array.from({ length: IO_COLUMNS }, (_, column) => {
      const values = new Float64Array(length)
      for (let row = 0; row < length; row++) values[row] = this.#events[row * IO_COLUMNS + column] as number
      return values
    })
    return { kind: this.#kind, events: { columns, length }, rollUps: this.#rollUps }
  }
}

class ProblemCount {
  #count = 0
  #first: string | null = null

  add(path: string, expected: string, got: unknown): void {
    this.#count++
    this.#first ??= `${path}: expected ${expected}, got ${describe(got)}`
  }

  result(): IoProblems {
    return { count: this.#count, first: this.#first }
  }
}

const timeOf = (value: unknown): number => (typeof value === 'string' ? parseTicks(value) : Number.NaN)

/** Milliseconds of the wire → ticks; NaN for what is no length of time. */
const spanOf = (value: unknown): TickSpan =>
  typeof value === 'number' && value >= 0 && value <= MAX_SPAN_MS ? spanFromMs(value) : (Number.NaN as TickSpan)

const bytesOf = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && Number.isSafeInteger(value) ? value : Number.NaN

const orUnknown = (value: number, least = 0): number => (value >= least ? value : -1)

const fields = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function describe(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

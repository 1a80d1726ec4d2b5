import { keyHash, type JsonBytes, CLOSE_OBJECT, OPEN_OBJECT } from '../../../../base/json/json-bytes.ts'
import { shortText } from '../../../../base/json/short-text.ts'
import { TickReader } from '../../../../base/json/json-ticks.ts'
import type { Rule } from '../../../../base/json/json-walk.ts'
import { keys } from '../../../../base/json/json-walk.ts'
import { quotedBytes, quotedMs } from '../../../../base/json/quoted-number.ts'
import { readWhole } from '../../../../base/json/read-whole.ts'
import { formatTicks, spanFromMs, type Ticks } from '../../../../base/ticks.ts'
import { EventColumns } from './event-columns.ts'
import { gapReader, type ReadGap } from './gap-reader.ts'
import { EventRuns } from './event-runs.ts'
import { mergerReader, type ReadMerger } from './merger-reader.ts'
import { rollUpOf } from './roll-up-of.ts'
import type { IoDocument, IoFileRows, IoKindRows, IoRollUpRow } from './wire.ts'
import { MAX_SPAN_MS, NO_SIZE } from './wire.ts'

/**
 * Number of rows of one file and kind after which they are passed on before the list ends, so that the picture grows
 * while bytes arrive.
 */
const FLUSH_ROWS = 4096

/** Shared by all readers; see `EventRuns`. */
const runs = EventRuns.create()

/** Maximum number of kinds of one file whose columns are kept for the next file; a server has five. */
const MOST_KINDS = 16

const START = keyHash('Start')
const END = keyHash('End')
const SIZE = keyHash('Size')
const ORIGINAL_SIZE = keyHash('OriginalSize')
const FILE_SIZE = keyHash('FileSize')
const COMPRESSED_SIZE = keyHash('CompressedSize')
const ACCELERATION = keyHash('Acceleration')
const DURATION = keyHash('Duration')
const ACTIVE_DURATION = keyHash('ActiveDuration')
const MIN_DURATION = keyHash('MinDuration')
const MAX_DURATION = keyHash('MaxDuration')
const TYPE = keyHash('Type')

/** Receives what was read of one file of an environment; may be called several times per file. */
export type TakeDocument = (document: IoDocument) => void
export type OnProblem = (at: number, expected: string) => void

/** Fields of an event or a roll-up in the bytes. NaN: missing, or not a number. The object is reused. */
class Fields {
  start = Number.NaN
  /** Value of `Start` where it is not a time. */
  startText = ''
  end = Number.NaN
  size = Number.NaN
  originalSize = Number.NaN
  fileSize = Number.NaN
  compressed = Number.NaN
  acceleration = Number.NaN
  duration = Number.NaN
  active = Number.NaN
  min = Number.NaN
  max = Number.NaN
  kind: KindRows | null = null

  clear(): void {
    this.start = Number.NaN
    this.startText = ''
    this.end = Number.NaN
    this.size = Number.NaN
    this.originalSize = Number.NaN
    this.fileSize = Number.NaN
    this.compressed = Number.NaN
    this.acceleration = Number.NaN
    this.duration = Number.NaN
    this.active = Number.NaN
    this.min = Number.NaN
    this.max = Number.NaN
    this.kind = null
  }
}

/** Rows of one kind in one file that were read and not yet passed on. */
class KindRows {
  readonly kind: string
  /** Name of the kind as bytes, with quotes, to recognise it without creating a string. */
  readonly raw: Uint8Array
  readonly events = new EventColumns()
  rollUps: IoRollUpRow[] = []

  constructor(kind: string, raw: Uint8Array) {
    this.kind = kind
    this.raw = raw.slice()
  }

  get isEmpty(): boolean {
    return this.events.length === 0 && this.rollUps.length === 0
  }

  /** Rows that can be passed on; the columns are valid only until the next change. Null: there are none. */
  show(all: boolean): IoKindRows | null {
    const events = this.events.show(all)
    const { rollUps } = this
    return events.length === 0 && rollUps.length === 0 ? null : { kind: this.kind, events, rollUps }
  }

  drop({ events }: IoKindRows): void {
    this.events.drop(events.length)
    this.rollUps = []
  }
}

/**
 * Reads I/O metrics from bytes, in any of their forms: a response of `debug/io-metrics`, consecutive frames of its live
 * socket, the export of the official Studio (the same file repeated once per frame), or a list of such documents. An
 * event whose size is invalid is kept without a size, a roll-up without each figure that is invalid, which is counted; a
 * row without a valid time is left out and counted; an unknown kind or status is kept by its name. Gaps are reported if the document is one of our exports that contains some.
 * Shape: `{Environments:[{Path, Type, Files:[{File, Status, Recent[], History[]}]}], Performances:[{Recent[]}]}`.
 * Source: endpoints `/databases/{name}/debug/io-metrics` and `/admin/debug/io-metrics` as recorded on 5.4, 6.2 and 7.1.
 */
export function ioReader(
  take: TakeDocument,
  problem: OnProblem,
  takeGap: (gap: ReadGap) => void = () => undefined,
  takeMerger: (merger: ReadMerger) => void = () => undefined,
): { readonly rule: Rule; readonly salvage: () => void } {
  return new Decoder(take, problem, takeGap, takeMerger)
}

/** Reads one response or frame; any other document is reported as a problem. */
export function readIo(bytes: Uint8Array): IoDocument {
  const environments = new Map<string, { path: string; type: string; files: IoFileRows[] }>()
  let decoder: Decoder | null = null
  const take: TakeDocument = (document) => {
    for (const { path, type, files } of document.environments) {
      const known = environments.get(path) ?? { path, type, files: [] }
      known.type = type
      for (const { name, status, kinds } of files) known.files.push({ name, status, kinds: kinds.map(copied) })
      environments.set(path, known)
    }
  }
  const problems = readWhole(
    bytes,
    (problem) =>
      (decoder = new Decoder(
        take,
        problem,
        () => undefined,
        () => undefined,
      )),
  )
  const isOther = !(decoder as Decoder | null)?.hasEnvironments
  return {
    environments: [...environments.values()],
    problems: isOther
      ? { count: null, first: problems.first ?? '$.Environments: expected a list of environments' }
      : problems,
  }
}

class Decoder {
  readonly rule: Rule
  /** Whether a list of environments was found, even an empty one. */
  hasEnvironments = false
  readonly #take: TakeDocument
  readonly #problem: OnProblem
  readonly #ticks = new TickReader()
  readonly #fields = new Fields()
  /** Path of the database's documents in the current document. */
  #documentsPath: string | null = null
  #path: string | null = null
  #type: string | null = null
  #file: string | null = null
  #status: string | null = null
  /** All kinds seen so far, so that their columns can be reused for the next file. */
  #kinds: KindRows[] = []
  /** Files that ended before the path of their environment was known. */
  #waiting: { name: string; status: string | null; kinds: IoKindRows[] }[] = []

  constructor(
    take: TakeDocument,
    problem: OnProblem,
    takeGap: (gap: ReadGap) => void,
    takeMerger: (merger: ReadMerger) => void,
  ) {
    this.#take = take
    this.#problem = problem
    const text = (set: (value: string) => void): Rule => ({
      kind: 'value',
      take: (value) => {
        if (typeof value === 'string') set(value)
      },
    })
    const file: Rule = {
      kind: 'object',
      begin: () => this.#beginFile(),
      end: () => this.#endFile(),
      keys: keys({
        File: text((name) => (this.#file = name)),
        Status: text((status) => (this.#status = status)),
        Recent: { kind: 'records', read: (json) => this.#readEvent(json) },
        History: { kind: 'records', read: (json) => this.#readRollUp(json) },
      }),
    }
    const environment: Rule = {
      kind: 'object',
      begin: () => {
        this.#path = null
        this.#type = null
        this.#waiting = []
      },
      end: () => this.#endEnvironment(),
      keys: keys({
        Path: text((path) => (this.#path = path)),
        Type: text((type) => (this.#type = type)),
        Files: { kind: 'list', item: file },
      }),
    }
    const met = (): void => {
      this.hasEnvironments = true
    }
    const merger = mergerReader(problem)
    const document: Rule = {
      kind: 'object',
      begin: () => (this.#documentsPath = null),
      end: () => {
        const taken = merger.taken()
        if (taken !== null && this.#documentsPath !== null) takeMerger({ path: this.#documentsPath, ...taken })
      },
      keys: keys({
        Environments: { kind: 'list', item: environment, begin: met },
        Performances: merger.rule,
        Gaps: gapReader(takeGap, problem),
      }),
    }
    this.rule = { kind: 'either', object: document, list: { kind: 'list', item: document } }
  }

  #beginFile(): void {
    this.#file = null
    this.#status = null
    this.#forget()
  }

  #endFile(): void {
    this.#flush(true)
    this.#forget()
  }

  /** Drops rows that could not be passed on, and the kinds if there are more of them than a server has. */
  #forget(): void {
    if (this.#kinds.length > MOST_KINDS || this.#kinds.some(({ isEmpty }) => !isEmpty)) this.#kinds = []
  }

  #endEnvironment(): void {
    if (this.#type === 'Documents') this.#documentsPath ??= this.#path
    if (this.#path === null && this.#waiting.length > 0) this.#problem(-1, 'an environment with its Path')
    if (this.#path !== null) this.#hand(this.#waiting)
    this.#waiting = []
  }

  /** Passes on the rows of the current file, if its name is known. */
  #flush(isOver: boolean): void {
    if (this.#file === null) {
      if (isOver && this.#kinds.some(({ isEmpty }) => !isEmpty)) this.#problem(-1, 'a file with its name')
      return
    }
    if (!isOver && this.#path === null) return
    const shown = this.#kinds.flatMap((from) => {
      const rows = from.show(isOver)
      return rows === null ? [] : [{ from, rows }]
    })
    if (shown.length === 0 && !isOver) return
    const file = { name: this.#file, status: this.#status, kinds: shown.map(({ rows }) => rows) }
    if (this.#path === null) this.#waiting.push({ ...file, kinds: file.kinds.map(copied) })
    else this.#hand([file])
    for (const { from, rows } of shown) from.drop(rows)
  }

  #hand(files: readonly { name: string; status: string | null; kinds: readonly IoKindRows[] }[]): void {
    if (this.#path === null) return
    this.#take({
      environments: [{ path: this.#path, type: this.#type ?? 'Unknown', files }],
      problems: { count: 0, first: null },
    })
  }

  /** Passes on what was read of an environment that is truncated. */
  readonly salvage = (): void => {
    this.#flush(true)
    this.#endEnvironment()
  }

  /** Returns the number of events that were read. */
  #readEvent(json: JsonBytes): number {
    const count = runs?.run(json, this.#kinds) ?? 0
    if (count > 0) {
      if (this.#kinds.some(({ events }) => events.ready >= FLUSH_ROWS)) this.#flush(false)
      return count
    }
    const from = json.pos
    const { bytes } = json
    this.#readEventSlowly(json)
    // A truncated record threw before this point, and is read again from its beginning.
    runs?.learn(bytes, from, json.pos)
    return 1
  }

  #readEventSlowly(json: JsonBytes): void {
    const at = json.at
    const fields = this.#readFields(json)
    const size = fields.size >= 0 ? fields.size : fields.originalSize
    const { kind } = fields
    const isPlaced =
      kind !== null && !Number.isNaN(fields.start) && fields.duration >= 0 && fields.duration <= MAX_SPAN_MS
    if (!isPlaced) {
      this.#problem(at, `an event with Type, Start and Duration, got ${describe(fields)}`)
      return
    }
    const hasSize = size >= 0 && Number.isSafeInteger(size)
    const isReported = Number.isSafeInteger(fields.fileSize) && fields.fileSize >= 0
    const fileSize = hasSize ? (isReported ? fields.fileSize : -1) : NO_SIZE
    const compressed = Number.isSafeInteger(fields.compressed) && fields.compressed >= 1 ? fields.compressed : -1
    const acceleration =
      Number.isSafeInteger(fields.acceleration) && fields.acceleration >= 1 ? fields.acceleration : -1
    kind.events.add(fields.start, spanFromMs(fields.duration), hasSize ? size : 0, fileSize, compressed, acceleration)
    if (kind.events.ready >= FLUSH_ROWS) this.#flush(false)
  }

  #readRollUp(json: JsonBytes): void {
    const at = json.at
    const fields = this.#readFields(json)
    const { kind } = fields
    const { rollUp, unknown } = rollUpOf(fields)
    const expected =
      kind === null || rollUp === null
        ? 'a roll-up with Type, Start, End, Size and durations'
        : `a valid ${unknown.join(', ')} of a roll-up, which is kept without`
    if (kind === null || rollUp === null || unknown.length > 0)
      this.#problem(at, `${expected}, got ${describeSum(fields)}`)
    if (rollUp !== null) kind?.rollUps.push(rollUp)
  }

  /** Reads a small object, from `{` to behind `}`. A field of the wrong type counts as missing. */
  #readFields(json: JsonBytes): Fields {
    const fields = this.#fields
    fields.clear()
    json.expect(OPEN_OBJECT)
    if (json.take(CLOSE_OBJECT)) return fields
    do {
      const key = json.keyHash()
      if (key === START) this.#readStart(json, fields)
      else if (key === SIZE) fields.size = json.takeNumber(quotedBytes)
      else if (key === FILE_SIZE) fields.fileSize = json.takeNumber(quotedBytes)
      else if (key === DURATION) fields.duration = json.takeNumber(quotedMs)
      else if (key === TYPE) fields.kind = this.#kindOf(json)
      else if (key === ORIGINAL_SIZE) fields.originalSize = json.takeNumber(quotedBytes)
      else if (key === COMPRESSED_SIZE) fields.compressed = json.takeNumber(quotedBytes)
      else if (key === ACCELERATION) fields.acceleration = json.takeNumber()
      else if (key === END) fields.end = this.#ticks.read(json)
      else if (key === ACTIVE_DURATION) fields.active = json.takeNumber(quotedMs)
      else if (key === MIN_DURATION) fields.min = json.takeNumber(quotedMs)
      else if (key === MAX_DURATION) fields.max = json.takeNumber(quotedMs)
      else json.skipSmall()
    } while (json.next(CLOSE_OBJECT))
    return fields
  }

  #readStart(json: JsonBytes, fields: Fields): void {
    const from = json.pos
    fields.start = this.#ticks.read(json)
    if (Number.isNaN(fields.start)) fields.startText = shortText(json.bytes.subarray(from, json.pos))
  }

  #kindOf(json: JsonBytes): KindRows | null {
    if (!json.atText) {
      json.skipSmall()
      return null
    }
    const start = json.pos
    const name = json.text()
    if (name === '') return null
    const known = this.#kinds.find(({ kind }) => kind === name)
    if (known !== undefined) return known
    const made = new KindRows(name, json.bytes.subarray(start, json.pos))
    this.#kinds.push(made)
    return made
  }
}

const textOf = (value: number): string => (Number.isNaN(value) ? 'none' : String(value))

/** Describes an event that cannot be kept, by the fields that it has. */
function describe({ kind, start, startText, duration }: Fields): string {
  const type = kind === null ? 'no Type' : kind.kind
  const at = Number.isNaN(start) ? (startText === '' ? 'no Start' : `Start ${startText}`) : formatTicks(start as Ticks)
  return `${type}, ${at}, ${Number.isNaN(duration) ? 'no Duration' : `${duration} ms`}`
}

/** Describes a roll-up of which not everything can be kept. */
function describeSum(fields: Fields): string {
  const { size, active, min, max } = fields
  return `${describe(fields)}, Size ${textOf(size)}, durations ${[active, min, max].map(textOf).join(', ')}`
}

const copied = ({ kind, events, rollUps }: IoKindRows): IoKindRows => ({
  kind,
  events: { columns: events.columns.map((column) => column.slice()), length: events.length },
  rollUps,
})

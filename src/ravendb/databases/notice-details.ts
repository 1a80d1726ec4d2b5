import { parseTicks, type Ticks } from '../../base/ticks.ts'

/* The details of alerts and performance hints. Each kind has a shape of its own; what they share is that records lie in them. */

/** Unit of a value: `bytes`, `bytesPerSecond`, `ms` for a duration, `time` in ticks, a number or a text. */
export type NoticeUnit = 'text' | 'count' | 'bytes' | 'bytesPerSecond' | 'ms' | 'time'

export interface NoticeValue {
  readonly unit: NoticeUnit
  /** A text for `text`, else a number, which may have a fraction. */
  readonly value: string | number
}

export interface NoticeField {
  readonly name: string
  readonly value: NoticeValue
}

export interface NoticeDetails {
  /** Fields outside of the records. */
  readonly facts: readonly NoticeField[]
  /** Column headings; empty: there are no records. */
  readonly columns: readonly string[]
  /** A value for each column; null: missing in this record. */
  readonly rows: readonly (readonly (NoticeValue | null)[])[]
  /** Number of records that are left out. */
  readonly more: number
}

const MOST_ROWS = 50
const MOST_FACTS = 50
const MOST_CHARACTERS = 400
const MOST_FACT_CHARACTERS = 8000
/** Maximum depth, which no known notification reaches. */
const DEEPEST = 6

/** Meaning of the keys of a dictionary, by the dictionary's name; other keys take that name. */
const KEYS: Readonly<Record<string, string>> = {
  HugeDocuments: 'Document',
  Actions: 'Action',
  RequestLatencies: 'Request',
  Writes: 'File',
  Warnings: 'Index',
  Top10LoadedReferences: 'Document',
}

const MEBIBYTE = 1024 * 1024
type Scale = readonly [suffix: RegExp, unit: NoticeUnit, factor: number]

/** Units by the server's field names. Its megabytes have 1024 × 1024 bytes. */
const SCALES: readonly Scale[] = [
  [/InMbPerSec$/, 'bytesPerSecond', MEBIBYTE],
  [/InMb$/, 'bytes', MEBIBYTE],
  [/InBytes$/, 'bytes', 1],
  [/^(?=Size$)/, 'bytes', 1],
  [/InSec(?:onds)?$/, 'ms', 1000],
  [/In(?:Ms|Milliseconds)$/, 'ms', 1],
  [/^(?=Duration$)/, 'ms', 1],
]
/** Value of a page size when a request gives none. */
const UNLIMITED = 2_147_483_647

/** Splits `NumberOfResults` into `Number of results`. */
function spaced(name: string): string {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
  return words.slice(0, 1) + words.slice(1).toLowerCase()
}

type Scalar = string | number | boolean | null
const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null

/** Field to show; null: it is empty. */
function fieldOf(field: string, value: Scalar, most: number): NoticeField | null {
  if (value === null || value === '') return null
  if (typeof value === 'number') {
    if (value === UNLIMITED && field === 'PageSize')
      return { name: spaced(field), value: { unit: 'text', value: 'no limit' } }
    const scale = SCALES.find(([suffix]) => suffix.test(field))
    if (scale === undefined) return { name: spaced(field), value: { unit: 'count', value } }
    const [suffix, unit, factor] = scale
    return { name: spaced(field.replace(suffix, '')), value: { unit, value: value * factor } }
  }
  const text = String(value)
  const ticks: Ticks = parseTicks(text)
  return {
    name: spaced(field),
    value: Number.isNaN(ticks) ? { unit: 'text', value: text.slice(0, most) } : { unit: 'time', value: ticks },
  }
}

type Row = ReadonlyMap<string, NoticeValue>

/** Collects records; counts those beyond the maximum. */
class Records {
  readonly rows: Row[] = []
  #count = 0

  get more(): number {
    return this.#count - this.rows.length
  }

  add(row: Row): void {
    this.#count += 1
    if (this.rows.length < MOST_ROWS) this.rows.push(row)
  }
}

const entriesOf = (value: object): [string, unknown][] => Object.entries(value).filter(([name]) => name !== '$type')

const isKnown = (row: Row, { unit, value }: NoticeValue): boolean =>
  unit === 'text' && [...row.values()].some((known) => known.unit === 'text' && known.value === value)

function withFields(row: Row, fields: readonly [string, unknown][]): Row {
  const all = new Map(row)
  for (const [name, value] of fields) {
    const field = isScalar(value) ? fieldOf(name, value, MOST_CHARACTERS) : null
    // Skips the `Id` of a document in a list by id, and the `Path` of a file in a list by path.
    if (field !== null && !isKnown(row, field.value)) all.set(field.name, field.value)
  }
  return all
}

/** Reads a record, or a dictionary of records within one. */
function readRecord(value: object, row: Row, depth: number, into: Records): void {
  const fields = entriesOf(value)
  const nested = fields.filter(([, part]) => !isScalar(part))
  const all = withFields(row, fields)
  if (nested.length === 0) into.add(all)
  else for (const [name, part] of nested) readContainer(name, part as object, all, depth + 1, into)
}

/** Reads a list of records, or records by key. */
function readContainer(name: string, container: object, row: Row, depth: number, into: Records): void {
  if (depth > DEEPEST) return
  const title = (Object.hasOwn(KEYS, name) ? KEYS[name] : undefined) ?? spaced(name)
  const keyed = (key: string): Row => new Map(row).set(title, { unit: 'text', value: key.slice(0, MOST_CHARACTERS) })
  const readAll = (values: readonly unknown[], of: Row): void => {
    for (const value of values) {
      if (!isScalar(value)) readRecord(value as object, of, depth, into)
      else if (value !== null) into.add(keyed(String(value)))
    }
  }
  if (Array.isArray(container)) return readAll(container, row)
  for (const [key, value] of entriesOf(container)) {
    if (Array.isArray(value)) readAll(value, keyed(key))
    else if (!isScalar(value)) readRecord(value as object, keyed(key), depth, into)
    else {
      const field = fieldOf(key, value, MOST_CHARACTERS)
      if (field !== null)
        into.add(new Map(row).set(title, { unit: 'text', value: field.name }).set('Value', field.value))
    }
  }
}

/**
 * Reads `Details` of a notification as facts and a table of records; null: it has none. Bounded, whatever the server
 * sends.
 */
export function readNoticeDetails(details: unknown): NoticeDetails | null {
  if (details === null || details === undefined) return null
  if (isScalar(details)) {
    const field = fieldOf('Details', details, MOST_FACT_CHARACTERS)
    return field === null ? null : { facts: [field], columns: [], rows: [], more: 0 }
  }
  const fields = Array.isArray(details) ? [['Details', details] as [string, unknown]] : entriesOf(details)
  const facts = fields
    .flatMap(([name, value]) => (isScalar(value) ? (fieldOf(name, value, MOST_FACT_CHARACTERS) ?? []) : []))
    .slice(0, MOST_FACTS)
  const records = new Records()
  for (const [name, value] of fields) if (!isScalar(value)) readContainer(name, value as object, new Map(), 1, records)
  const { rows, more } = records
  if (facts.length === 0 && rows.length === 0) return null
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  return { facts, columns, rows: rows.map((row) => columns.map((column) => row.get(column) ?? null)), more }
}

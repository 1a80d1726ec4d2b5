import {
  type Data,
  Dictionary,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Struct,
  Schema,
  Field,
  Table,
  tableToIPC,
  Utf8,
  Vector,
} from 'apache-arrow'
import { COLUMNS, type Column, type TableRows, type Value } from '../../../../capture/archive/tables.ts'
import { EPOCH_TICKS } from '../../../../capture/archive/ticks.ts'
import type { TableName } from '../../../../capture/archive/manifest.ts'

/** Rows of one server. */
export interface NodeRows {
  readonly node: string
  readonly rows: TableRows
}

/** Encodes rows of a table, with their servers, as a stream of Arrow, which is little endian as every browser is. */
export function arrowOf(table: TableName, parts: readonly NodeRows[]): Uint8Array {
  const length = parts.reduce((sum, { rows }) => sum + rows.length, 0)
  const columns = COLUMNS[table].map((column) => [column.name, columnOf(column, parts, length)] as const)
  const nodes = textColumn(length, (put) => {
    for (const { node, rows } of parts) for (let i = 0; i < rows.length; i++) put(node)
  })
  const all = [...columns, ['node', nodes] as const]
  const schema = new Schema(all.map(([name, { type }]) => new Field(name, type, true)))
  const children = all.map(([, data]) => data)
  const batch = new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }))
  return tableToIPC(new Table([batch]), 'stream')
}

type Put = (value: Value | undefined) => void

function columnOf({ name, type }: Column, parts: readonly NodeRows[], length: number): Data {
  const each = (put: Put): void => {
    for (const { rows } of parts) {
      const values = rows.columns[name]
      for (let i = 0; i < rows.length; i++) put(values?.[i])
    }
  }
  if (type === 'text') return textColumn(length, each)
  if (type === 'json') return utf8(collect(length, each))
  return type === 'number' ? numberColumn(length, each) : wholeColumn(length, each, type === 'ticks')
}

function collect(length: number, each: (put: Put) => void): (string | null)[] {
  const values = Array.from<string | null>({ length })
  let at = 0
  each((value) => (values[at++] = value === null || value === undefined ? null : String(value)))
  return values
}

/** Marks of the values that are not null, a bit each. */
class Known {
  readonly bits: Uint8Array
  nulls = 0

  constructor(length: number) {
    this.bits = new Uint8Array((length + 7) >> 3)
  }

  set(at: number, isKnown: boolean): void {
    if (isKnown) this.bits[at >> 3] = (this.bits[at >> 3] ?? 0) | (1 << (at & 7))
    else this.nulls++
  }

  get buffers(): { readonly nullCount: number; readonly nullBitmap: Uint8Array | null } {
    return { nullCount: this.nulls, nullBitmap: this.nulls === 0 ? null : this.bits }
  }
}

/** Texts, each different one once: most repeat. */
function textColumn(length: number, each: (put: Put) => void): Data {
  const places = new Map<string, number>()
  const indexes = new Int32Array(length)
  const known = new Known(length)
  let at = 0
  let lastText: string | undefined
  let lastPlace = 0
  each((value) => {
    const isKnown = value !== null && value !== undefined
    if (isKnown && value !== lastText) {
      lastText = String(value)
      lastPlace = places.get(lastText) ?? places.size
      places.set(lastText, lastPlace)
    }
    known.set(at, isKnown)
    indexes[at++] = isKnown ? lastPlace : 0
  })
  const dictionary = new Vector([utf8([...places.keys()])])
  return makeData({
    type: new Dictionary(new Utf8(), new Int32()),
    length,
    ...known.buffers,
    data: indexes,
    dictionary,
  })
}

const encoder = new TextEncoder()

function utf8(values: readonly (string | null)[]): Data<Utf8> {
  const { length } = values
  const known = new Known(length)
  const encoded = values.map((value, at) => {
    known.set(at, value !== null)
    return value === null ? null : encoder.encode(value)
  })
  const valueOffsets = new Int32Array(length + 1)
  let total = 0
  for (const [at, bytes] of encoded.entries()) valueOffsets[at + 1] = total += bytes?.length ?? 0
  const data = new Uint8Array(total)
  for (const [at, bytes] of encoded.entries()) if (bytes !== null) data.set(bytes, valueOffsets[at])
  return makeData({ type: new Utf8(), length, ...known.buffers, valueOffsets, data })
}

function numberColumn(length: number, each: (put: Put) => void): Data {
  const data = new Float64Array(length)
  const known = new Known(length)
  let at = 0
  each((value) => {
    known.set(at, typeof value === 'number')
    data[at++] = Number(value)
  })
  return makeData({ type: new Float64(), length, ...known.buffers, data })
}

const HALF = 2 ** 32

/** Integers of 64 bits, written as two halves: an object for each would take most of the time. Ticks count from 1970. */
function wholeColumn(length: number, each: (put: Put) => void, isTicks: boolean): Data {
  const data = new BigInt64Array(length)
  const halves = new Int32Array(data.buffer)
  const known = new Known(length)
  const { low: lowOf, high: highOf } = isTicks ? EPOCH_TICKS : { low: 0, high: 0 }
  let at = 0
  each((value) => {
    const number = Number(value ?? Number.NaN)
    const isKnown = Number.isSafeInteger(number)
    known.set(at, isKnown)
    if (isKnown) {
      const high = Math.floor(number / HALF)
      const low = number - high * HALF + lowOf
      halves[2 * at] = low
      halves[2 * at + 1] = high + highOf + Number(low >= HALF)
    }
    at++
  })
  return makeData({ type: new Int64(), length, ...known.buffers, data })
}

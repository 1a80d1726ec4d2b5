import { DURATION, START } from '../../../base/columns/event-chunk.ts'
import { EventTable } from '../../../base/columns/event-table.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import { NumberSet } from '../../../base/columns/number-set.ts'
import { textHash } from '../../../base/text/text-hash.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IndexKey } from '../contract/batches.ts'
import type { BatchScratch } from './batches/batch.ts'

/** Columns after start, duration and size (bytes of documents; 0: not reported). −1: not reported, or not measured. */
export const ID = 3
export const DOCUMENTS_IN = 4
export const DOCUMENTS_OUT = 5
export const DOCUMENTS_FAILED = 6
export const DOCUMENTS_OK = 7
export const TOMBSTONES = 8
export const MANAGED = 9
export const UNMANAGED = 10
export const ALL_ALLOCATED = 11
export const CHECKED = 12
export const BUDGET = 13
export const PRIVATE = 14
export const WORKING_SET = 15
/** Id of the reason's text in `ReasonTexts`. */
export const REASON = 16
/** Handle of the operation tree in `TreeStore`. */
export const TREE = 17
/** Time that the batch waited for the limit of concurrently running indexes, ticks. */
export const WAIT = 18
/** 1: the bytes of documents were not reported. */
export const BYTES_UNKNOWN = 19
/** Number of operations that are counted as part of another one. */
export const LEFT_OUT = 20
export const BATCH_COLUMNS = 21

export const SHAPE = { columnCount: BATCH_COLUMNS, identity: [ID], fillable: [] }

/**
 * Classes of completed batches by how they ended. Each class has its own table, so that failed and empty batches are
 * counted without reading each one.
 */
export const CLASSES = ['worked', 'empty', 'failed', 'training'] as const
export type BatchClass = (typeof CLASSES)[number]

/** Number of pending rows at which they are merged into their table. */
const MERGE_ROWS = 1024
/** A batch that has not completed, as last reported. The server sends it again under the same id, which replaces it. */
export interface OpenBatch {
  readonly id: number
  readonly startTicks: number
  batch: BatchScratch
  /** Time of the last report; NaN: from a file. */
  reportedTicks: number
  /** Whether the batch is assumed never to complete. */
  isLost: boolean
}

/** Hashes of the names and batches of indexes beyond the limit, to recognise repeated reports. */
class FurtherIndexes {
  readonly names = new NumberSet()
  readonly batches = new NumberSet()
}

/** All batches of one index of one source. */
export class IndexTable {
  readonly key: IndexKey
  readonly source: SourceId
  readonly name: string
  /** Indexes that share this table; null: the table belongs to a single index. */
  readonly further: FurtherIndexes | null
  readonly tables: Readonly<Record<BatchClass, EventTable>> = {
    worked: new EventTable(SHAPE),
    empty: new EventTable(SHAPE),
    failed: new EventTable(SHAPE),
    training: new EventTable(SHAPE),
  }
  readonly open = new Map<string, OpenBatch>()
  readonly #pending: Record<BatchClass, PendingRows> = {
    worked: new PendingRows(),
    empty: new PendingRows(),
    failed: new PendingRows(),
    training: new PendingRows(),
  }
  /** Start of the newest completed batch; NaN: no batch has completed. */
  lastStartTicks = Number.NaN
  lastId = Number.NaN
  lastEndTicks = Number.NaN
  /** Time before which the server had dropped batches when it was first read; −Infinity: it had dropped none. */
  droppedBeforeTicks = Number.NEGATIVE_INFINITY

  constructor(source: SourceId, name: string, isOfFurther = false) {
    this.further = isOfFurther ? new FurtherIndexes() : null
    this.key = indexKey(source, name)
    this.source = source
    this.name = name
  }

  /**
   * `name` is the name of the batch's index; it differs from the table's name if the table combines several indexes.
   */
  has(kind: BatchClass, startTicks: number, id: number, name: string): boolean {
    if (this.further !== null) return this.further.batches.has(batchHash(name, startTicks, id))
    return this.#pending[kind].has(startTicks, id) || this.tables[kind].find(startTicks, [id]) !== -1
  }

  add(kind: BatchClass, row: Float64Array, name: string): void {
    this.further?.batches.add(batchHash(name, row[START] as number, row[ID] as number))
    const pending = this.#pending[kind]
    pending.add(row)
    if (pending.length >= MERGE_ROWS) this.#merge(kind)
    const [startTicks, durationTicks, id] = [row[START] as number, row[DURATION] as number, row[ID] as number]
    if (!(this.lastStartTicks >= startTicks)) {
      this.lastStartTicks = startTicks
      this.lastId = id
    }
    if (!(this.lastEndTicks >= startTicks + durationTicks)) this.lastEndTicks = startTicks + durationTicks
  }

  settle(): void {
    for (const kind of CLASSES) this.#merge(kind)
  }

  #merge(kind: BatchClass): void {
    const batch = this.#pending[kind].take()
    if (batch.length > 0) this.tables[kind].merge(batch, false)
  }

  get length(): number {
    return CLASSES.reduce((sum, kind) => sum + this.tables[kind].length, 0)
  }

  /** Start of the first batch; NaN: there is no batch. */
  get firstTicks(): number {
    let first = Number.POSITIVE_INFINITY
    for (const kind of CLASSES) if (this.tables[kind].length > 0) first = Math.min(first, this.tables[kind].firstTicks)
    for (const { startTicks } of this.open.values()) first = Math.min(first, startTicks)
    return Number.isFinite(first) ? first : Number.NaN
  }

  /** Latest end of any batch; NaN: there is no batch. */
  get endTicks(): number {
    let end = this.lastEndTicks
    for (const { startTicks, batch } of this.open.values()) {
      const openEnd = startTicks + spanFromMs(batch.durationMs)
      if (!(end >= openEnd)) end = openEnd
    }
    return end
  }

  get byteLength(): number {
    const further = (this.further?.names.byteLength ?? 0) + (this.further?.batches.byteLength ?? 0)
    return CLASSES.reduce((sum, kind) => sum + this.tables[kind].byteLength, further)
  }
}

const batchHash = (name: string, startTicks: number, id: number): number => textHash(name, `${id}:${startTicks}`)

export const indexKey = (source: SourceId, name: string): IndexKey => `${source}|${name}`

/** Rows that are not merged into their table yet, stored one after the other. */
class PendingRows {
  #rows = new Float64Array(0)
  #length = 0
  readonly #starts = new Map<number, number>()

  get length(): number {
    return this.#length
  }

  has(startTicks: number, id: number): boolean {
    return this.#starts.get(id) === startTicks
  }

  add(row: Float64Array): void {
    const at = this.#length * BATCH_COLUMNS
    if (at === this.#rows.length) {
      const rows = new Float64Array(Math.max(LEAST_PENDING * BATCH_COLUMNS, at * 2))
      rows.set(this.#rows)
      this.#rows = rows
    }
    this.#rows.set(row, at)
    this.#length++
    this.#starts.set(row[ID] as number, row[START] as number)
  }

  take(): { columns: Float64Array[]; length: number } {
    const length = this.#length
    if (length === 0) return { columns: [], length }
    const rows = this.#rows
    const columns = Array.from({ length: BATCH_COLUMNS }, (_, column) => {
      const values = new Float64Array(length)
      for (let row = 0; row < length; row++) values[row] = rows[row * BATCH_COLUMNS + column] as number
      return values
    })
    this.#rows = new Float64Array(0)
    this.#length = 0
    this.#starts.clear()
    return { columns, length }
  }
}

const LEAST_PENDING = 8

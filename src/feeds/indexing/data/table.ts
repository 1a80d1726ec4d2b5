import { Activities } from '../../../base/activity.ts'
import { DURATION, SIZE, START } from '../../../base/columns/event-chunk.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { BatchScratch } from './batches/batch.ts'
import { detailId } from './details.ts'
import { boundedName } from '../../../base/text/bounded-text.ts'
import { textHash } from '../../../base/text/text-hash.ts'
import { FURTHER_INDEXES, INDEX_LIMITS, REPLACEMENT, RING_BATCHES } from '../contract/limits.ts'
import { LoadStore } from './loads.ts'
import {
  ALL_ALLOCATED,
  BATCH_COLUMNS,
  BUDGET,
  BYTES_UNKNOWN,
  type BatchClass,
  CHECKED,
  CLASSES,
  DOCUMENTS_FAILED,
  DOCUMENTS_IN,
  DOCUMENTS_OK,
  DOCUMENTS_OUT,
  ID,
  IndexTable,
  LEFT_OUT,
  MANAGED,
  PRIVATE,
  REASON,
  TOMBSTONES,
  TREE,
  UNMANAGED,
  WAIT,
  WORKING_SET,
  indexKey,
} from './index-table.ts'
import { RingStore, ringLosses, type BatchLoss, type ReportedIndex } from './losses.ts'
import { isTraining, OperationNames } from './names.ts'
import type { IndexKey } from '../contract/batches.ts'
import { ReasonTexts } from './batches/reasons.ts'
import { newTreeView, TreeStore, type TreeView } from './trees.ts'

const MAP_CHECKED = detailId('MapDetails', 'CurrentlyAllocated')
const MAP_BUDGET = detailId('MapDetails', 'AllocationBudget')
const MAP_PRIVATE = detailId('MapDetails', 'ProcessPrivateMemory')
const MAP_WORKING_SET = detailId('MapDetails', 'ProcessWorkingSet')

/** Work of a batch that is not counted as documents. */
const WORK = [detailId('ReferenceDetails', 'ReferenceAttempts'), detailId('ReduceDetails', 'ReduceAttempts')]

/** Maximum number of batches of each index that did not complete. */
const MOST_OPEN = 256

export interface IngestResult {
  readonly added: number
  readonly losses: readonly BatchLoss[]
  /** Indexes that the document contains. */
  readonly indexes: readonly IndexKey[]
  /** Latest end of a batch in the document; NaN: it has no batch. */
  readonly newestTicks: number
  /** Whether the document has batches of a database load that was not known before. */
  readonly newLoad: boolean
}

/** Called for each new or changed batch, for budgets and their watch. `row` and `batch` are reused. */
export type OnBatch = (
  table: IndexTable,
  row: Float64Array,
  isOpen: boolean,
  reportedTicks: number,
  batch: BatchScratch,
) => void

/** All index batches that a capture holds. */
export class BatchStore {
  readonly indexes = new Map<IndexKey, IndexTable>()
  readonly names = new OperationNames()
  readonly reasons = new ReasonTexts()
  readonly trees = new TreeStore()
  readonly loads = new Map<SourceId, LoadStore>()
  readonly rings = new RingStore()
  readonly activity = new Activities()
  readonly view: TreeView = newTreeView()
  onBatch: OnBatch = () => undefined
  /** Version of the contents; increases with each change. */
  version = 0
  readonly #row = new Float64Array(BATCH_COLUMNS)

  /** Table of the index; beyond `INDEX_LIMITS`, the shared table of the further indexes of its source. */
  index(source: SourceId, name: string): IndexTable {
    const kept = boundedName(name)
    const known = kept === FURTHER_INDEXES ? undefined : this.indexes.get(indexKey(source, kept))
    if (known !== undefined) return known
    const isFurther = kept === FURTHER_INDEXES || this.indexes.size >= INDEX_LIMITS.indexes
    const own = isFurther ? FURTHER_INDEXES : kept
    const key = indexKey(source, own)
    const table = this.indexes.get(key) ?? new IndexTable(source, own, isFurther)
    table.further?.names.add(textHash(name))
    this.indexes.set(key, table)
    return table
  }

  loadsOf(source: SourceId): LoadStore {
    let book = this.loads.get(source)
    if (book === undefined) this.loads.set(source, (book = new LoadStore()))
    return book
  }

  /**
   * Begins a document of a source. `reportedTicks`: time of the report by the server's clock; NaN: from a file.
   * `knownTicks`: time up to which all batches are known with this document.
   */
  begin(source: SourceId, reportedTicks: number, knownTicks = reportedTicks): Ingest {
    return new Ingest(this, source, reportedTicks, knownTicks)
  }

  /** Converts a batch to columns without storing it or its tree. The returned array is reused. */
  rowOf(batch: BatchScratch): Float64Array {
    const row = this.#row
    const reported = (value: number): number => (Number.isNaN(value) ? -1 : value)
    const measured = (field: number): number => {
      const value = batch.detail(field)
      return value > 0 ? value : -1
    }
    row[START] = batch.startTicks
    row[DURATION] = spanFromMs(batch.durationMs)
    row[SIZE] = Number.isNaN(batch.bytes) ? 0 : batch.bytes
    row[ID] = batch.id
    row[DOCUMENTS_IN] = reported(batch.documentsIn)
    row[DOCUMENTS_OUT] = reported(batch.documentsOut)
    row[DOCUMENTS_FAILED] = reported(batch.documentsFailed)
    row[DOCUMENTS_OK] = reported(batch.documentsSucceeded)
    row[TOMBSTONES] = reported(batch.tombstones)
    row[MANAGED] = reported(batch.managedBytes)
    row[UNMANAGED] = reported(batch.unmanagedBytes)
    row[ALL_ALLOCATED] = reported(batch.totalAllocatedBytes)
    row[CHECKED] = measured(MAP_CHECKED)
    row[BUDGET] = measured(MAP_BUDGET)
    row[PRIVATE] = measured(MAP_PRIVATE)
    row[WORKING_SET] = measured(MAP_WORKING_SET)
    row[REASON] = this.reasons.intern(batch.reason)
    row[TREE] = -1
    row[WAIT] = this.#waitOf(batch)
    row[BYTES_UNKNOWN] = Number.isNaN(batch.bytes) ? 1 : 0
    row[LEFT_OUT] = batch.leftOut
    return row
  }

  #waitOf({ paths, nodeTicks, nodes }: BatchScratch): number {
    let wait = 0
    for (let i = 0; i < nodes; i++)
      if (this.names.family(this.names.pathName[paths[i] as number] as number) === 'wait')
        wait += nodeTicks[i] as number
    return wait
  }

  get byteLength(): { readonly tables: number; readonly other: number } {
    let tables = this.trees.byteLength
    for (const table of this.indexes.values()) tables += table.byteLength
    return { tables, other: this.activity.byteLength + this.names.byteLength + this.reasons.byteLength }
  }
}

/**
 * Class of a completed batch. The first pass of a new Corax index trains its dictionary: it counts documents in and
 * failed, but indexes none. A batch is empty if it had no documents in or out, no tombstones, and no work on references
 * or reducing.
 */
export function classOf(row: Float64Array, batch: BatchScratch, names: OperationNames): BatchClass {
  if (isTraining(batch, names)) return 'training'
  if ((row[DOCUMENTS_FAILED] as number) > 0) return 'failed'
  const isIdle =
    row[DOCUMENTS_IN] === 0 &&
    (row[DOCUMENTS_OUT] as number) <= 0 &&
    (row[TOMBSTONES] as number) <= 0 &&
    !WORK.some((field) => batch.detail(field) > 0)
  return isIdle ? 'empty' : 'worked'
}

/** A document that is being added to the store. */
export class Ingest {
  readonly #store: BatchStore
  readonly #source: SourceId
  readonly #reportedTicks: number
  readonly #knownTicks: number
  readonly #reported = new Map<string, ReportedIndex>()
  #added = 0
  #newestTicks = Number.NaN
  #newLoad = false

  constructor(store: BatchStore, source: SourceId, reportedTicks: number, knownTicks: number) {
    this.#store = store
    this.#source = source
    this.#reportedTicks = reportedTicks
    this.#knownTicks = knownTicks
  }

  readonly take = (name: string, batch: BatchScratch): void => {
    const store = this.#store
    const reported = this.#reportedOf(name)
    const { table } = reported
    const { id, startTicks } = batch
    const row = store.rowOf(batch)
    const endTicks = startTicks + (row[DURATION] as number)
    if (store.loadsOf(this.#source).meet(id, startTicks)) this.#newLoad = true
    reported.count++
    if (startTicks < reported.oldestTicks) {
      reported.oldestTicks = startTicks
      reported.oldestId = id
    }
    if (startTicks >= reported.newestTicks) {
      reported.newestTicks = startTicks
      reported.newestId = id
    }
    if (startTicks <= reported.lastStartBefore) reported.knowsLast = true
    if (!(this.#newestTicks >= endTicks)) this.#newestTicks = endTicks
    const openKey = table.further === null ? `${id}:${startTicks}` : `${id}:${startTicks}:${textHash(name)}`
    if (reported.beside !== undefined) {
      reported.hasBeside ||= reported.beside.open.has(openKey) || hasCompleted(reported.beside, startTicks, id, name)
      // A batch that began under the name of a replacement continues under the new name; it is the same batch.
      reported.beside.open.delete(openKey)
      if (hasCompleted(reported.beside, startTicks, id, name)) return
    }
    if (!batch.isCompleted) {
      const known = table.open.get(openKey)
      if (known === undefined && hasCompleted(table, startTicks, id, name)) return
      if (known !== undefined && known.batch.durationMs > batch.durationMs) return
      const isLost = false
      table.open.set(openKey, { id, startTicks, batch: batch.copy(), reportedTicks: this.#reportedTicks, isLost })
      if (table.open.size > 2 * MOST_OPEN) dropOldestOpen(table)
      store.activity.of(table.source).add(startTicks, endTicks)
      store.onBatch(table, row, true, this.#reportedTicks, batch)
      return
    }
    table.open.delete(openKey)
    const kind = classOf(row, batch, store.names)
    if (table.has(kind, startTicks, id, name)) return
    row[TREE] = store.trees.add(batch)
    table.add(kind, row, name)
    store.activity.of(table.source).add(startTicks, endTicks)
    this.#added++
    store.onBatch(table, row, false, this.#reportedTicks, batch)
  }

  #reportedOf(name: string): ReportedIndex {
    let reported = this.#reported.get(name)
    if (reported === undefined) {
      const table = this.#store.index(this.#source, name)
      const isFurther = table.further !== null
      const further = isFurther ? this.#reported.get(table.name) : undefined
      if (further !== undefined) return further
      reported = {
        table,
        beside: isFurther ? undefined : this.#store.indexes.get(indexKey(this.#source, REPLACEMENT + name)),
        lastIdBefore: table.lastId,
        lastStartBefore: table.lastStartTicks,
        lastEndBefore: table.lastEndTicks,
        epochBefore: this.#store.loadsOf(this.#source).epochAt(table.lastStartTicks),
        count: 0,
        oldestId: Number.NaN,
        oldestTicks: Number.POSITIVE_INFINITY,
        knowsLast: false,
        hasBeside: false,
        newestId: Number.NaN,
        newestTicks: Number.NEGATIVE_INFINITY,
      }
      this.#reported.set(isFurther ? table.name : name, reported)
    }
    return reported
  }

  /**
   * Merges the remaining rows and finds losses. `whole`: the document is a whole response. Then a ring that does not
   * reach back to the known batches has overwritten some, and an index that the response lacks is gone.
   */
  end(whole: boolean): IngestResult {
    const { indexes, rings } = this.#store
    const loads = this.#store.loadsOf(this.#source)
    for (const { table } of this.#reported.values()) table.settle()
    const received = {
      source: this.#source,
      reportedTicks: this.#reportedTicks,
      knownTicks: this.#knownTicks,
      newestTicks: this.#newestTicks,
      newLoad: this.#newLoad,
    }
    // A file that lacks an index does not show that the index is gone.
    const isLive = !Number.isNaN(this.#reportedTicks)
    const receivedTicks = isLive ? rings.receivedTicks(this.#source) : null
    // Further indexes share one table, so that their rings are not known.
    const rung = new Map([...this.#reported].filter(([, { table }]) => table.further === null))
    const removed = whole && isLive ? rings.takeWhole(rung, received, indexes) : []
    const replaced = new Set(removed.map(({ index }) => index))
    for (const { table } of this.#reported.values()) dropOldestOpen(table)
    for (const { table, newestTicks } of rung.values()) loseSuperseded(table, newestTicks)
    if (whole) for (const reported of rung.values()) noteDropped(reported)
    const losses = whole
      ? ringLosses(
          [...rung.values()].filter(({ table }) => !replaced.has(table)),
          ({ key }) => ({
            goneTicks: rings.goneTicks(key),
            receivedTicks,
            knownTicks: isLive ? rings.knownTicks(this.#source, key) : null,
          }),
          loads,
          indexes.values(),
        )
      : []
    if (isLive) rings.take(rung, received)
    this.#store.version++
    return {
      added: this.#added,
      losses: [...losses, ...removed],
      indexes: Array.from(this.#reported.values(), ({ table }) => table.key),
      newestTicks: this.#newestTicks,
      newLoad: this.#newLoad,
    }
  }
}

const hasCompleted = (table: IndexTable, startTicks: number, id: number, name: string): boolean =>
  CLASSES.some((kind) => table.has(kind, startTicks, id, name))

/**
 * Marks open batches as lost if a newer one began: an index runs one batch at a time, so they will not be reported
 * again.
 */
function loseSuperseded(table: IndexTable, newestTicks: number): void {
  for (const open of table.open.values()) if (open.startTicks < newestTicks) open.isLost = true
}

/** Stores since when the batches of an index are known, if no earlier document had any: a full ring has lost others. */
function noteDropped({ table, lastStartBefore, oldestTicks, count }: ReportedIndex): void {
  if (!Number.isNaN(lastStartBefore) && oldestTicks >= table.droppedBeforeTicks) return
  // A batch may have begun while the ring was read.
  table.droppedBeforeTicks = count >= RING_BATCHES - 1 ? oldestTicks : Number.NEGATIVE_INFINITY
}

function dropOldestOpen(table: IndexTable): void {
  for (const key of table.open.keys()) {
    if (table.open.size <= MOST_OPEN) break
    table.open.delete(key)
  }
}

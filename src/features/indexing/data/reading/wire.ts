import { parseTicks, spanFromMs } from '../../../../base/ticks.ts'
import type { TakeBatch } from '../batch.ts'
import { BatchScratch, countOf, FURTHER_OPERATIONS, MOST_NODES } from '../batch.ts'
import { DETAIL_GROUPS, detailId } from '../details.ts'
import { MAX_SPAN_MS } from '../limits.ts'
import { MOST_NESTED, type OperationNames } from '../names.ts'

/** The document is not one of index batches at all. `path` is a JSON path. */
export class IndexingWireError extends Error {
  override readonly name = 'IndexingWireError'
  constructor(path: string, expected: string, got: unknown) {
    super(`${path}: expected ${expected}, got ${describe(got)}`)
  }
}

/** What could not be read: how many, and the first in words. */
export interface WireProblems {
  readonly count: number
  readonly first: string | null
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads an answer of `indexes/performance`, or a frame of its live socket, already parsed: each batch is handed to `take`
 * with the name of its index. A batch that makes no sense is left out and counted; a field that is missing or of another
 * kind is not reported.
 * Shape: `{Results:[{Name, Performance:[{Id, Started, Completed, DurationInMs, …, Details:{Name, DurationInMs,
 * Operations[], …Details}}]}]}`, the list alone, or a list of such documents.
 * Source: `/databases/{name}/indexes/performance` as recorded on 5.4, 6.2 and 7.1.
 * Throws `IndexingWireError` when it is another document.
 */
export function readBatchDocument(document: unknown, names: OperationNames, take: TakeBatch): WireProblems {
  const reader = new DocumentWalk(names, take)
  if (Array.isArray(document)) reader.list(document, '$')
  else {
    const results = fields(document)?.['Results']
    if (!Array.isArray(results)) throw new IndexingWireError('$.Results', 'a list of indexes', results)
    reader.list(results, '$.Results')
  }
  return { count: reader.count, first: reader.first }
}

class DocumentWalk {
  readonly #names: OperationNames
  readonly #take: TakeBatch
  readonly #batch = new BatchScratch()
  count = 0
  first: string | null = null

  constructor(names: OperationNames, take: TakeBatch) {
    this.#names = names
    this.#take = take
  }

  #problem(path: string, expected: string, got: unknown): void {
    this.count++
    this.first ??= `${path}: expected ${expected}, got ${describe(got)}`
  }

  list(items: readonly unknown[], path: string): void {
    items.forEach((item, i) => this.#item(item, `${path}[${i}]`))
  }

  #item(item: unknown, path: string): void {
    const index = fields(item)
    if (index === null) {
      this.#problem(path, 'an object', item)
      return
    }
    if (Array.isArray(index['Results'])) this.list(index['Results'], `${path}.Results`)
    const name = index['Name']
    const batches = index['Performance']
    if (!Array.isArray(batches)) return
    if (typeof name !== 'string') {
      if (batches.length > 0) this.#problem(path, 'an index with its name', name)
      return
    }
    batches.forEach((each: unknown, row) => {
      const batch = fields(each)
      const flaw = batch === null ? 'an object' : this.#read(batch)
      if (flaw !== null) this.#problem(`${path}.Performance[${row}]`, flaw, each)
      else this.#take(name, this.#batch)
    })
  }

  /** What it lacks; null: nothing. */
  #read(row: Fields): string | null {
    const batch = this.#batch
    batch.clear()
    batch.id = countOf(row['Id'])
    batch.startTicks = typeof row['Started'] === 'string' ? parseTicks(row['Started']) : Number.NaN
    batch.isCompleted = typeof row['Completed'] === 'string' && !Number.isNaN(parseTicks(row['Completed']))
    batch.durationMs = typeof row['DurationInMs'] === 'number' ? row['DurationInMs'] : Number.NaN
    batch.documentsIn = countOf(row['InputCount'])
    batch.documentsOut = countOf(row['OutputCount'])
    batch.documentsFailed = countOf(row['FailedCount'])
    batch.documentsSucceeded = countOf(row['SuccessCount'])
    batch.tombstones = countOf(row['TombstoneDeleteSuccesses'])
    batch.bytes = sizeOf(row['DocumentsSize'])
    batch.managedBytes = sizeOf(row['AllocatedManagedBytes'])
    batch.unmanagedBytes = sizeOf(row['AllocatedUnmanagedBytes'])
    batch.totalAllocatedBytes = sizeOf(row['AllocatedBytes'])
    const details = fields(row['Details'])
    if (details !== null) this.#node(details, -1)
    return batch.flaw
  }

  #node(operation: Fields, parent: number): void {
    const batch = this.#batch
    const name = operation['Name']
    const path = typeof name === 'string' ? this.#names.path(parent, this.#names.intern(name)) : -1
    if (path === -1) {
      batch.leftOut++
      return
    }
    const node = batch.addNode(path, nodeTicks(operation['DurationInMs']))
    for (const group of DETAIL_GROUPS) {
      const reported = fields(
        group === 'TreesReduceDetails' ? fields(operation['ReduceDetails'])?.[group] : operation[group],
      )
      if (reported === null) continue
      for (const [key, value] of Object.entries(reported)) {
        const field = detailId(group, key)
        const count = field === -1 ? Number.NaN : countOf(value)
        if (!Number.isNaN(count)) batch.details.push(node, field, count)
        if (key === 'BatchCompleteReason' && typeof value === 'string') takeReason(batch, group, value)
      }
    }
    const operations = operation['Operations']
    if (!Array.isArray(operations)) return
    let further = -1
    for (const each of operations as readonly unknown[]) {
      const child = fields(each)
      if (child === null) batch.leftOut++
      else if (batch.nodes < MOST_NODES) this.#node(child, path)
      else further = this.#fold(child, path, further)
    }
  }

  /** One operation beyond those that are kept apart, as part of node `further` (−1: not made yet), which is answered. */
  #fold(operation: Fields, parent: number, further: number): number {
    const batch = this.#batch
    batch.leftOut += countOperations(operation, 0)
    let node = further
    if (node === -1) {
      const path = this.#names.path(parent, this.#names.intern(FURTHER_OPERATIONS))
      if (path === -1) return -1
      node = batch.addNode(path, 0)
    }
    batch.nodeTicks[node] = (batch.nodeTicks[node] as number) + nodeTicks(operation['DurationInMs'])
    return node
  }
}

/** An operation and those inside of it. */
function countOperations(operation: Fields, nested: number): number {
  const inside = operation['Operations']
  if (!Array.isArray(inside) || nested >= MOST_NESTED) return 1
  return (inside as readonly unknown[]).reduce<number>((count, each) => {
    const child = fields(each)
    return child === null ? count : count + countOperations(child, nested + 1)
  }, 1)
}

/** The reason of Map counts; that of References only where Map has none. */
export function takeReason(batch: BatchScratch, group: string, reason: string): void {
  const isOfMap = group === 'MapDetails'
  if (batch.reason !== null && !(isOfMap && !batch.reasonIsOfMap)) return
  batch.reason = reason
  batch.reasonIsOfMap = isOfMap
}

/** A length of time of an operation; one that makes no sense counts as none, so that its children stay. */
export const nodeTicks = (ms: unknown): number =>
  typeof ms === 'number' && ms >= 0 && ms <= MAX_SPAN_MS ? spanFromMs(ms) : 0

const sizeOf = (value: unknown): number => countOf(fields(value)?.['SizeInBytes'])

const fields = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

function describe(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

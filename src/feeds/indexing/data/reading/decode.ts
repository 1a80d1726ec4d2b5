import { BytePattern } from '../../../../base/json/byte-pattern.ts'
import type { JsonBytes } from '../../../../base/json/json-bytes.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, keyHash, OPEN_ARRAY, OPEN_OBJECT } from '../../../../base/json/json-bytes.ts'
import { TickReader } from '../../../../base/json/json-ticks.ts'
import type { OnMismatch, Rule } from '../../../../base/json/json-walk.ts'
import { keys } from '../../../../base/json/json-walk.ts'
import { shortText } from '../../../../base/json/short-text.ts'
import { quotedBytes, quotedMs, quotedNumber } from '../../../../base/json/quoted-number.ts'
import { readWhole, type ReadProblems } from '../../../../base/json/read-whole.ts'
import { formatTicks, spanFromMs, TICKS_PER_MS, type Ticks } from '../../../../base/ticks.ts'
import type { TakeBatch } from '../batches/batch.ts'
import { BatchScratch, isCount, isSpan } from '../batches/batch.ts'
import { DETAIL_FIELDS, DETAIL_GROUPS } from '../details.ts'
import { FURTHER_OPERATIONS, MAX_SPAN_MS, MOST_NODES } from '../../contract/limits.ts'
import { MOST_NESTED, type OperationNames } from '../names.ts'
import type { TreeRuns } from './tree-runs.ts'

let treeRuns: TreeRuns | null = null
/**
 * Resolves when the fast reader of trees is loaded. If its code cannot be loaded, trees are always read token by token.
 */
export const treeRunsReady: Promise<unknown> = import('./tree-runs.ts').then(
  ({ TreeRuns }) => (treeRuns = TreeRuns.create()),
  () => undefined,
)

const ID = keyHash('Id')
const STARTED = keyHash('Started')
const COMPLETED = keyHash('Completed')
const DURATION = keyHash('DurationInMs')
const INPUT = keyHash('InputCount')
const OUTPUT = keyHash('OutputCount')
const FAILED = keyHash('FailedCount')
const SUCCESS = keyHash('SuccessCount')
const TOMBSTONES = keyHash('TombstoneDeleteSuccesses')
const DOCUMENTS_SIZE = keyHash('DocumentsSize')
const MANAGED = keyHash('AllocatedManagedBytes')
const UNMANAGED = keyHash('AllocatedUnmanagedBytes')
const ALLOCATED = keyHash('AllocatedBytes')
const DETAILS = keyHash('Details')
const NAME = keyHash('Name')
const OPERATIONS = keyHash('Operations')
const SIZE_IN_BYTES = keyHash('SizeInBytes')
const REASON = keyHash('BatchCompleteReason')
const TREES = keyHash('TreesReduceDetails')

/** Groups by the hash of their key; `GROUP_FIELDS` has the ids of the fields of each group, by the hash of their key. */
const GROUPS = new Map(DETAIL_GROUPS.map((group) => [keyHash(group), group]))
const GROUP_FIELDS = new Map(
  DETAIL_GROUPS.map((group) => [
    group,
    new Map(DETAIL_FIELDS.flatMap((field, id) => (field.group === group ? [[keyHash(field.name), id] as const] : []))),
  ]),
)

/**
 * Maximum number of batches that wait for the name of their index, which was not read yet; further ones are left out.
 */
const MOST_WAITING = 4096

/**
 * Reads batches from bytes, in any of their forms: a response of `indexes/performance`, successive frames of its live
 * socket, the export of the official Studio (a list), and lists of such documents. Each batch is passed to `take` with
 * the name of its index. An invalid batch is left out and counted; a field that is missing or of another type counts as
 * not reported.
 * Shape: `{Results:[{Name, Performance:[{Id, Started, Completed, DurationInMs, …, Details:{Name, DurationInMs,
 * Operations[], …Details}}]}]}`.
 * Source: `/databases/{name}/indexes/performance` as recorded on 5.4, 6.2 and 7.1.
 */
export function batchReader(
  names: OperationNames,
  take: TakeBatch,
  problem: OnMismatch,
  documentEnded: () => void = () => undefined,
): { readonly rule: Rule; readonly salvage: () => void } {
  return new Decoder(names, take, problem, documentEnded)
}

/** Reads one response or frame; any other document is reported as a problem. */
export function readBatches(bytes: Uint8Array, names: OperationNames, take: TakeBatch): ReadProblems {
  let decoder: Decoder | null = null
  const problems = readWhole(bytes, (problem) => (decoder = new Decoder(names, take, problem, () => undefined)))
  const isOther = !(decoder as Decoder | null)?.hasResults
  return isOther ? { count: null, first: problems.first ?? '$.Results: expected a list of indexes' } : problems
}

const COMMA = 0x2c
const NULL = 0x6e
/**
 * Maximum number of runs of empty details that are remembered. The order differs between server versions, and the run
 * at the end of an operation is a separate one.
 */
const MOST_RUNS = 6
const LEAST_RUN_BYTES = 4
const MOST_RUN_BYTES = 512

/**
 * Recognises runs of empty details. Most of a response is `,"MapDetails":null,"CommitDetails":null,…`, with the same
 * bytes in each operation. Runs are remembered when they are read first, and later skipped as a whole.
 */
class EmptyRuns {
  #runs: readonly BytePattern[] = []
  #start = -1
  #offset = -1

  /** Skips a known run, from its comma to the end of its last `null`. */
  take(json: JsonBytes): void {
    const { bytes, view, pos, end } = json
    if (bytes[pos] !== COMMA) return
    for (const run of this.#runs) {
      const stop = pos + run.length
      if (stop >= end) continue
      const after = bytes[stop]
      if ((after !== COMMA && after !== CLOSE_OBJECT) || !run.standsAt(view, pos)) continue
      json.pos = stop
      return
    }
  }

  /** Drops an unfinished run, because reading restarts. */
  forget(): void {
    this.#start = -1
  }

  /** Called for a key of details, whose comma is at `at`. `isEmpty`: its value is null. */
  met(json: JsonBytes, at: number, isEmpty: boolean): void {
    if (!isEmpty) this.end(json, at)
    else if (this.#start === -1) {
      this.#start = at
      this.#offset = json.offset
    }
  }

  /**
   * Ends the run before `at`, where another key or the end of the object is. The empty details up to there form a run.
   */
  end(json: JsonBytes, at: number): void {
    const start = this.#start
    this.#start = -1
    if (start === -1 || this.#offset !== json.offset || json.bytes[start] !== COMMA) return
    const length = at - start
    if (length < LEAST_RUN_BYTES || length > MOST_RUN_BYTES || this.#runs.length >= MOST_RUNS) return
    // Longest first, because a shorter run may be the beginning of a longer one.
    treeRuns?.learnRun(json.bytes.subarray(start, at))
    this.#runs = [...this.#runs, new BytePattern(json.bytes.subarray(start, at))].toSorted(
      (a, b) => b.length - a.length,
    )
  }
}

class Decoder {
  readonly rule: Rule
  /** Whether a list of indexes was found, even an empty one. */
  hasResults = false
  readonly #runs = new EmptyRuns()
  readonly #names: OperationNames
  readonly #take: TakeBatch
  readonly #problem: OnMismatch
  readonly #ticks = new TickReader()
  readonly #batch = new BatchScratch()
  #index: string | null = null
  /** Batches that were read before the name of their index. */
  #waiting: BatchScratch[] = []

  constructor(names: OperationNames, take: TakeBatch, problem: OnMismatch, documentEnded: () => void) {
    this.#names = names
    this.#take = take
    this.#problem = problem
    const index = {
      Name: {
        kind: 'value',
        take: (value) => {
          if (typeof value === 'string') this.#named(value)
        },
      },
      Performance: { kind: 'records', read: (json) => this.#readBatch(json) },
    } satisfies Record<string, Rule>
    const begin = (): void => {
      this.#index = null
      this.#waiting = []
    }
    const end = (): void => this.#endIndex()
    const indexRule: Rule = { kind: 'object', begin, end, keys: keys(index) }
    const met = (): void => {
      this.hasResults = true
    }
    const results: Rule = { kind: 'list', item: indexRule, begin: met }
    const item: Rule = { kind: 'object', begin, end, keys: keys({ ...index, Results: results }) }
    this.rule = {
      kind: 'either',
      object: { kind: 'object', end: documentEnded, keys: keys({ Results: results }) },
      list: { kind: 'list', item, begin: met, end: documentEnded },
    }
  }

  #named(name: string): void {
    this.#index = name
    for (const batch of this.#waiting) this.#take(name, batch)
    this.#waiting = []
  }

  #endIndex(): void {
    if (this.#waiting.length > 0) this.#problem(-1, 'an index with its name')
    this.#waiting = []
    this.#index = null
  }

  /** Called if the document ends in the middle: batches without the name of their index are dropped. */
  readonly salvage = (): void => this.#endIndex()

  #readBatch(json: JsonBytes): void {
    const { at } = json
    const batch = this.#batch
    batch.clear()
    this.#runs.forget()
    let completedTicks = Number.NaN
    let started = 'no Started'
    json.expect(OPEN_OBJECT)
    if (!json.take(CLOSE_OBJECT))
      do {
        const key = json.keyHash()
        if (key === DETAILS) this.#readTree(json)
        else if (key === ID) batch.id = this.#count(json)
        else if (key === STARTED) {
          const from = json.pos
          batch.startTicks = this.#ticks.read(json)
          if (Number.isNaN(batch.startTicks)) started = `Started ${shortText(json.bytes.subarray(from, json.pos))}`
        } else if (key === COMPLETED) completedTicks = this.#ticks.read(json)
        else if (key === DURATION) batch.durationMs = json.takeNumber(quotedMs)
        else if (key === INPUT) batch.documentsIn = this.#count(json)
        else if (key === OUTPUT) batch.documentsOut = this.#count(json)
        else if (key === FAILED) batch.documentsFailed = this.#count(json)
        else if (key === SUCCESS) batch.documentsSucceeded = this.#count(json)
        else if (key === TOMBSTONES) batch.tombstones = this.#count(json)
        else if (key === DOCUMENTS_SIZE) batch.bytes = this.#size(json)
        else if (key === MANAGED) batch.managedBytes = this.#size(json)
        else if (key === UNMANAGED) batch.unmanagedBytes = this.#size(json)
        else if (key === ALLOCATED) batch.totalAllocatedBytes = this.#size(json)
        else json.skipSmall()
      } while (json.next(CLOSE_OBJECT))
    batch.isCompleted = !Number.isNaN(completedTicks)
    // Start, end and duration: if one is invalid, the other two have it.
    if (!isSpan(batch.durationMs)) batch.durationMs = (completedTicks - batch.startTicks) / TICKS_PER_MS
    else if (Number.isNaN(batch.startTicks)) batch.startTicks = completedTicks - spanFromMs(batch.durationMs)
    if (!batch.isSound) this.#problem(at, `a batch with Id, Started and DurationInMs, got ${describe(batch, started)}`)
    else if (this.#index !== null) this.#take(this.#index, batch)
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push(batch.copy())
    else this.#problem(at, 'the name of the index before its batches')
  }

  #count(json: JsonBytes, quoted = quotedNumber): number {
    const value = json.takeNumber(quoted)
    return isCount(value) ? value : Number.NaN
  }

  /** Reads `{SizeInBytes, HumaneSize}`, or the number that 4.0 writes, or its text; NaN: null, or not a size. */
  #size(json: JsonBytes): number {
    if (json.peek() !== OPEN_OBJECT) return this.#count(json, quotedBytes)
    json.pos++
    let size = Number.NaN
    if (json.take(CLOSE_OBJECT)) return size
    do {
      if (json.keyHash() === SIZE_IN_BYTES) size = this.#count(json, quotedBytes)
      else json.skipSmall()
    } while (json.next(CLOSE_OBJECT))
    return size
  }

  /** Reads the operation tree. If a key is repeated, its last value counts, here and below. */
  #readTree(json: JsonBytes): void {
    this.#batch.clearTree()
    if (json.peek() !== OPEN_OBJECT) json.skipSmall()
    else if (treeRuns?.read(json, this.#batch, this.#names) !== true) {
      treeRuns?.begin()
      this.#readNode(json, -1, 0)
    }
  }

  /**
   * Reads an operation, from its `{` to after its `}`. Its children need its name for their path. If the name comes
   * after them, the operation is first read from its start for the name alone.
   */
  #readNode(json: JsonBytes, parent: number, nested: number): void {
    const batch = this.#batch
    const start = json.pos
    json.pos++
    let node = -1
    let path = -1
    let ticks = 0
    let groups = 0
    const runs = this.#runs
    let hasMore: boolean
    // Nearly all operations begin with these keys: comparing bytes is faster than looking them up.
    if (standsAt(json, NAME_KEY)) {
      json.pos += NAME_KEY.length
      const nameAt = json.pos
      const name = this.#names.read(json)
      path = name === -1 ? -1 : this.#names.path(parent, name)
      if (path !== -1) {
        node = batch.addNode(path, 0)
        treeRuns?.learn(this.#names, parent, path, json.bytes, nameAt, json.pos)
      }
      if (standsAt(json, DURATION_KEY)) {
        json.pos += DURATION_KEY.length
        ticks = nodeTicks(json.takeNumber(quotedMs))
        if (node !== -1) batch.nodeTicks[node] = ticks
        runs.take(json)
      }
      hasMore = json.next(CLOSE_OBJECT)
    } else hasMore = !json.take(CLOSE_OBJECT)
    if (hasMore)
      do {
        const at = json.pos - 1
        const key = json.keyHash()
        if (GROUPS.has(key)) {
          const isEmpty = json.peek() === NULL
          runs.met(json, at, isEmpty)
          if (isEmpty) {
            json.skipSmall()
            runs.take(json)
            continue
          }
        } else runs.end(json, at)
        if (key === NAME) {
          const name = this.#names.read(json)
          path = name === -1 ? -1 : this.#names.path(parent, name)
          if (node === -1 && path !== -1) node = batch.addNode(path, ticks)
          else if (path !== -1 && batch.nodes === node + 1) batch.paths[node] = path
        } else if (key === DURATION) {
          ticks = nodeTicks(json.takeNumber(quotedMs))
          if (node !== -1) batch.nodeTicks[node] = ticks
          runs.take(json)
        } else if (node !== -1 && key === OPERATIONS) {
          batch.dropBelow(node)
          this.#readChildren(json, batch.paths[node] as number, nested)
          runs.take(json)
        } else if (node !== -1 && GROUPS.has(key)) {
          const group = GROUPS.get(key) as string
          const bit = 1 << DETAIL_GROUPS.indexOf(group)
          if ((groups & bit) !== 0) batch.dropDetails(node, (field) => DETAIL_FIELDS[field]?.group === group)
          groups |= bit
          this.#readGroup(json, node, group)
        } else if (node === -1 && (key === OPERATIONS || GROUPS.has(key))) {
          const known = this.#nameAhead(json, start)
          if (known === null || known === -1) {
            this.#skipNode(json, start)
            batch.leftOut++
            return
          }
          path = this.#names.path(parent, known)
          if (path === -1) {
            this.#skipNode(json, start)
            batch.leftOut++
            return
          }
          node = batch.addNode(path, ticks)
          if (key === OPERATIONS) this.#readChildren(json, path, nested)
          else this.#readGroup(json, node, GROUPS.get(key) as string)
        } else json.skipSmall()
      } while (json.next(CLOSE_OBJECT))
    runs.end(json, json.pos - 1)
    if (node === -1) batch.leftOut++
  }

  /** Name of the operation that begins at `start`, wherever it is in the operation. Restores the position. */
  #nameAhead(json: JsonBytes, start: number): number | null {
    const back = json.pos
    json.pos = start + 1
    let name: number | null = null
    do {
      if (json.keyHash() === NAME) name = this.#names.read(json)
      else json.skipSmall()
    } while (json.next(CLOSE_OBJECT))
    json.pos = back
    return name
  }

  #skipNode(json: JsonBytes, start: number): void {
    json.pos = start
    json.skipSmall()
  }

  #readChildren(json: JsonBytes, parent: number, nested: number): void {
    if (json.peek() !== OPEN_ARRAY || nested >= MOST_NESTED) {
      if (json.peek() === OPEN_ARRAY) this.#batch.leftOut++
      json.skipSmall()
      return
    }
    json.pos++
    if (json.take(CLOSE_ARRAY)) return
    let further = -1
    do {
      const isObject = json.peek() === OPEN_OBJECT
      if (isObject && this.#batch.nodes < MOST_NODES) this.#readNode(json, parent, nested + 1)
      else if (isObject) further = this.#foldNode(json, parent, further)
      else {
        json.skipSmall()
        this.#batch.leftOut++
      }
    } while (json.next(CLOSE_ARRAY))
  }

  /** Adds the time of an operation beyond the limit to node `further` (−1: not created yet). Returns that node. */
  #foldNode(json: JsonBytes, parent: number, further: number): number {
    const batch = this.#batch
    const ticks = this.#countNode(json, 0)
    let node = further
    if (node === -1) {
      const path = this.#names.path(parent, this.#names.intern(FURTHER_OPERATIONS))
      if (path === -1) return -1
      node = batch.addNode(path, 0)
    }
    batch.nodeTicks[node] = (batch.nodeTicks[node] as number) + ticks
    return node
  }

  /** Counts an operation and the operations inside it as left out. Returns its duration, ticks. */
  #countNode(json: JsonBytes, nested: number): number {
    this.#batch.leftOut++
    json.pos++
    let ticks = 0
    if (json.take(CLOSE_OBJECT)) return ticks
    do {
      const key = json.keyHash()
      if (key === DURATION) ticks = nodeTicks(json.takeNumber(quotedMs))
      else if (key === OPERATIONS && json.peek() === OPEN_ARRAY && nested < MOST_NESTED) this.#countNodes(json, nested)
      else json.skipSmall()
    } while (json.next(CLOSE_OBJECT))
    return ticks
  }

  #countNodes(json: JsonBytes, nested: number): void {
    json.pos++
    if (json.take(CLOSE_ARRAY)) return
    do {
      if (json.peek() === OPEN_OBJECT) this.#countNode(json, nested + 1)
      else json.skipSmall()
    } while (json.next(CLOSE_ARRAY))
  }

  #readGroup(json: JsonBytes, node: number, group: string): void {
    if (json.peek() !== OPEN_OBJECT) {
      json.skipSmall()
      return
    }
    json.pos++
    if (json.take(CLOSE_OBJECT)) return
    const fields = GROUP_FIELDS.get(group)
    do {
      const key = json.keyHash()
      const field = fields?.get(key)
      if (field !== undefined) {
        const value = this.#count(json)
        if (!Number.isNaN(value)) this.#batch.details.push(node, field, value)
      } else if (key === REASON && json.atText) takeReason(this.#batch, group, json.text())
      else if (key === TREES && group === 'ReduceDetails') this.#readGroup(json, node, 'TreesReduceDetails')
      else json.skipSmall()
    } while (json.next(CLOSE_OBJECT))
  }
}

/** Describes a batch that cannot be kept, by the fields that it has. */
function describe({ id, startTicks, durationMs }: BatchScratch, started: string): string {
  const at = Number.isNaN(startTicks) ? started : formatTicks(startTicks as Ticks)
  return `${isCount(id) ? `Id ${id}` : 'no Id'}, ${at}, ${isSpan(durationMs) ? `${durationMs} ms` : 'no DurationInMs'}`
}

/** Stores a stop reason: that of Map, or that of References if Map has none. */
function takeReason(batch: BatchScratch, group: string, reason: string): void {
  const isOfMap = group === 'MapDetails'
  if (batch.reason !== null && !(isOfMap && !batch.reasonIsOfMap)) return
  batch.reason = reason
  batch.reasonIsOfMap = isOfMap
}

const encoder = new TextEncoder()
const NAME_KEY = new BytePattern(encoder.encode('"Name":'))
const DURATION_KEY = new BytePattern(encoder.encode(',"DurationInMs":'))

/** Whether the next bytes equal the pattern; false near the end of the loaded bytes. */
const standsAt = ({ view, pos, end }: JsonBytes, pattern: BytePattern): boolean =>
  pos + pattern.length < end && pattern.standsAt(view, pos)

/** Duration of an operation, ticks. An invalid one counts as 0, so that its children are kept. */
const nodeTicks = (ms: number): number => (ms >= 0 && ms <= MAX_SPAN_MS ? spanFromMs(ms) : 0)

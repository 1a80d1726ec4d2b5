import { MAX_SPAN_MS } from '../../contract/limits.ts'

/**
 * Batch as it is read, whatever the reader; reused for the next. NaN where a figure is not there, or not of its kind. The
 * operation tree lies flat, in pre-order: a path and a duration in ticks each.
 */
export class BatchScratch {
  id = Number.NaN
  startTicks = Number.NaN
  isCompleted = false
  durationMs = Number.NaN
  documentsIn = Number.NaN
  documentsOut = Number.NaN
  documentsFailed = Number.NaN
  documentsSucceeded = Number.NaN
  tombstones = Number.NaN
  bytes = Number.NaN
  managedBytes = Number.NaN
  unmanagedBytes = Number.NaN
  totalAllocatedBytes = Number.NaN
  /** Stop reason of Map, else of References; null where none was reported. */
  reason: string | null = null
  reasonIsOfMap = false
  paths = new Int32Array(64)
  nodeTicks = new Float64Array(64)
  nodes = 0
  /** Triples of node, field (`DETAIL_FIELDS`) and value, in order of node. */
  details: number[] = []
  /** Operations that are part of another one: too deep, too many, or without a name. */
  leftOut = 0

  clear(): void {
    this.id = Number.NaN
    this.startTicks = Number.NaN
    this.isCompleted = false
    this.durationMs = Number.NaN
    this.documentsIn = Number.NaN
    this.documentsOut = Number.NaN
    this.documentsFailed = Number.NaN
    this.documentsSucceeded = Number.NaN
    this.tombstones = Number.NaN
    this.bytes = Number.NaN
    this.managedBytes = Number.NaN
    this.unmanagedBytes = Number.NaN
    this.totalAllocatedBytes = Number.NaN
    this.reason = null
    this.reasonIsOfMap = false
    this.nodes = 0
    this.details.length = 0
    this.leftOut = 0
  }

  /** Forgets its operations, with what they reported. */
  clearTree(): void {
    this.nodes = 0
    this.details.length = 0
    this.leftOut = 0
    this.reason = null
    this.reasonIsOfMap = false
  }

  /** Forgets what lies inside of a node, of which it is the last. */
  dropBelow(node: number): void {
    if (this.nodes === node + 1) return
    this.nodes = node + 1
    this.details = this.details.filter((_, i) => (this.details[i - (i % 3)] as number) <= node)
  }

  /** Forgets figures of a node. */
  dropDetails(node: number, matches: (field: number) => boolean): void {
    this.details = this.details.filter((_, i) => {
      const first = i - (i % 3)
      return this.details[first] !== node || !matches(this.details[first + 1] as number)
    })
  }

  /** Place of the new node. */
  addNode(path: number, ticks: number): number {
    this.#reserve(this.nodes + 1)
    this.paths[this.nodes] = path
    this.nodeTicks[this.nodes] = ticks
    return this.nodes++
  }

  /** Takes the first `count` of these as its whole tree. */
  takeNodes(paths: Int32Array, nodeTicks: Float64Array, count: number): void {
    this.#reserve(count)
    for (let i = 0; i < count; i++) {
      this.paths[i] = paths[i] as number
      this.nodeTicks[i] = nodeTicks[i] as number
    }
    this.nodes = count
  }

  #reserve(count: number): void {
    if (count <= this.paths.length) return
    const paths = new Int32Array(Math.max(count, this.paths.length * 2))
    paths.set(this.paths)
    this.paths = paths
    const nodeTicks = new Float64Array(paths.length)
    nodeTicks.set(this.nodeTicks)
    this.nodeTicks = nodeTicks
  }

  /** Value of a figure on the first operation that has it; NaN: none has. */
  detail(field: number): number {
    for (let i = 0; i < this.details.length; i += 3)
      if (this.details[i + 1] === field) return this.details[i + 2] as number
    return Number.NaN
  }

  /** Part without which this is no batch; null where nothing is missing. */
  get flaw(): string | null {
    if (!isCount(this.id) || Number.isNaN(this.startTicks)) return 'a batch with Id and Started'
    if (!isSpan(this.durationMs)) return 'a batch with DurationInMs'
    return null
  }

  copy(): BatchScratch {
    const copy = Object.assign(new BatchScratch(), this)
    copy.paths = this.paths.slice(0, Math.max(1, this.nodes))
    copy.nodeTicks = this.nodeTicks.slice(0, Math.max(1, this.nodes))
    copy.details = [...this.details]
    return copy
  }
}

/** Whether it is a duration in ms that a batch can have. */
export const isSpan = (ms: number): boolean => ms >= 0 && ms <= MAX_SPAN_MS

export const isCount = (value: number): boolean => value >= 0 && Number.isSafeInteger(value)

/** Takes one batch of an index; the scratch belongs to the reader and is used again. */
export type TakeBatch = (index: string, batch: BatchScratch) => void

import { MAX_SPAN_MS } from '../../contract/limits.ts'

/**
 * A batch in the form in which every reader delivers it; reused for the next batch. NaN: the figure is missing or of
 * another type. The operation tree is flat, in pre-order: a path and a duration in ticks per operation.
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
  /** Stop reason of Map, or of References if Map has none; null: not reported. */
  reason: string | null = null
  reasonIsOfMap = false
  paths = new Int32Array(64)
  nodeTicks = new Float64Array(64)
  nodes = 0
  /** Triples of node, field (`DETAIL_FIELDS`) and value, in order of node. */
  details: number[] = []
  /**
   * Number of operations that are counted as part of another one, because they are too deep, too many, or have no name.
   */
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

  /** Removes all operations and the figures reported for them. */
  clearTree(): void {
    this.nodes = 0
    this.details.length = 0
    this.leftOut = 0
    this.reason = null
    this.reasonIsOfMap = false
  }

  /** Removes all nodes after `node`, which are the operations inside it. */
  dropBelow(node: number): void {
    if (this.nodes === node + 1) return
    this.nodes = node + 1
    this.details = this.details.filter((_, i) => (this.details[i - (i % 3)] as number) <= node)
  }

  /** Removes the figures of a node for which `matches` is true. */
  dropDetails(node: number, matches: (field: number) => boolean): void {
    this.details = this.details.filter((_, i) => {
      const first = i - (i % 3)
      return this.details[first] !== node || !matches(this.details[first + 1] as number)
    })
  }

  /** Adds a node and returns its position. */
  addNode(path: number, ticks: number): number {
    this.#reserve(this.nodes + 1)
    this.paths[this.nodes] = path
    this.nodeTicks[this.nodes] = ticks
    return this.nodes++
  }

  /** Replaces the tree by the first `count` items of these columns. */
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

  /** Value of a figure at the first operation that has it; NaN: no operation has it. */
  detail(field: number): number {
    for (let i = 0; i < this.details.length; i += 3)
      if (this.details[i + 1] === field) return this.details[i + 2] as number
    return Number.NaN
  }

  /** Whether it has what every batch needs. */
  get isSound(): boolean {
    return isCount(this.id) && !Number.isNaN(this.startTicks) && isSpan(this.durationMs)
  }

  copy(): BatchScratch {
    const copy = Object.assign(new BatchScratch(), this)
    copy.paths = this.paths.slice(0, Math.max(1, this.nodes))
    copy.nodeTicks = this.nodeTicks.slice(0, Math.max(1, this.nodes))
    copy.details = [...this.details]
    return copy
  }
}

/** Whether the number is a valid duration of a batch, ms. */
export const isSpan = (ms: number): boolean => ms >= 0 && ms <= MAX_SPAN_MS

export const isCount = (value: number): boolean => value >= 0 && Number.isSafeInteger(value)

/** Called for each batch, with the name of its index. The scratch belongs to the reader, which reuses it. */
export type TakeBatch = (index: string, batch: BatchScratch) => void

import type { BatchScratch } from './batches/batch.ts'

const BLOCK_BYTES = 1 << 18
/**
 * Maximum number of shapes that are stored once for all their trees. Beyond it, a new shape is written with its tree.
 */
const MOST_SHAPES = 50_000
/** Unit of most durations, ticks: the server writes milliseconds with two decimals. */
const GRAIN_TICKS = 100

/**
 * Maximum number of figures for insertion sort; a document with thousands of them, in any order, is sorted otherwise.
 */
const MOST_MOVED = 1500

/** An operation tree that was read from the store; reused for the next one. */
export interface TreeView {
  length: number
  /** Path of each operation, in pre-order. */
  paths: Int32Array
  ticks: Float64Array
  /** Triples of node, field and value, in order of node and field. */
  details: number[]
}

export const newTreeView = (): TreeView => ({
  length: 0,
  paths: new Int32Array(64),
  ticks: new Float64Array(64),
  details: [],
})

interface Shape {
  readonly id: number
  readonly paths: Int32Array
  readonly next: Shape | null
}

/**
 * Operation trees, packed: which operations there are is nearly always the same for an index, so it is kept once as a
 * "shape"; of each tree only durations and figures are written, in as few bytes as each needs.
 * ```
 * shape · grain | durations … | count of figures | (node step, field, value) …
 * ```
 */
export class TreeStore {
  readonly #blocks: Uint8Array[] = []
  /** Number of the block that is being written; `#at` is the position in it. */
  #open = -1
  #at = BLOCK_BYTES
  readonly #shapes: Int32Array[] = []
  readonly #byHash = new Map<number, Shape>()
  #shapeBytes = 0
  #place = 0
  #block: Uint8Array = new Uint8Array(0)

  get byteLength(): number {
    return this.#blocks.reduce((sum, block) => sum + block.byteLength, 0) + this.#shapeBytes
  }

  /** Stores a tree and returns its handle for `read`. */
  add(batch: BatchScratch): number {
    const { nodes, paths, nodeTicks } = batch
    const details = canonical(batch.details)
    this.#room(32 + nodes * 16 + details.length * 9)
    const block = this.#blocks[this.#open] as Uint8Array
    const handle = this.#open * BLOCK_BYTES + this.#at
    const out = new Writer(block, this.#at)
    let grain = GRAIN_TICKS
    for (let i = 0; i < nodes && grain > 1; i++) if ((nodeTicks[i] as number) % GRAIN_TICKS !== 0) grain = 1
    const shape = this.#shapeOf(paths, nodes)
    out.number((shape === null ? 0 : shape + 1) * 2 + (grain === 1 ? 1 : 0))
    if (shape === null) {
      out.number(nodes)
      for (let i = 0; i < nodes; i++) out.number(paths[i] as number)
    }
    for (let i = 0; i < nodes; i++) out.number((nodeTicks[i] as number) / grain)
    out.number(details.length / 3)
    let node = 0
    for (let i = 0; i < details.length; i += 3) {
      out.number((details[i] as number) - node)
      node = details[i] as number
      out.number(details[i + 1] as number)
      out.number(details[i + 2] as number)
    }
    this.#at = out.at
    return handle
  }

  read(handle: number, into: TreeView): void {
    this.#block = this.#blocks[Math.floor(handle / BLOCK_BYTES)] as Uint8Array
    this.#place = handle % BLOCK_BYTES
    const head = this.#number()
    const grain = head % 2 === 1 ? 1 : GRAIN_TICKS
    const shapeId = Math.floor(head / 2) - 1
    const shape = shapeId === -1 ? null : (this.#shapes[shapeId] as Int32Array)
    const length = shape === null ? this.#number() : shape.length
    into.length = length
    if (into.paths.length < length) {
      into.paths = new Int32Array(length * 2)
      into.ticks = new Float64Array(length * 2)
    }
    if (shape === null) for (let i = 0; i < length; i++) into.paths[i] = this.#number()
    else into.paths.set(shape)
    for (let i = 0; i < length; i++) into.ticks[i] = this.#number() * grain
    into.details.length = 0
    let node = 0
    for (let left = this.#number(); left > 0; left--) {
      node += this.#number()
      into.details.push(node, this.#number(), this.#number())
    }
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= BLOCK_BYTES) return
    const blocks = Math.ceil(bytes / BLOCK_BYTES)
    this.#open = this.#blocks.length
    this.#blocks.push(new Uint8Array(blocks * BLOCK_BYTES))
    // A tree that is larger than a block takes several block numbers, so that handles remain positions.
    for (let i = 1; i < blocks; i++) this.#blocks.push(NOTHING)
    this.#at = 0
  }

  #number(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.#block[this.#place++] as number
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 128
    }
  }

  #shapeOf(paths: Int32Array, length: number): number | null {
    let hash = length
    for (let i = 0; i < length; i++) hash = (Math.imul(hash, 31) + (paths[i] as number)) | 0
    const first = this.#byHash.get(hash) ?? null
    for (let shape = first; shape !== null; shape = shape.next) if (isSame(shape.paths, paths, length)) return shape.id
    if (this.#shapes.length >= MOST_SHAPES) return null
    const id = this.#shapes.length
    const kept = paths.slice(0, length)
    this.#shapes.push(kept)
    this.#shapeBytes += kept.byteLength + 96
    this.#byHash.set(hash, { id, paths: kept, next: first })
    return id
  }
}

function isSame(a: Int32Array, b: Int32Array, length: number): boolean {
  if (a.length !== length) return false
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false
  return true
}

/**
 * Sorts details by node and field, and keeps the last one of duplicates. They are nearly sorted, so insertion sort
 * moves each only a little.
 */
function canonical(details: number[]): number[] {
  if (details.length > MOST_MOVED) return sorted(details)
  let length = 0
  for (let i = 0; i < details.length; i += 3) {
    const node = details[i] as number
    const field = details[i + 1] as number
    const value = details[i + 2] as number
    let at = length
    while (at > 0 && isAfter(details, at - 3, node, field)) at -= 3
    if (at > 0 && details[at - 3] === node && details[at - 2] === field) {
      details[at - 1] = value
      continue
    }
    for (let to = length; to > at; to--) details[to + 2] = details[to - 1] as number
    details[at] = node
    details[at + 1] = field
    details[at + 2] = value
    length += 3
  }
  details.length = length
  return details
}

/** Sorts details that are in any order. */
function sorted(details: readonly number[]): number[] {
  const byKey = new Map<number, number>()
  for (let i = 0; i < details.length; i += 3)
    byKey.set((details[i] as number) * 256 + (details[i + 1] as number), details[i + 2] as number)
  return [...byKey].toSorted((a, b) => a[0] - b[0]).flatMap(([key, value]) => [Math.floor(key / 256), key % 256, value])
}

function isAfter(details: readonly number[], at: number, node: number, field: number): boolean {
  const other = details[at] as number
  return other > node || (other === node && (details[at + 1] as number) > field)
}

const NOTHING = new Uint8Array(0)

/** Writes integers from 0 to below 2^53, seven bits per byte, low bits first. */
class Writer {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  number(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.at++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.at++] = rest
  }
}

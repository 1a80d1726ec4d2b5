import type { JsonBytes } from '../../../../base/json/json-bytes.ts'
import { ENTRY_BYTES, TEXT_BYTES } from '../../../../base/assembly/entry-layout.ts'
import { ScanInput, writeEntry } from '../../../../base/json/scan-memory.ts'
import {
  CHILD,
  FIGURE,
  FIGURE_COUNT,
  FIRST,
  FIRST_FIGURE,
  FOLLOWER,
  MOST_FOUND,
  MOST_OPERATIONS,
  MOST_RUNS,
  NEXT,
  PATH,
  RUN_BYTES,
  RUN_TEXT,
} from '../../assembly/tree-layout.ts'
import treeScan from '../../assembly/tree-scan.ts?wasm'
import type { BatchScratch } from '../batches/batch.ts'
import { MOST_NODES } from '../../contract/limits.ts'
import { DETAIL_FIELDS, DETAIL_GROUPS } from '../details.ts'
import type { OperationNames } from '../names.ts'

const LEAST_RUN_BYTES = 16
const MOST_RUN_BYTES = RUN_BYTES - RUN_TEXT

/** Groups of figures. The first one takes precedence for the stop reason. */
const GROUPS = ['MapDetails', ...DETAIL_GROUPS.filter((group) => group !== 'MapDetails')]
const INNER_GROUP = 'TreesReduceDetails'
const GROUP_AROUND = 'ReduceDetails'
/** Ids, as in the scan, of keys that are not figures. */
const REASON = 1000
const INNER = 1001

const BACKSLASH = 0x5c

const encoder = new TextEncoder()

interface Scan {
  readonly memory: WebAssembly.Memory
  readonly groupCount: WebAssembly.Global<'i32'>
  readonly innerGroup: WebAssembly.Global<'i32'>
  readonly runCount: WebAssembly.Global<'i32'>
  readonly nodeCount: WebAssembly.Global<'i32'>
  readonly foundCount: WebAssembly.Global<'i32'>
  readonly reasonAt: WebAssembly.Global<'i32'>
  readonly otherReasonAt: WebAssembly.Global<'i32'>
  readonly operationsAt: WebAssembly.Global<'i32'>
  readonly groupsAt: WebAssembly.Global<'i32'>
  readonly figuresAt: WebAssembly.Global<'i32'>
  readonly runsAt: WebAssembly.Global<'i32'>
  readonly pathsAt: WebAssembly.Global<'i32'>
  readonly ticksAt: WebAssembly.Global<'i32'>
  readonly foundAt: WebAssembly.Global<'i32'>
  readonly inputAt: WebAssembly.Global<'i32'>
  readonly run: (from: number, end: number) => number
}

/**
 * Reads operation trees in the format that the server writes: no white space, plain numbers, and only operations that
 * were read before at that place of the tree. Several times as fast as reading token by token. A tree that it cannot
 * read is read token by token as a whole, so it never decides what is an error. One instance serves all readers in
 * turn, as long as they share `OperationNames`.
 */
export class TreeRuns {
  readonly #scan: Scan
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #input: ScanInput
  readonly #paths: Int32Array
  readonly #ticks: Float64Array
  readonly #found: Float64Array
  #names: OperationNames | null = null
  /** Entry of each operation, by path. */
  readonly #entries = new Map<number, number>()
  /** Last child of each entry. */
  readonly #lastChild = new Map<number, number>()
  /** Child of each entry that was learned last from the current tree. */
  readonly #childBefore = new Map<number, number>()
  #runs: readonly Uint8Array[] = []

  /** Creates the reader; null: this browser cannot, or may not, run WebAssembly with SIMD. */
  static create(): TreeRuns | null {
    try {
      return new TreeRuns(new WebAssembly.Instance(treeScan()).exports as unknown as Scan)
    } catch {
      return null
    }
  }

  private constructor(scan: Scan) {
    const { buffer } = scan.memory
    this.#scan = scan
    this.#bytes = new Uint8Array(buffer)
    this.#view = new DataView(buffer)
    this.#input = new ScanInput(this.#bytes, scan.inputAt.value)
    this.#paths = new Int32Array(buffer, scan.pathsAt.value, MOST_NODES)
    this.#ticks = new Float64Array(buffer, scan.ticksAt.value, MOST_NODES)
    this.#found = new Float64Array(buffer, scan.foundAt.value, MOST_FOUND * 3)
    this.#writeGroups()
  }

  /**
   * Reads the tree at `json.pos` into the batch, from its `{` to after its `}`. False: it could not be read; nothing
   * was taken, and it has to be read token by token.
   */
  read(json: JsonBytes, batch: BatchScratch, names: OperationNames): boolean {
    if (names !== this.#names) return false
    const scan = this.#scan
    const input = this.#input
    const { pos } = json
    let until = scan.run(input.hold(json, pos), input.end)
    if (until === 0 && input.hasMore(json, pos)) {
      input.load(json, pos)
      until = scan.run(input.placeOf(pos), input.end)
    }
    if (until === 0) return false
    batch.takeNodes(this.#paths, this.#ticks, scan.nodeCount.value)
    const found = scan.foundCount.value * 3
    for (let i = 0; i < found; i++) batch.details.push(this.#found[i] as number)
    const reasonAt = scan.reasonAt.value || scan.otherReasonAt.value
    if (reasonAt !== 0) {
      json.pos = input.posOf(reasonAt)
      batch.reason = json.text()
      batch.reasonIsOfMap = scan.reasonAt.value !== 0
    }
    json.pos = input.posOf(until)
    return true
  }

  /** Begins to learn the operations of another tree. */
  begin(): void {
    this.#childBefore.clear()
  }

  /**
   * Learns an operation that was read, so that it is expected next time: below `parent` (−1: none), after the operation
   * learned before it there. Its name is at [from, to) of `bytes`, in quotes.
   */
  learn(names: OperationNames, parent: number, path: number, bytes: Uint8Array, from: number, to: number): void {
    if (names !== this.#names) this.#forget(names)
    const above = parent === -1 ? 0 : this.#entries.get(parent)
    if (above === undefined) return
    const entry = this.#entries.get(path) ?? this.#add(above, path, bytes.subarray(from, to))
    if (entry === null) return
    const before = this.#childBefore.get(above)
    const hint = before === undefined ? this.#operationAt(above) + FIRST : this.#operationAt(before) + FOLLOWER
    this.#view.setUint16(hint, entry, true)
    this.#childBefore.set(above, entry)
  }

  /** Adds an entry; null: there is no room for it, or its name is too long or has escapes. */
  #add(above: number, path: number, raw: Uint8Array): number | null {
    if (this.#entries.size + 1 >= MOST_OPERATIONS || raw.length > TEXT_BYTES || raw.includes(BACKSLASH)) return null
    const entry = this.#entries.size + 1
    const at = this.#operationAt(entry)
    writeEntry(this.#bytes, at, raw)
    this.#view.setInt32(at + PATH, path, true)
    const before = this.#lastChild.get(above)
    if (before === undefined) this.#view.setUint16(this.#operationAt(above) + CHILD, entry, true)
    else this.#view.setUint16(this.#operationAt(before) + NEXT, entry, true)
    this.#lastChild.set(above, entry)
    this.#entries.set(path, entry)
    return entry
  }

  /** Learns a run of groups that are null, each with the comma before it. */
  learnRun(run: Uint8Array): void {
    if (run.length < LEAST_RUN_BYTES || run.length > MOST_RUN_BYTES || this.#runs.length >= MOST_RUNS) return
    if (this.#runs.some((known) => known.length === run.length && known.every((byte, i) => byte === run[i]))) return
    // Longest first, because a shorter run may be the beginning of a longer one.
    this.#runs = [...this.#runs, run.slice()].toSorted((a, b) => b.length - a.length)
    for (const [i, known] of this.#runs.entries()) {
      const at = this.#scan.runsAt.value + i * RUN_BYTES
      this.#view.setUint32(at, known.length, true)
      this.#bytes.set(known, at + RUN_TEXT)
    }
    this.#scan.runCount.value = this.#runs.length
  }

  #operationAt(entry: number): number {
    return this.#scan.operationsAt.value + entry * ENTRY_BYTES
  }

  #forget(names: OperationNames): void {
    this.#names = names
    this.#bytes.fill(0, this.#operationAt(0), this.#operationAt(this.#entries.size + 1))
    this.#entries.clear()
    this.#lastChild.clear()
    this.#childBefore.clear()
  }

  #writeGroups(): void {
    const { groupsAt, figuresAt, groupCount, innerGroup } = this.#scan
    let figures = 0
    const addFigure = (name: string, id: number): void => {
      const at = figuresAt.value + figures++ * ENTRY_BYTES
      writeEntry(this.#bytes, at, encoder.encode(`"${name}":`))
      this.#view.setUint16(at + FIGURE, id, true)
    }
    for (const [i, group] of GROUPS.entries()) {
      const at = groupsAt.value + i * ENTRY_BYTES
      writeEntry(this.#bytes, at, encoder.encode(`"${group}":`))
      this.#view.setUint16(at + FIRST_FIGURE, figures, true)
      const first = figures
      for (const [id, field] of DETAIL_FIELDS.entries()) if (field.group === group) addFigure(field.name, id)
      addFigure('BatchCompleteReason', REASON)
      if (group === GROUP_AROUND) addFigure(INNER_GROUP, INNER)
      this.#view.setUint16(at + FIGURE_COUNT, figures - first, true)
    }
    groupCount.value = GROUPS.length
    innerGroup.value = GROUPS.indexOf(INNER_GROUP)
  }
}

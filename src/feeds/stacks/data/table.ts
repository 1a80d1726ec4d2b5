import { PushedOut } from '../../../base/columns/pushed-out.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { StackDocument } from './reading/document.ts'
import { FrameTable } from './frames.ts'
import { JobsByName, unrecognised } from './jobs.ts'
import type { SnapshotCost, SnapshotInfo, SnapshotOrigin } from '../contract/snapshots.ts'
import type { SnapshotId, JobKey } from '../contract/ids.ts'
import type { Job } from '../contract/jobs.ts'
import type { ThreadInfo } from './live/thread-info.ts'
import { Trie } from './trie.ts'
import { judge } from './waits.ts'

/** Maximum number of snapshots; beyond it the oldest are removed. */
export const MAX_SNAPSHOTS = 400
/** Maximum number of samples in all snapshots, about 60 bytes each. */
const MAX_ROWS = 1_000_000

/** Identity of a thread without its state, shared by all snapshots with the thread. */
export interface ThreadIdentity {
  readonly id: number
  readonly startTicks: number
  readonly name: string
  readonly managedId: number
}

export const FLAG_SAMPLED = 1
export const FLAG_LISTED = 2
export const FLAG_CPU = 4
export const FLAG_NATIVE = 8
/** The response itself marked the stack as native (`IsNative`, `NativeThreads`). */
export const FLAG_IS_NATIVE = 16

/**
 * Threads of one snapshot as columns, in the order of the response: sampled ones first, then those that are only
 * listed. NaN and −1: not reported.
 */
export interface SnapshotRows {
  readonly length: number
  /** Index of `StackStore.identities`. */
  readonly identity: Uint32Array
  /** Innermost frame, in `StackStore.stacks`; 0: no stack, or an empty one. */
  readonly node: Int32Array
  /** Index of `StackStore.jobs`. */
  readonly job: Uint32Array
  readonly flags: Uint8Array
  /** Index of `WAIT_KINDS`, and rules of `waits.ts`. */
  readonly wait: Uint8Array
  readonly waitRule: Int8Array
  readonly primitive: Int8Array
  readonly run: Int8Array
  /** Indexes of `StackStore.words`. */
  readonly state: Uint8Array
  readonly priority: Uint8Array
  readonly waitReason: Uint8Array
  readonly cpuPercent: Float32Array
  readonly totalCpuMs: Float64Array
  readonly userCpuMs: Float64Array
  readonly allocatedBytes: Float64Array
  /** Five columns, or null if no thread reported I/O: rates of reading, writing, calls; totals of reading, writing. */
  readonly io: readonly Float32Array[] | null
}

export interface Snapshot {
  readonly info: SnapshotInfo
  readonly rows: SnapshotRows
  /** Further facts by row, which only the older tool reports. */
  readonly extras: ReadonlyMap<number, { readonly threadType: string | null; readonly objects: readonly string[] }>
}

export interface SnapshotOptions {
  readonly source: SourceId
  readonly origin: SnapshotOrigin
  /** See `SnapshotInfo.reason`. */
  readonly reason?: string | undefined
  readonly cost: SnapshotCost | null
  readonly series: number | null
}

/** All snapshots, with their distinct frames, stacks, threads and jobs. */
export class StackStore {
  readonly frames = new FrameTable()
  readonly stacks = new Trie()
  readonly snapshots = new Map<SnapshotId, Snapshot>()
  /** Distinct words, such as states and priorities. Index 0 is null. */
  readonly words: (string | null)[] = [null]
  readonly identities: ThreadIdentity[] = []
  readonly jobs: Job[] = []
  version = 1
  dropped = 0
  /** Times of the removed snapshots, by source. */
  readonly pushedOut = new Map<SourceId, PushedOut>()
  readonly #jobsByName = new JobsByName()
  /** Indexes in `identities` by thread id: usually one, but the system reuses ids. */
  readonly #identityIds = new Map<number, number[]>()
  readonly #jobIds = new Map<JobKey, number>()
  #nextId = 1
  #rows = 0

  /** The document must use the frames of `frames`. */
  add(document: StackDocument, options: SnapshotOptions): Snapshot {
    const id = this.#nextId++
    const { rows, extras, sampled } = this.#rowsOf(document)
    const info: SnapshotInfo = {
      id,
      source: options.source,
      nodeTag: document.nodeTag,
      origin: options.origin,
      reason: options.reason ?? null,
      atTicks: document.atTicks as Ticks,
      series: options.series,
      cost: options.cost,
      sampled,
      threads: rows.length,
      problems: this.stacks.isFull ? [...document.problems, FULL] : document.problems,
    }
    const snapshot = { info, rows, extras }
    this.snapshots.set(id, snapshot)
    this.pushedOut.get(info.source)?.takeBack(info.atTicks)
    this.#rows += rows.length
    this.#dropOldest()
    this.version++
    return snapshot
  }

  jobId(job: Job): number {
    const known = this.#jobIds.get(job.key)
    if (known !== undefined) return known
    const id = this.jobs.length
    this.jobs.push(job)
    this.#jobIds.set(job.key, id)
    return id
  }

  job(id: number): Job {
    return this.jobs[id] ?? unrecognised('')
  }

  get newest(): Snapshot | null {
    return [...this.snapshots.values()].at(-1) ?? null
  }

  get rowCount(): number {
    return this.#rows
  }

  get byteLength(): { readonly tables: number; readonly other: number } {
    const { stacks, frames, identities } = this
    return { tables: this.#rows * ROW_BYTES + stacks.byteLength, other: frames.byteLength + identities.length * 120 }
  }

  #remove(id: SnapshotId): void {
    const snapshot = this.snapshots.get(id)
    if (snapshot === undefined) return
    this.snapshots.delete(id)
    this.#rows -= snapshot.rows.length
    const { source, atTicks } = snapshot.info
    const times = this.pushedOut.get(source) ?? new PushedOut()
    this.pushedOut.set(source, times)
    times.add(atTicks)
  }

  #dropOldest(): void {
    while (this.snapshots.size > 1 && (this.snapshots.size > MAX_SNAPSHOTS || this.#rows > MAX_ROWS)) {
      const [oldest] = this.snapshots.keys()
      if (oldest === undefined) return
      this.#remove(oldest)
      this.dropped++
    }
  }

  #rowsOf(document: StackDocument) {
    const threads = new Map(document.threads.map((thread) => [thread.id, thread]))
    const sampled = document.entries.reduce((sum, { threadIds }) => sum + threadIds.length, 0)
    const ids = new Set(document.entries.flatMap(({ threadIds }) => threadIds))
    const others = document.threads.filter(({ id }) => !ids.has(id))
    const rows = newRows(
      sampled + others.length,
      document.threads.some(({ io }) => io !== null),
    )
    const extras = new Map<number, { threadType: string | null; objects: readonly string[] }>()
    let row = 0
    const fill = (thread: ThreadInfo | undefined, id: number, managedId: number, flags: number, job: Job): void => {
      rows.flags[row] = flags | (thread === undefined ? 0 : FLAG_LISTED)
      rows.identity[row] = this.#identity(thread, id, managedId)
      rows.job[row] = this.jobId(job)
      this.#fillInfo(rows, row, thread)
      row++
    }
    for (const entry of document.entries) {
      const node = this.stacks.add(entry.frames)
      const flags =
        FLAG_SAMPLED |
        (entry.pseudo === 'cpu' ? FLAG_CPU : entry.pseudo === 'native' ? FLAG_NATIVE : 0) |
        (entry.isNative ? FLAG_IS_NATIVE : 0)
      for (const id of entry.threadIds) {
        const thread = threads.get(id)
        if (entry.threadType !== null || entry.objects.length > 0)
          extras.set(row, { threadType: entry.threadType, objects: entry.objects })
        const verdict = judge(this.frames, entry.frames, {
          pseudo: entry.pseudo,
          isRunning: thread?.state === 'Running',
        })
        rows.node[row] = node
        rows.wait[row] = verdict.wait
        rows.waitRule[row] = verdict.rule
        rows.primitive[row] = verdict.primitive
        rows.run[row] = verdict.run
        fill(thread, id, entry.managedId, flags, this.#jobsByName.of(thread?.name ?? '', this.frames, entry.frames))
      }
    }
    for (const thread of others) {
      rows.wait[row] = NO_WAIT
      rows.waitRule[row] = rows.primitive[row] = rows.run[row] = -1
      fill(thread, thread.id, Number.NaN, 0, this.#jobsByName.of(thread.name, this.frames, null))
    }
    return { rows, extras, sampled }
  }

  #fillInfo(rows: SnapshotRows, row: number, thread: ThreadInfo | undefined): void {
    rows.state[row] = this.#word(thread?.state)
    rows.priority[row] = this.#word(thread?.priority)
    rows.waitReason[row] = this.#word(thread?.waitReason)
    rows.cpuPercent[row] = thread?.cpuPercent ?? Number.NaN
    rows.totalCpuMs[row] = thread?.totalCpuMs ?? Number.NaN
    rows.userCpuMs[row] = thread?.userCpuMs ?? Number.NaN
    rows.allocatedBytes[row] = thread?.allocatedBytes ?? Number.NaN
    const io = thread?.io
    const reported = io === undefined || io === null ? [] : IO_KEYS.map((key) => io[key])
    rows.io?.forEach((column, i) => (column[row] = reported[i] ?? Number.NaN))
  }

  #identity(thread: ThreadInfo | undefined, id: number, managedId: number): number {
    const startTicks = thread?.startTicks ?? Number.NaN
    const managed = thread?.managedId ?? managedId
    const name = thread?.name ?? ''
    const known = this.#identityIds.get(id)
    for (const index of known?.slice(-MAX_NAMESAKES) ?? []) {
      const identity = this.identities[index]
      if (identity === undefined || identity.name !== name) continue
      if (Object.is(identity.startTicks, startTicks) && Object.is(identity.managedId, managed)) return index
    }
    const index = this.identities.length
    this.identities.push({ id, startTicks, name, managedId: managed })
    if (known === undefined) this.#identityIds.set(id, [index])
    else known.push(index)
    return index
  }

  /** Index of a word, such as a state. Words beyond the limit count as not reported. */
  #word(word: string | null | undefined): number {
    if (word === null || word === undefined) return 0
    const known = this.words.indexOf(word)
    if (known !== -1) return known
    if (this.words.length > 255) return 0
    return this.words.push(word) - 1
  }
}

const FULL = 'There is no room for further stacks: new ones end where old ones do. Forget all snapshots to start over.'

/** Value of `SnapshotRows.wait` for a thread without a stack. */
export const NO_WAIT = 255

export const IO_KEYS = [
  'readBytesPerSecond',
  'writeBytesPerSecond',
  'syscallsPerSecond',
  'readBytesTotal',
  'writeBytesTotal',
] as const

/** Maximum number of threads with one id, so that a merged file takes bounded time. */
const MAX_NAMESAKES = 64

const ROW_BYTES = 4 * 3 + 8 + 4 + 8 * 3 + 4 * 5

const newRows = (length: number, hasIo: boolean): SnapshotRows => ({
  length,
  identity: new Uint32Array(length),
  node: new Int32Array(length),
  job: new Uint32Array(length),
  flags: new Uint8Array(length),
  wait: new Uint8Array(length),
  waitRule: new Int8Array(length),
  primitive: new Int8Array(length),
  run: new Int8Array(length),
  state: new Uint8Array(length),
  priority: new Uint8Array(length),
  waitReason: new Uint8Array(length),
  cpuPercent: new Float32Array(length),
  totalCpuMs: new Float64Array(length),
  userCpuMs: new Float64Array(length),
  allocatedBytes: new Float64Array(length),
  io: hasIo ? IO_KEYS.map(() => new Float32Array(length)) : null,
})

/** Sum of the known values; NaN: none. */
export function sumOf(values: Iterable<number>): number {
  let sum = Number.NaN
  for (const value of values) if (!Number.isNaN(value)) sum = (Number.isNaN(sum) ? 0 : sum) + value
  return sum
}

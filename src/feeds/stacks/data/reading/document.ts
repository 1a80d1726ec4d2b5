import { parseTicks } from '../../../../base/ticks.ts'
import { CPU, NATIVE } from '../frames.ts'
import type { FrameTable } from '../frames.ts'
import type { FrameId } from '../../contract/ids.ts'
import type { RawFields, ThreadInfo } from '../live/thread-info.ts'
import { cut, readThreadInfo } from '../live/thread-info.ts'

/** Maximum number of frames of a stack; a deeper one keeps half of them from either end. */
export const MAX_DEPTH = 2048
/**
 * Maximum number of threads, and of entries, of a document: a page is blocked by longer lists (100,000 took 0.7 s), and
 * a server with that many threads is known to be in trouble.
 */
export const MAX_THREADS = 10_000
const MOST = MAX_THREADS.toLocaleString('en-US')
const MAX_OBJECTS = 64
const MAX_OBJECT_UNITS = 256
const MAX_PROBLEMS = 8

/** A stack and the threads that share it. */
export interface StackEntry {
  readonly threadIds: readonly number[]
  /** From the leaf, without the pseudo frame. */
  readonly frames: readonly FrameId[]
  /** State in the pseudo frame: managed code, or native code; null: no such frame. */
  readonly pseudo: 'cpu' | 'native' | null
  readonly isNative: boolean
  readonly managedId: number
  readonly threadType: string | null
  readonly objects: readonly string[]
}

/**
 * The server's figures beside a list of threads, percent of all cores; NaN: not reported. Its `CpuUsage` is the sum of
 * the listed threads, not that of the machine.
 */
export interface MachineInfo {
  readonly processPercent: number
  readonly cores: number
  readonly threads: number
  readonly dedicatedThreads: number
}

/** A response with stacks, threads, or both. */
export interface StackDocument {
  readonly nodeTag: string | null
  /** Time of the response; NaN: not reported. */
  readonly atTicks: number
  readonly entries: readonly StackEntry[]
  readonly threads: readonly ThreadInfo[]
  readonly machine: MachineInfo | null
  readonly reversed: boolean
  readonly problems: readonly string[]
}

/** End of a written stack that is the leaf; null: not known. */
type Order = 'leaf-first' | 'root-first' | null

interface RawEntry {
  ids: number[]
  head: FrameId[]
  /** Ring buffer of the last frames, once `head` is full. */
  tail: FrameId[]
  count: number
  isNative: boolean
  managedId: number
  threadType: string | null
  objects: string[]
}

const HALF = MAX_DEPTH / 2

const newEntry = (): RawEntry => ({
  ids: [],
  head: [],
  tail: [],
  count: 0,
  isNative: false,
  managedId: Number.NaN,
  threadType: null,
  objects: [],
})

/**
 * Collects the parts of one document in any form, and completes it: unique thread ids, bounded stacks from the leaf.
 * Accepts anything, and reports what it left out.
 */
export class DocumentBuilder {
  readonly frames: FrameTable
  #nodeTag: string | null = null
  #atText = ''
  #entries: RawEntry[] = []
  #entry = newEntry()
  #threads: ThreadInfo[] = []
  #machine: Record<string, number> = {}
  #hasMachine = false
  readonly #problems = new Map<string, number>()

  constructor(frames: FrameTable) {
    this.frames = frames
  }

  /** Counts an invalid part by its sentence. */
  problem(sentence: string): void {
    if (this.#problems.has(sentence) || this.#problems.size < 64)
      this.#problems.set(sentence, (this.#problems.get(sentence) ?? 0) + 1)
  }

  nodeTag(value: unknown): void {
    if (typeof value === 'string') this.#nodeTag = cut(value, 64)
  }

  /** Time from `@metadata.DateTime`, or from `Date` of a list, which takes precedence. */
  at(value: unknown, isList: boolean): void {
    if (typeof value === 'string' && (isList || this.#atText === '')) this.#atText = value
  }

  machine(key: string, value: unknown): void {
    if (typeof value !== 'number' || !Number.isFinite(value)) return
    this.#machine[key] = value
    this.#hasMachine = true
  }

  beginEntry(): void {
    this.#entry = newEntry()
  }

  threadId(value: unknown): void {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
      if (this.#entry.ids.length < MAX_THREADS) this.#entry.ids.push(value)
    } else this.problem('A thread id is no whole number.')
  }

  entryField(key: 'IsNative' | 'NativeThreads' | 'ManagedThreadId' | 'ThreadType', value: unknown): void {
    if (key === 'ManagedThreadId') this.#entry.managedId = typeof value === 'number' ? value : Number.NaN
    else if (key === 'ThreadType') this.#entry.threadType = typeof value === 'string' ? cut(value, 64) : null
    else this.#entry.isNative = value === true
  }

  frame(id: FrameId): void {
    const { head, tail } = this.#entry
    if (head.length < HALF) head.push(id)
    else if (tail.length < HALF) tail.push(id)
    else tail[(this.#entry.count - HALF) % HALF] = id
    this.#entry.count++
  }

  object(value: unknown): void {
    const { objects } = this.#entry
    if (objects.length >= MAX_OBJECTS) return
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    objects.push(cut(text, MAX_OBJECT_UNITS))
  }

  endEntry(): void {
    const entry = this.#entry
    this.#entry = newEntry()
    if (entry.ids.length === 0) this.problem('An entry has no thread id.')
    else if (this.#entries.length >= MAX_THREADS) this.problem(`Entries beyond ${MOST} were left out.`)
    else this.#entries.push(entry)
  }

  thread(raw: RawFields): void {
    const info = readThreadInfo(raw)
    if (info === null) this.problem('A thread of the list has no id.')
    else if (this.#threads.length >= MAX_THREADS) this.problem(`Threads beyond ${MOST} were left out.`)
    else this.#threads.push(info)
  }

  /** Whether nothing was read since the last `finish`. */
  get isEmpty(): boolean {
    return this.#entries.length === 0 && this.#threads.length === 0
  }

  /** Returns the document, and prepares for the next one. */
  finish(): StackDocument {
    const order = this.#usualOrder()
    const reversed = order === 'root-first'
    const taken = new Set<number>()
    const entries = this.#entries
      .map((entry) => this.#close(entry, order, taken))
      .filter((entry) => entry.threadIds.length > 0)
    const document: StackDocument = {
      nodeTag: this.#nodeTag,
      atTicks: this.#atText === '' ? Number.NaN : parseTicks(this.#atText),
      entries,
      threads: this.#once(this.#threads),
      machine: this.#hasMachine ? machineOf(this.#machine) : null,
      reversed,
      problems: this.#sentences(),
    }
    this.#nodeTag = null
    this.#atText = ''
    this.#entries = []
    this.#threads = []
    this.#machine = {}
    this.#hasMachine = false
    this.#problems.clear()
    return document
  }

  /** Order of the stacks by the frames at their ends, by majority; a stack without evidence follows the others. */
  #usualOrder(): Order {
    let leafFirst = 0
    let rootFirst = 0
    for (const entry of this.#entries) {
      const order = this.#orderOf(entry)
      if (order === 'leaf-first') leafFirst++
      else if (order === 'root-first') rootFirst++
    }
    return rootFirst > leafFirst ? 'root-first' : 'leaf-first'
  }

  #orderOf(entry: RawEntry): Order {
    const first = entry.head[0]
    const last = lastOf(entry)
    if (first === undefined || last === undefined) return null
    const firstEnd = endOf(this.frames, first)
    const lastEnd = endOf(this.frames, last)
    if (firstEnd === 'leaf' || lastEnd === 'root')
      return lastEnd === 'leaf' || firstEnd === 'root' ? null : 'leaf-first'
    return lastEnd === 'leaf' || firstEnd === 'root' ? 'root-first' : null
  }

  #close(entry: RawEntry, usual: Order, taken: Set<number>): StackEntry {
    const frames = this.#framesOf(entry)
    if ((this.#orderOf(entry) ?? usual) === 'root-first') frames.reverse()
    const leaf = frames[0]
    const pseudo = leaf === CPU ? 'cpu' : leaf === NATIVE ? 'native' : null
    const threadIds: number[] = []
    for (const id of entry.ids) {
      if (taken.has(id)) this.problem('A thread id comes twice: its first stack counts.')
      else threadIds.push(id)
      taken.add(id)
    }
    return {
      threadIds,
      frames: pseudo === null ? frames : frames.slice(1),
      pseudo,
      isNative: entry.isNative,
      managedId: entry.managedId,
      threadType: entry.threadType,
      objects: entry.objects,
    }
  }

  #framesOf({ head, tail, count }: RawEntry): FrameId[] {
    const left = count - head.length - tail.length
    if (tail.length === 0) return head
    if (left <= 0) return [...head, ...tail]
    this.problem(`A stack is deeper than ${MAX_DEPTH.toLocaleString('en-US')} frames: its middle was left out.`)
    const from = (count - HALF) % HALF
    const gap = this.frames.intern(`[${left.toLocaleString('en-US')} frames left out]`)
    return [...head, gap, ...tail.slice(from), ...tail.slice(0, from)]
  }

  #once(threads: readonly ThreadInfo[]): ThreadInfo[] {
    const byId = new Map<number, ThreadInfo>()
    for (const thread of threads) {
      if (byId.has(thread.id)) this.problem('A thread comes twice in the list: its first row counts.')
      else byId.set(thread.id, thread)
    }
    return [...byId.values()]
  }

  #sentences(): string[] {
    const all = Array.from(this.#problems, ([sentence, count]) =>
      count === 1 ? sentence : `${sentence.replace(/\.$/, '')} (${count.toLocaleString('en-US')} times).`,
    )
    return all.length <= MAX_PROBLEMS
      ? all
      : [...all.slice(0, MAX_PROBLEMS), `And ${all.length - MAX_PROBLEMS} more kinds of problems.`]
  }
}

/** The frame that was written last. */
function lastOf({ head, tail, count }: RawEntry): FrameId | undefined {
  return tail.length < HALF ? (tail.at(-1) ?? head.at(-1)) : tail[(count - 1 - HALF) % HALF]
}

/** Methods with which threads begin. */
const ROOTS: ReadonlySet<string> = new Set([
  'Thread.StartCallback',
  'ThreadHelper.ThreadStart',
  'ThreadHelper.ThreadStart_Context',
  'ThreadHelper.ThreadStartHelper',
  'ExecutionContext.RunInternal',
  'PooledThread.Run',
  'PoolOfThreads+PooledThread.Run',
  'PortableThreadPool+WorkerThread.WorkerThreadStart',
  'PortableThreadPool+GateThread.GateThreadStart',
  'PortableThreadPool+WaitThread.WaitThreadStart',
  'TimerQueue.TimerThread',
  'SocketAsyncEngine.EventLoop',
  'Program.Main',
])

/** Methods at the innermost end that only wait. */
const LEAVES = /^(?:WaitHandle|Monitor|LowLevelLifoSemaphore|ManualResetEventSlim|Interop)\b/

function endOf(frames: FrameTable, id: FrameId): 'leaf' | 'root' | null {
  if (id === CPU || id === NATIVE) return 'leaf'
  const { key, typeKey } = frames.frame(id)
  return ROOTS.has(key) ? 'root' : LEAVES.test(typeKey) ? 'leaf' : null
}

const machineOf = (raw: Readonly<Record<string, number>>): MachineInfo => ({
  processPercent: raw['ProcessCpuUsage'] ?? Number.NaN,
  cores: raw['ActiveCores'] ?? Number.NaN,
  threads: raw['ThreadsCount'] ?? Number.NaN,
  dedicatedThreads: raw['DedicatedThreadsCount'] ?? Number.NaN,
})

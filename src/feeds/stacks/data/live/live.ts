import { usableShare } from '../../../../base/text/cpu-shares.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { Governor } from '../../../../ravendb/governor/governor.ts'
import type { SocketControl } from '../../../../ravendb/sockets/sockets.ts'
import type { SocketPhase } from '../../../../ravendb/sockets/socket-events.ts'
import type { MachineInfo, StackDocument } from '../reading/document.ts'
import { FrameTable } from '../frames.ts'
import { JobHistory } from '../history.ts'
import { JobsByName } from '../jobs.ts'
import type { MachineCpu } from './machine-cpu.ts'
import type { Job } from '../../contract/jobs.ts'
import type { LiveState } from '../../contract/live.ts'
import type { ThreadInfo } from './thread-info.ts'
import { readStackDocuments } from './wire.ts'

/** Time, ms, for which the list stays open after the last request. */
const WANTED_MS = 15_000

/** Maximum difference in time between a list and a figure of the machine that applies to it. */
const NEAR_TICKS = 3 * TICKS_PER_SECOND

/** The newest list. */
export interface LiveList {
  readonly atTicks: number
  readonly machine: MachineInfo | null
  /** CPU of the machine, percent; NaN: not reported. */
  readonly machinePercent: number
  readonly threads: ReadonlyMap<number, ThreadInfo>
}

/**
 * Name of the thread that the runtime starts for each diagnostics session, for about a tenth of a second; one more of
 * that name always exists, for the server's own listening.
 */
const SESSION_THREAD = '.NET EventPipe'

/** The server's list of threads, once a second, while a panel needs it. */
export class LiveThreads {
  readonly history = new JobHistory()
  readonly #changed: () => void
  readonly #sampling: (governor: Governor) => void
  readonly #machineCpu: MachineCpu
  readonly #noFrames = new FrameTable()
  readonly #jobs = new JobsByName()
  #socket: SocketControl | null = null
  #disarm: (() => void) | null = null
  #wantedUntilMs = 0
  #phase: SocketPhase | null = null
  /** The first list after opening is skipped: it covers the time since any client last listened, and lacks threads. */
  #skipFirst = true
  list: LiveList | null = null
  /** Ids of the runtime's sampling threads in the previous list; null: none since the socket was opened. */
  #sessions: ReadonlySet<number> | null = null

  constructor(machineCpu: MachineCpu, changed: () => void, sampling: (governor: Governor) => void) {
    this.#machineCpu = machineCpu
    this.#changed = changed
    this.#sampling = sampling
  }

  want(governor: Governor): LiveState {
    this.#wantedUntilMs = governor.env.now() + WANTED_MS
    this.#machineCpu.want(governor)
    if (this.#socket === null) this.#open(governor)
    return this.state()
  }

  close(): void {
    this.#socket?.close()
    this.#socket = null
    this.#phase = null
    this.#disarm?.()
    this.#disarm = null
    this.#changed()
  }

  /** Job by name alone. */
  job(name: string): Job {
    return this.#jobs.of(name, this.#noFrames, null)
  }

  state(): LiveState {
    const machine = this.list?.machine
    return {
      ...phaseOf(this.#phase, this.#skipFirst),
      atTicks: (this.list?.atTicks ?? Number.NaN) as Ticks,
      machinePercent: this.list?.machinePercent ?? Number.NaN,
      processPercent: machine?.processPercent ?? Number.NaN,
    }
  }

  #open(governor: Governor): void {
    this.#skipFirst = true
    this.#socket = governor.openSocket(
      'threadsInfo',
      {},
      {
        onPhase: (phase) => {
          if (phase.phase === 'connecting') {
            this.#skipFirst = true
            this.#sessions = null
          }
          this.#phase = phase
          this.#changed()
        },
        onFrame: (text) => this.#take(text, governor),
      },
      { audience: { feed: 'stacks' } },
    )
    this.#arm(governor)
  }

  #arm(governor: Governor): void {
    const { env } = governor
    const timer = env.setTimeout(
      () => {
        if (env.now() >= this.#wantedUntilMs) this.close()
        else this.#arm(governor)
      },
      Math.max(100, this.#wantedUntilMs - env.now()),
    )
    this.#disarm = () => env.clearTimeout(timer)
  }

  #take(text: string, governor: Governor): void {
    const document = parseList(text)
    if (document === null) return
    if (this.#skipFirst) {
      this.#skipFirst = false
      this.#changed()
      return
    }
    const { atTicks, machine, threads } = this.#ofSeenCores(document)
    const machinePercent = this.#machinePercentAt(atTicks)
    this.list = { atTicks, machine, machinePercent, threads: new Map(threads.map((thread) => [thread.id, thread])) }
    const totals = { machinePercent, processPercent: machine?.processPercent ?? Number.NaN }
    this.history.add(atTicks, totals, threads, (name) => this.job(name))
    this.#watchSessions(threads, governor)
    this.#changed()
  }

  /** CPU in percent of all cores that the server sees: it reports that of those that it may use. */
  #ofSeenCores(document: StackDocument): Pick<StackDocument, 'atTicks' | 'machine' | 'threads'> {
    const { machine, threads } = document
    const share = usableShare({ cores: this.#machineCpu.newest()?.cores ?? null, usedCores: machine?.cores ?? null })
    if (machine === null || share === 1) return document
    return {
      ...document,
      machine: { ...machine, processPercent: machine.processPercent * share },
      threads: threads.map((thread) => scaled(thread, share)),
    }
  }

  #machinePercentAt(atTicks: number): number {
    const newest = this.#machineCpu.newest()
    return newest !== null && Math.abs(newest.atTicks - atTicks) <= NEAR_TICKS ? newest.percent : Number.NaN
  }

  #watchSessions(threads: readonly ThreadInfo[], governor: Governor): void {
    const before = this.#sessions
    const now = new Set(threads.filter(({ name }) => name === SESSION_THREAD).map(({ id }) => id))
    this.#sessions = now
    if (before !== null && [...now].some((id) => !before.has(id))) this.#sampling(governor)
  }
}

const scaled = (thread: ThreadInfo, share: number): ThreadInfo => ({ ...thread, cpuPercent: thread.cpuPercent * share })

/** Parses a frame; null: not a list. The next one comes in a second. */
function parseList(text: string): StackDocument | null {
  try {
    return readStackDocuments(JSON.parse(text), new FrameTable())[0] ?? null
  } catch {
    return null
  }
}

function phaseOf(
  phase: SocketPhase | null,
  isFirst: boolean,
): Pick<LiveState, 'phase' | 'message' | 'retryAtMs' | 'error'> {
  if (phase === null) return { phase: 'off', message: '', retryAtMs: null, error: null }
  const { message, retryAtMs, error } = phase
  const state = { message, retryAtMs, error }
  switch (phase.phase) {
    case 'open':
      return { ...state, phase: isFirst ? 'first' : 'live' }
    case 'checking':
    case 'connecting':
      return { ...state, phase: 'connecting' }
    case 'refused':
      return { ...state, phase: 'refused' }
    case 'paused':
    case 'paused-by-rookery':
      return { ...state, phase: phase.phase }
    default:
      return { ...state, phase: 'waiting' }
  }
}

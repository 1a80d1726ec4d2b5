import { asRavenError } from '../../../ravendb/errors/errors.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import type { DatabaseRow } from '../../../ravendb/databases/databases.ts'
import type { KernelMemory, KernelMemoryLack } from '../../../ravendb/machine/kernel-memory.ts'
import type { FailingIndex } from './figures/databases/failing-indexes.ts'
import { readMemoryGc } from './figures/gc.ts'
import type { ServerModel } from './model.ts'
import { readNotification } from './wire/notifications-wire.ts'
import {
  readAdminMetrics,
  readAdminStats,
  readCredits,
  readIdle,
  readLicence,
  readLowMemoryLog,
  readServerId,
  readTcpStats,
} from './wire/polls-wire.ts'
import type { Lacking } from '../contract/watch.ts'
import { readRunningQueries } from './wire/running-queries.ts'
import { readTopology } from './wire/topology-wire.ts'
import { readWidget, type WidgetType } from './wire/widgets.ts'
import type { LoggedError } from './wire/traffic-wire.ts'
import type { DatabaseWork } from './wire/work-wire.ts'
import type { WriteCounts } from './figures/writes.ts'

/** Polls: vital ones on every panel, the others while a panel of the server is open. */
export const POLLS = {
  serverId: { everyMs: 600_000, isVital: true, what: 'the identity of the server' },
  clusterTopology: { everyMs: 15_000, isVital: true, what: 'the cluster' },
  adminStats: { everyMs: 60_000, isVital: true, what: 'start and up time' },
  adminMetrics: { everyMs: 10_000, isVital: true, what: 'requests at once' },
  cpuCredits: { everyMs: 5000, isVital: true, what: 'CPU credits' },
  lowMemoryLog: { everyMs: 60_000, isVital: true, what: 'low-memory events' },
  tcpStats: { everyMs: 10_000, isVital: false, what: 'network' },
  idleDatabases: { everyMs: 15_000, isVital: false, what: 'when databases are unloaded' },
  memoryGc: { everyMs: 30_000, isVital: true, what: 'details of garbage collection' },
  licenseStatus: { everyMs: 600_000, isVital: false, what: 'the licence' },
} as const
export type PollName = keyof typeof POLLS

/** Received data. The collecting tab passes its inputs on to the other tabs of this browser. */
export type ServerInput = {
  readonly atMs: number
  /**
   * Whether it arrived before this page joined. It then gives the newest figure, but does not show that this page was
   * collecting.
   */
  readonly isPast?: boolean
} & (
  | { readonly kind: 'frame'; readonly node: string | null; readonly text: string }
  | { readonly kind: 'kernel-memory'; readonly memory: KernelMemory }
  | { readonly kind: 'no-kernel-memory'; readonly why: KernelMemoryLack }
  | { readonly kind: 'response'; readonly poll: PollName; readonly response: unknown }
  | { readonly kind: 'notification'; readonly text: string }
  /** The notifications socket opened. It begins with all existing notifications. */
  | { readonly kind: 'notifications-restarted' }
  | { readonly kind: 'list'; readonly rows: readonly DatabaseRow[] }
  /** Running queries. `text` null: the socket closed, so that they are no longer known. */
  | { readonly kind: 'queries'; readonly text: string | null }
  | { readonly kind: 'failing'; readonly database: string; readonly indexes: readonly FailingIndex[] }
  | { readonly kind: 'work'; readonly database: string; readonly work: DatabaseWork }
  /** Times of the busiest merger of a turn of polls. */
  | { readonly kind: 'work-turn'; readonly mergerTimes: DatabaseWork['mergerTimes'] }
  /** Writes that were listened to. Empty: listening has begun. */
  | { readonly kind: 'writes'; readonly counts: readonly WriteCounts[] }
  | { readonly kind: 'write-error'; readonly database: string | null; readonly error: LoggedError }
  | { readonly kind: 'lacking'; readonly of: 'vitals' | 'details'; readonly lacking: readonly Lacking[] }
)

/**
 * Maximum time, ms, for which figures without a timestamp wait for the first frame of the server that has one. It
 * usually arrives within tenths of a second.
 */
const UNTIMED_MS = 10_000
/** Inputs without a timestamp, by kind or by poll. */
const UNTIMED: ReadonlySet<ServerInput['kind'] | PollName> = new Set([
  'kernel-memory',
  'list',
  'queries',
  'work',
  'work-turn',
  'writes',
  'write-error',
  'adminMetrics',
  'cpuCredits',
  'tcpStats',
  'memoryGc',
] as const)

/**
 * Puts inputs into the model. An input that cannot be read changes nothing; the error is reported once for each kind.
 */
export class Inputs {
  readonly model: ServerModel
  /** Errors of inputs that could not be read, by label of the figures. */
  readonly malformed = new Map<string, Lacking>()
  /** Inputs that arrived before the server's clock was known. This browser's clock may be off by minutes. */
  readonly #waiting: ServerInput[] = []
  #untimedSinceMs: number | null = null

  constructor(model: ServerModel) {
    this.model = model
  }

  /** Takes an input. Returns the type of the widget; null: not a known widget. */
  take(input: ServerInput): WidgetType | 'ServerTime' | null {
    const isUntimed = UNTIMED.has(input.kind === 'response' ? input.poll : input.kind)
    if (isUntimed) this.#untimedSinceMs ??= input.atMs
    const isLate = input.atMs - (this.#untimedSinceMs ?? input.atMs) >= UNTIMED_MS
    const waits = isUntimed && this.model.receivedMs === null && !isLate
    if (waits) this.#waiting.push(input)
    const type = waits ? null : this.#takeNow(input)
    if (this.model.receivedMs !== null || isLate) for (const each of this.#waiting.splice(0)) this.#takeNow(each)
    return type
  }

  #takeNow(input: ServerInput): WidgetType | 'ServerTime' | null {
    const label = labelOf(input)
    try {
      const type = this.#take(input)
      this.malformed.delete(label)
      return type
    } catch (thrown) {
      const endpoint = input.kind === 'response' ? ENDPOINTS[input.poll].route : label
      const error = asRavenError(thrown, endpoint).toInfo()
      this.malformed.set(label, { kind: 'error', what: label, endpoint, message: error.message, error })
      return null
    }
  }

  #take(input: ServerInput): WidgetType | 'ServerTime' | null {
    const { model } = this
    switch (input.kind) {
      case 'frame': {
        const frame = readWidget(JSON.parse(input.text))
        if (frame === null) return null
        const tag = input.node ?? model.topology?.ownTag
        if (tag !== undefined) model.nodeFrame(tag, frame)
        if (input.node === null) model.widget(frame, input.atMs, input.isPast === true)
        return frame.type
      }
      case 'response':
        this.#response(input.poll, input.response, input.atMs)
        return null
      case 'kernel-memory':
        model.kernelMemory(input.memory, input.atMs)
        return null
      case 'no-kernel-memory':
        model.noKernelMemory(input.why)
        return null
      case 'notification': {
        const notification = readNotification(JSON.parse(input.text))
        if (notification.kind === 'alert') model.raise(notification.alert)
        else if (notification.kind === 'operation')
          model.operations.take(notification.id, notification.frame, model.clock.at(input.atMs))
        else if (notification.kind === 'removed') model.alerts.delete(notification.id)
        else if (notification.kind === 'topology') model.topology = readTopology(notification.response)
        model.version++
        return null
      }
      case 'notifications-restarted':
        model.alerts.clear()
        model.operations.reconnected()
        return null
      case 'list': {
        // The list may arrive before the server has reported its time, and the next list comes half a minute later.
        model.databases.listed(input.rows, model.clock.at(input.atMs))
        model.version++
        return null
      }
      case 'queries':
        model.takeQueries(input.text === null ? null : readRunningQueries(JSON.parse(input.text)), input.atMs)
        return null
      case 'failing':
        model.databases.failing(input.database, input.indexes, model.clock.at(input.atMs))
        model.version++
        return null
      case 'work':
        model.takeWork(input.database, input.work, input.atMs)
        return null
      case 'work-turn':
        model.takeMergerTimes(input.mergerTimes)
        return null
      case 'writes':
        model.takeWrites(input.counts, input.atMs)
        return null
      case 'write-error':
        model.explainWrites(input.database, input.error, input.atMs)
        return null
      case 'lacking':
        return null
    }
  }

  #response(poll: PollName, response: unknown, atMs: number): void {
    const { model } = this
    switch (poll) {
      case 'serverId':
        model.serverId = readServerId(response)
        break
      case 'clusterTopology':
        model.topology = readTopology(response)
        break
      case 'adminStats':
        model.stats(readAdminStats(response))
        break
      case 'adminMetrics':
        model.metrics(readAdminMetrics(response), atMs)
        break
      case 'cpuCredits':
        model.credits(readCredits(response), atMs)
        break
      case 'lowMemoryLog':
        model.lowMemory = readLowMemoryLog(response)
        break
      case 'tcpStats':
        model.tcp(readTcpStats(response), atMs)
        break
      case 'idleDatabases':
        model.databases.idle(readIdle(response))
        break
      case 'memoryGc':
        model.gcDetail(readMemoryGc(response), atMs)
        break
      case 'licenseStatus':
        model.licence = readLicence(response)
        break
    }
    model.version++
  }
}

function labelOf(input: ServerInput): string {
  if (input.kind === 'response') return POLLS[input.poll].what
  if (input.kind === 'frame') return 'frames of the dashboard'
  if (input.kind === 'queries') return 'running queries'
  return input.kind === 'notification' ? 'notifications of the server' : input.kind
}

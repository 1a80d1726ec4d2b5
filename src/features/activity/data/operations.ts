import type { JsonObject } from '../../../base/json/check.ts'
import type { LaterPart } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { asRavenError, RavenError } from '../../../ravendb/errors/errors.ts'
import {
  isRunning,
  newestFirst,
  readOperationChanged,
  readOperations,
  readOperationState,
  withState,
  type Operation,
} from '../../../ravendb/operations-wire.ts'
import type { ActivityRequests, OperationsResponse } from '../contract.ts'
import { withPace, type MergerWaits } from './bulk-pace.ts'

/** Number of databases polled at once; the others are polled in the next round. */
const AT_ONCE = 6
const MOST_OPERATIONS = 200
/** Interval for a database that other clients use, ms. */
const AGAIN_MS = 5000
/**
 * Interval for all others, ms. An operation may run for long before it writes; by then the list of idle times shows it.
 * Until then the earlier response is reused, and the database gets no request.
 */
const LATER_MS = 15_000

/** Facts from the server's own feed, without a request. */
export interface OperationsSource {
  /** Newest frame of each operation of the server itself. */
  readonly frames: () => readonly JsonObject[]
  /** Names of loaded databases; null: not known yet. */
  readonly loaded: () => readonly string[] | null
  /** Loaded databases that other clients use. */
  readonly used: () => readonly string[]
  /** Newest report on the transaction merger of a database that other clients write to; undefined: none, or too old. */
  readonly merger: (database: string) => { readonly mergerTimes: readonly MergerWaits[] } | undefined
}

/** Parameters of `activity.operations`. */
interface Wanted {
  readonly round: number
  readonly also: readonly string[]
  readonly all: boolean
}

interface Known {
  readonly round: number
  readonly atMs: number
  /** Time when `operations` was read; null: never. Differs from `atMs` if the last request failed. */
  readonly readMs: number | null
  readonly operations: readonly Operation[]
  /** Error of the request; null: no error. */
  readonly message: string | null
  /** Whether no other client has used it, so that it got no request. */
  readonly isResting: boolean
}

export function operationResponses(source: OperationsSource): LaterPart {
  const reader = new OperationsReader(source)
  return {
    responses: {
      'activity.operations': ({ round, also, all = false }, governor, signal) =>
        reader.read({ round, also, all }, governor, signal),
    } satisfies Handlers<keyof ActivityRequests>,
  }
}

/** Collects the operations of a server and of its loaded databases, a few databases at a time. */
export class OperationsReader {
  readonly #source: OperationsSource
  readonly #known = new Map<string, Known>()
  #isBlind = false

  constructor(source: OperationsSource) {
    this.#source = source
  }

  /**
   * Reads the operations. `round` increases when the user wants all of them requested again; each view has its own.
   * Errors: only an abort; databases that fail are named.
   */
  async read(
    { round, also, all: isAll }: Wanted,
    governor: Governor,
    signal: AbortSignal,
  ): Promise<OperationsResponse> {
    const loaded = this.#source.loaded()
    const isLoaded = new Set(loaded ?? [])
    for (const name of this.#known.keys()) if (loaded !== null && !isLoaded.has(name)) this.#known.delete(name)
    // Requests follow each other: a burst would slow down other clients.
    const due = this.#next(round, also, governor.env.now())
    if (due.length > 0) this.#isBlind = await governor.isBlind()
    for (const name of due) await this.#request(name, { round, all: isAll }, governor, signal)
    const ofServer = await this.#ofServer(governor, signal)
    const all = newestFirst([...ofServer, ...[...this.#known.values()].flatMap(({ operations }) => operations)])
    const running = all.filter(isRunning)
    const ended = all
      .filter((operation) => !isRunning(operation))
      .slice(0, Math.max(0, MOST_OPERATIONS - running.length))
    return {
      operations: [...running, ...ended],
      more: all.length - running.length - ended.length,
      loaded: loaded?.length ?? null,
      isBlind: this.#isBlind,
      answered: this.#count((known) => known.round >= round && known.message === null && !known.isResting),
      resting: this.#count((known) => known.round >= round && known.isResting),
      failed: [...this.#known].flatMap(([database, { message }]) => (message === null ? [] : [{ database, message }])),
    }
  }

  #count(isCounted: (known: Known) => boolean): number {
    return [...this.#known.values()].filter(isCounted).length
  }

  /** Databases to poll next: those never polled, or longest ago. */
  #next(round: number, also: readonly string[], nowMs: number): readonly string[] {
    const again = new Set([...this.#source.used(), ...also])
    const lastMs = (name: string): number => this.#known.get(name)?.atMs ?? 0
    return (this.#source.loaded() ?? [])
      .filter((name) => {
        const known = this.#known.get(name)
        if (known === undefined || known.round < round || known.operations.some(isRunning)) return true
        return nowMs - known.atMs >= (again.has(name) || known.isResting ? AGAIN_MS : LATER_MS)
      })
      .toSorted((a, b) => lastMs(a) - lastMs(b))
      .slice(0, AT_ONCE)
  }

  async #request(
    database: string,
    { round, all }: Pick<Wanted, 'round' | 'all'>,
    governor: Governor,
    signal: AbortSignal,
  ): Promise<void> {
    const atMs = governor.env.now()
    // A refresh needs the current operations, whatever was read before; so does a new view that would not see them
    // begin.
    const isFresh = (all || this.#isBlind) && (this.#known.get(database)?.round ?? 0) < round
    try {
      const response = await governor.json(
        'operations',
        { database },
        { signal, priority: 'poll', afterWorkOnly: !all, isFresh },
      )
      const before = this.#known.get(database)
      const read = readOperations(response, database)
      const operations = withPace(
        read,
        before?.operations ?? [],
        atMs - (before?.readMs ?? atMs),
        this.#source.merger(database)?.mergerTimes ?? [],
      )
      this.#known.set(database, { round, atMs, readMs: atMs, operations, message: null, isResting: false })
    } catch (thrown) {
      if (signal.aborted) throw thrown
      if (thrown instanceof RavenError && thrown.kind === 'database-unloaded') this.#known.delete(database)
      else {
        const { message, serverMessage } = asRavenError(thrown, 'operations')
        const { operations = [], readMs = null } = this.#known.get(database) ?? {}
        const isResting = thrown instanceof RavenError && thrown.kind === 'database-resting'
        const why = isResting ? null : (serverMessage ?? message)
        this.#known.set(database, { round, atMs, readMs, operations, message: why, isResting })
      }
    }
  }

  /** Operations of the server. Frames may have been lost with the connection, so the state of running ones is read. */
  async #ofServer(governor: Governor, signal: AbortSignal): Promise<readonly Operation[]> {
    const read: Operation[] = []
    for (const frame of this.#source.frames()) {
      const operation = readOperationChanged(frame)
      read.push(isRunning(operation) ? await this.#now(operation, governor, signal) : operation)
    }
    return read
  }

  async #now(operation: Operation, governor: Governor, signal: AbortSignal): Promise<Operation> {
    try {
      const params = { id: String(operation.id) }
      const response = await governor.json('serverOperationState', params, { signal, priority: 'poll' })
      return withState(operation, readOperationState(response))
    } catch (thrown) {
      if (signal.aborted) throw thrown
      if (thrown instanceof RavenError && thrown.status === 404)
        return { ...operation, status: 'Unknown', text: 'The server does not know it any more.', share: null }
      return operation
    }
  }
}

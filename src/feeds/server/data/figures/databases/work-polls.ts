import type { Ticks } from '../../../../../base/ticks.ts'
import type { EndpointKey } from '../../../../../ravendb/endpoints.ts'
import { ENDPOINTS } from '../../../../../ravendb/endpoints.ts'
import { DATABASES_OF_TURN } from '../../../../../ravendb/limits.ts'
import type { Governor } from '../../../../../ravendb/governor/governor.ts'
import { readDatabaseCounts, readMerger, readProgress, readStats, type DatabaseWork } from '../../wire/work-wire.ts'

/** Minimum number of turns between two polls of a database that is used but not at work. */
const TURNS_BETWEEN = 3
const REMEMBERED_TURNS = 10
const PARTS: readonly EndpointKey[] = [
  'indexesProgress',
  'databaseStats',
  'databaseMetrics',
  'perfMetrics',
  'operations',
]
const ONE_MS = PARTS.reduce((sum, key) => sum + ENDPOINTS[key].costMs, 0)

/** Databases that may be polled: other clients use them, so that it is not Rookery's requests that keep them loaded. */
export interface PollableDatabases {
  /** Databases in which other clients write or index now, busiest first. */
  readonly working: readonly string[]
  /** Databases that other clients read frequently, or keep loaded. */
  readonly inUse: readonly string[]
  /** Databases of `working` whose newest frame may report the same work as the previous frame. */
  readonly repeated: ReadonlySet<string>
}

const NONE: PollableDatabases = { working: [], inUse: [], repeated: new Set() }

/**
 * Polls databases in use for figures that only they have: which indexes lag or are stopped, and how the time of
 * transactions is spent. Only other clients count as use. An idle database is never polled, and none is kept loaded:
 * each request renews the time until the server unloads a database, as does its own flush some 6 s after a write. A
 * single write appears in two frames, 1 to 4 s and 4 to 7 s after it; the second of these causes no request.
 */
export class WorkPolls {
  readonly #governor: Governor
  readonly #pollable: () => PollableDatabases | null
  readonly #nowTicks: () => Ticks
  readonly #onResponse: (database: string, work: DatabaseWork) => void
  /** Number of the turn in which each database was last polled. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  #polled = 0
  #isPolling = false

  /** `onResponse`: takes the response of each database as it arrives. Others of its turn may take long. */
  constructor(
    governor: Governor,
    pollable: () => PollableDatabases | null,
    nowTicks: () => Ticks,
    onResponse: (database: string, work: DatabaseWork) => void,
  ) {
    this.#governor = governor
    this.#pollable = pollable
    this.#nowTicks = nowTicks
    this.#onResponse = onResponse
  }

  /** Estimated server CPU of the next turn, ms, by the number of databases polled in the last one. */
  get costMs(): number {
    return this.#polled * ONE_MS
  }

  /**
   * Whether a database in use has not been polled recently although the last turn had room for it, so that it should
   * not wait for the next turn.
   */
  get isBehind(): boolean {
    if (this.#isPolling || this.#polled >= DATABASES_OF_TURN) return false
    const pollable = this.#pollable()
    return (
      pollable !== null &&
      [...pollable.working, ...pollable.inUse].some((name) => !this.#turns.has(name) && !pollable.repeated.has(name))
    )
  }

  /**
   * Polls the next few databases, those polled longest ago first. Polls none if nothing works, or if that is not known.
   * Returns the responses of the turn.
   */
  async poll(signal: AbortSignal): Promise<readonly DatabaseWork[]> {
    const { working, inUse, repeated } = this.#pollable() ?? NONE
    const known = new Set([...working, ...inUse])
    // Remembers a database for some turns, so that one with occasional use is not polled each time.
    for (const [name, turn] of this.#turns)
      if (!known.has(name) && this.#turn - turn >= REMEMBERED_TURNS) this.#turns.delete(name)
    const next = this.#next(
      working.filter((name) => !repeated.has(name)),
      inUse,
    )
    this.#turn++
    for (const name of next) this.#turns.set(name, this.#turn)
    this.#polled = next.length
    const responses: DatabaseWork[] = []
    this.#isPolling = true
    try {
      // Sequential requests: a burst would slow down the clients that write there.
      for (const name of next) {
        const work = await this.#pollOne(name, signal)
        if (signal.aborted) break
        responses.push(work)
        this.#onResponse(name, work)
      }
    } finally {
      this.#isPolling = false
    }
    return responses
  }

  /**
   * Databases at work first. The last place is reserved for one that is only in use, so that it gets its turn among
   * many writers.
   */
  #next(working: readonly string[], inUse: readonly string[]): readonly string[] {
    const longest = (names: readonly string[]): readonly string[] =>
      names.toSorted((a, b) => (this.#turns.get(a) ?? 0) - (this.#turns.get(b) ?? 0))
    const due = longest(inUse.filter((name) => this.#turn - (this.#turns.get(name) ?? -TURNS_BETWEEN) >= TURNS_BETWEEN))
    const writers = longest(working).slice(0, due.length === 0 ? DATABASES_OF_TURN : DATABASES_OF_TURN - 1)
    return [...writers, ...due].slice(0, DATABASES_OF_TURN)
  }

  async #pollOne(database: string, signal: AbortSignal): Promise<DatabaseWork> {
    const part = async <T>(key: EndpointKey, read: (response: unknown) => T | Promise<T>): Promise<T | null> => {
      try {
        return await read(await this.#governor.json(key, { database }, { signal, priority: 'poll' }))
      } catch (error) {
        if (signal.aborted) throw error
        return null
      }
    }
    const indexes = await part('indexesProgress', readProgress)
    const stats = await part('databaseStats', readStats)
    const counts = await part('databaseMetrics', (response) => readDatabaseCounts(response, this.#nowTicks()))
    const perf = await part('perfMetrics', async (response) => {
      // Not part of the first load, since it is needed only for a server at work.
      const { readMergerTimes } = await import('../../wire/merger-wire.ts')
      const nowTicks = this.#nowTicks()
      return { merger: readMerger(response, nowTicks), times: readMergerTimes(response, nowTicks) }
    })
    const operations = await part('operations', async (response) => {
      const { readListedOperations } = await import('../../wire/listed-operations.ts')
      return readListedOperations(response, database, this.#nowTicks())
    })
    return {
      operations,
      counts,
      indexes,
      merger: perf?.merger ?? null,
      mergerTimes: perf?.times ?? [],
      states: stats?.states ?? null,
      waiting: stats?.waiting ?? null,
    }
  }
}

import type { Ticks } from '../../../../../base/ticks.ts'
import type { EndpointKey } from '../../../../../ravendb/endpoints.ts'
import { ENDPOINTS } from '../../../../../ravendb/endpoints.ts'
import type { Governor } from '../../../../../ravendb/governor/governor.ts'
import { readDatabaseCounts, readMerger, readProgress, readStats, type DatabaseWork } from '../../wire/work-wire.ts'

/** Databases polled in one go: the others have their turn in the next. */
const AT_ONCE = 4
/** Turns between two polls of a database that is merely in use, at least. */
const TURNS_BETWEEN = 3
const REMEMBERED_TURNS = 10
const PARTS: readonly EndpointKey[] = [
  'databaseMetrics',
  'indexesProgress',
  'perfMetrics',
  'databaseStats',
  'operations',
]
const ONE_MS = PARTS.reduce((sum, key) => sum + ENDPOINTS[key].costMs, 0)

/** Databases that may be polled, because no request of ours keeps them loaded. */
export interface Askable {
  /** Databases in which other clients write or index now, busiest first. */
  readonly working: readonly string[]
  /** Databases that other clients read a lot, or hold on to. */
  readonly inUse: readonly string[]
  /** Databases of `working` whose newest frame may report the same work as the one before. */
  readonly repeated: ReadonlySet<string>
}

const NONE: Askable = { working: [], inUse: [], repeated: new Set() }

/**
 * Polls databases that are in use for what only they know: which indexes lag or were stopped, and how their
 * transactions go. Use is what other clients do. So an idle database is never polled, and none is kept loaded: every
 * request renews the time until the server unloads it, as its own flush does some 6 s after a write. A single write is
 * in two frames, 1 to 4 s and 4 to 7 s after it, so no request follows from the second.
 */
export class WorkAsker {
  readonly #governor: Governor
  readonly #askable: () => Askable | null
  readonly #nowTicks: () => Ticks
  /** Number of the turn in which each was polled last. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  #asked = 0
  #isAsking = false

  constructor(governor: Governor, askable: () => Askable | null, nowTicks: () => Ticks) {
    this.#governor = governor
    this.#askable = askable
    this.#nowTicks = nowTicks
  }

  /** Server CPU of the next turn, ms, by how many were polled in the last one. */
  get costMs(): number {
    return this.#asked * ONE_MS
  }

  /**
   * Whether a database is in use that was not polled lately, and the last turn had room for it, so that it need not
   * wait for the next.
   */
  get isBehind(): boolean {
    if (this.#isAsking || this.#asked >= AT_ONCE) return false
    const askable = this.#askable()
    return (
      askable !== null &&
      [...askable.working, ...askable.inUse].some((name) => !this.#turns.has(name) && !askable.repeated.has(name))
    )
  }

  /**
   * Polls the next few, those first whose last turn is longest ago; none where nothing works, or while that is not
   * known.
   */
  async ask(signal: AbortSignal): Promise<readonly (readonly [string, DatabaseWork])[]> {
    const { working, inUse, repeated } = this.#askable() ?? NONE
    const known = new Set([...working, ...inUse])
    // A database that is used now and then is not polled each time.
    for (const [name, turn] of this.#turns)
      if (!known.has(name) && this.#turn - turn >= REMEMBERED_TURNS) this.#turns.delete(name)
    const next = this.#next(
      working.filter((name) => !repeated.has(name)),
      inUse,
    )
    this.#turn++
    for (const name of next) this.#turns.set(name, this.#turn)
    this.#asked = next.length
    const responses: (readonly [string, DatabaseWork])[] = []
    this.#isAsking = true
    try {
      // Sequential requests: a burst would slow down the clients that write there.
      for (const name of next) responses.push([name, await this.#askOne(name, signal)])
    } finally {
      this.#isAsking = false
    }
    return responses
  }

  /** Writers first; the last place is for one that is merely in use, so that it has its turn among many writers. */
  #next(working: readonly string[], inUse: readonly string[]): readonly string[] {
    const longest = (names: readonly string[]): readonly string[] =>
      names.toSorted((a, b) => (this.#turns.get(a) ?? 0) - (this.#turns.get(b) ?? 0))
    const due = longest(inUse.filter((name) => this.#turn - (this.#turns.get(name) ?? -TURNS_BETWEEN) >= TURNS_BETWEEN))
    const writers = longest(working).slice(0, due.length === 0 ? AT_ONCE : AT_ONCE - 1)
    return [...writers, ...due].slice(0, AT_ONCE)
  }

  async #askOne(database: string, signal: AbortSignal): Promise<DatabaseWork> {
    const part = async <T>(key: EndpointKey, read: (response: unknown) => T | Promise<T>): Promise<T | null> => {
      try {
        return await read(await this.#governor.json(key, { database }, { signal, priority: 'poll' }))
      } catch (error) {
        if (signal.aborted) throw error
        return null
      }
    }
    const counts = await part('databaseMetrics', (response) => readDatabaseCounts(response, this.#nowTicks()))
    const indexes = await part('indexesProgress', readProgress)
    const perf = await part('perfMetrics', async (response) => {
      // Not in the first load: only a server at work is polled.
      const { readMergerTimes } = await import('../../wire/merger-wire.ts')
      const nowTicks = this.#nowTicks()
      return { merger: readMerger(response, nowTicks), times: readMergerTimes(response, nowTicks) }
    })
    const stats = await part('databaseStats', readStats)
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

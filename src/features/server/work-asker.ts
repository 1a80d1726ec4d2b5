import type { Ticks } from '../../base/brand.ts'
import type { EndpointKey } from '../../ravendb/endpoints.ts'
import { ENDPOINTS } from '../../ravendb/endpoints.ts'
import type { Governor } from '../../ravendb/governor.ts'
import { readMerger, readProgress, readQueue, type DatabaseWork } from './work-wire.ts'

/** Databases asked in one go: the others have their turn in the next. */
const AT_ONCE = 4
const PARTS: readonly EndpointKey[] = ['indexesProgress', 'perfMetrics', 'databaseStats']
const ONE_MS = PARTS.reduce((sum, key) => sum + ENDPOINTS[key].costMs, 0)

/**
 * Asks databases that are at work what only they know: which indexes lag, and how their transactions go. Work is what
 * others do: writing and indexing, which no question of ours is. So an idle database is never asked, and none is kept
 * loaded; and one where nothing is written or indexed has nothing to tell.
 */
export class WorkAsker {
  readonly #governor: Governor
  readonly #working: () => readonly string[]
  readonly #nowTicks: () => Ticks
  /** When each was asked last, in turns. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  #asked = 0

  constructor(governor: Governor, working: () => readonly string[], nowTicks: () => Ticks) {
    this.#governor = governor
    this.#working = working
    this.#nowTicks = nowTicks
  }

  /** Of server CPU for the next turn, by how many were asked in the last one. */
  get costMs(): number {
    return this.#asked * ONE_MS
  }

  /** The next few, those first that were asked longest ago; none where nothing works. */
  async ask(signal: AbortSignal): Promise<readonly (readonly [string, DatabaseWork])[]> {
    const working = this.#working()
    const known = new Set(working)
    for (const name of this.#turns.keys()) if (!known.has(name)) this.#turns.delete(name)
    const next = working.toSorted((a, b) => (this.#turns.get(a) ?? 0) - (this.#turns.get(b) ?? 0)).slice(0, AT_ONCE)
    this.#turn++
    for (const name of next) this.#turns.set(name, this.#turn)
    this.#asked = next.length
    const answers: (readonly [string, DatabaseWork])[] = []
    // One after another: a burst would be felt by whoever writes there.
    for (const name of next) answers.push([name, await this.#askOne(name, signal)])
    return answers
  }

  async #askOne(database: string, signal: AbortSignal): Promise<DatabaseWork> {
    const part = async <T>(key: EndpointKey, read: (answer: unknown) => T): Promise<T | null> => {
      try {
        return read(await this.#governor.json(key, { database }, { signal, priority: 'poll' }))
      } catch (error) {
        if (signal.aborted) throw error
        return null
      }
    }
    return {
      indexes: await part('indexesProgress', readProgress),
      merger: await part('perfMetrics', (answer) => readMerger(answer, this.#nowTicks())),
      waiting: await part('databaseStats', readQueue),
    }
  }
}

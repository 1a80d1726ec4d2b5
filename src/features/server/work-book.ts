import type { Ticks } from '../../base/brand.ts'
import { TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { DatabaseAtWork } from './queries.ts'
import type { DatabaseWork } from './work-wire.ts'

export interface KnownWork extends DatabaseWork {
  readonly database: string
  readonly atTicks: Ticks
}

/** An answer of a database that still works holds until its next turn comes, … */
const WORKING_TICKS = 900 * TICKS_PER_SECOND
/** … and of one that does not any more only for so long. */
const ENDED_TICKS = 60 * TICKS_PER_SECOND

/** For the page: indexes summed up. */
export function atWork({ database, atTicks, indexes, merger, waiting }: KnownWork): DatabaseAtWork {
  const itemsLeft = indexes === null ? null : indexes.reduce((sum, index) => sum + index.itemsLeft, 0)
  return { database, atTicks, staleIndexes: indexes?.length ?? null, itemsLeft, waiting, merger }
}

/** What databases at work answered last. */
export class WorkBook {
  readonly #work = new Map<string, KnownWork>()
  #isAsked = false

  take(answers: readonly (readonly [string, DatabaseWork])[], atTicks: Ticks): void {
    this.#isAsked = true
    for (const [database, work] of answers) this.#work.set(database, { ...work, database, atTicks })
  }

  /** Nobody was asked yet, because nobody looked: not the same as that none is at work. */
  get isAsked(): boolean {
    return this.#isAsked
  }

  of(database: string): KnownWork | null {
    return this.#work.get(database) ?? null
  }

  /** What still holds; what does not is forgotten. */
  fresh(nowTicks: number, isWorking: (database: string) => boolean): KnownWork[] {
    for (const [database, { atTicks }] of this.#work) {
      const holds = isWorking(database) ? WORKING_TICKS : ENDED_TICKS
      if (nowTicks - atTicks > holds) this.#work.delete(database)
    }
    return [...this.#work.values()]
  }
}

import type { Ticks, TimeRange } from '../ticks.ts'

/** Maximum number of different times that are remembered; the ones first noted are forgotten. */
const MOST_TIMES = 100_000

/** Number of rows that a bounded list no longer has, with their first and last time. */
export interface PushedOutRows {
  readonly count: number
  readonly firstTicks: Ticks
  readonly lastTicks: Ticks
}

/** Times of the rows that a bounded list has removed for newer ones. Rows without a time are not counted. */
export class PushedOut {
  readonly #counts = new Map<number, number>()

  /** Notes that a row was removed. */
  add(ticks: number): void {
    if (!Number.isFinite(ticks)) return
    this.#counts.set(ticks, (this.#counts.get(ticks) ?? 0) + 1)
    const oldest = this.#counts.keys().next().value
    if (this.#counts.size > MOST_TIMES && oldest !== undefined) this.#counts.delete(oldest)
  }

  /** Notes that a row was added: one that was removed may be read once more. */
  takeBack(ticks: number): void {
    const count = this.#counts.get(ticks) ?? 0
    if (count > 1) this.#counts.set(ticks, count - 1)
    else this.#counts.delete(ticks)
  }

  /** Rows of a range, both ends included. Null: there are none. */
  within({ startTicks, endTicks }: TimeRange): PushedOutRows | null {
    let [count, firstTicks, lastTicks] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const [ticks, own] of this.#counts) {
      if (ticks < startTicks || ticks > endTicks) continue
      count += own
      firstTicks = Math.min(firstTicks, ticks)
      lastTicks = Math.max(lastTicks, ticks)
    }
    return count === 0 ? null : { count, firstTicks: firstTicks as Ticks, lastTicks: lastTicks as Ticks }
  }
}

/** Rows of several lists together. Null: there are none. */
export const pushedOutOf = (all: readonly (PushedOutRows | null)[]): PushedOutRows | null => {
  const some = all.filter((rows) => rows !== null)
  return some.length === 0
    ? null
    : {
        count: some.reduce((sum, { count }) => sum + count, 0),
        firstTicks: Math.min(...some.map(({ firstTicks }) => firstTicks)) as Ticks,
        lastTicks: Math.max(...some.map(({ lastTicks }) => lastTicks)) as Ticks,
      }
}

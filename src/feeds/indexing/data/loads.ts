/**
 * Tolerance for the order of ids, ticks: 0.5 s. A batch gets its id when it begins, so the later of two batches has the
 * higher id, except for short races.
 */
const SLACK_TICKS = 5_000_000

interface Load {
  firstTicks: number
  /** Highest id in the load; `maxIdTicks` is the start of its batch. */
  maxId: number
  maxIdTicks: number
}

/**
 * Loads of one database. Batch ids form one sequence over all its indexes and restart at each load. A batch that starts
 * later than another one but has a lower id belongs to a later load.
 */
export class LoadStore {
  /** Loads in order of time. */
  readonly #loads: Load[] = []

  get starts(): number[] {
    return this.#loads.map(({ firstTicks }) => firstTicks)
  }

  /** Number of the load to which a batch with that start belongs; 0 before the first batch. */
  epochAt(startTicks: number): number {
    let epoch = 0
    while (epoch + 1 < this.#loads.length && (this.#loads[epoch + 1] as Load).firstTicks <= startTicks) epoch++
    return epoch
  }

  /** Notes a batch. Returns whether it shows a load that was not known; the very first load does not count. */
  meet(id: number, startTicks: number): boolean {
    if (this.#loads.length === 0) {
      this.#loads.push({ firstTicks: startTicks, maxId: id, maxIdTicks: startTicks })
      return false
    }
    const epoch = this.epochAt(startTicks)
    const load = this.#loads[epoch] as Load
    if (id < load.maxId && startTicks > load.maxIdTicks + SLACK_TICKS) {
      const next = this.#loads[epoch + 1]
      if (next !== undefined) {
        next.firstTicks = startTicks
        return false
      }
      this.#loads.splice(epoch + 1, 0, { firstTicks: startTicks, maxId: id, maxIdTicks: startTicks })
      return true
    }
    if (id > load.maxId && startTicks < load.maxIdTicks - SLACK_TICKS) {
      // A batch that is older than the newest one of this load but has a higher id belongs to the load before it.
      this.#loads.splice(epoch, 0, { firstTicks: startTicks, maxId: id, maxIdTicks: startTicks })
      this.#shrink(epoch + 1, startTicks)
      return true
    }
    if (id > load.maxId) {
      load.maxId = id
      load.maxIdTicks = startTicks
    }
    if (startTicks < load.firstTicks) load.firstTicks = startTicks
    return false
  }

  /** Moves the start of a load behind a batch that belongs to the load before it. */
  #shrink(epoch: number, afterTicks: number): void {
    const load = this.#loads[epoch]
    if (load !== undefined && load.firstTicks <= afterTicks) load.firstTicks = afterTicks + 1
  }
}

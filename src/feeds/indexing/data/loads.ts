/** Ids are given when a batch begins, so of two batches the later has the higher id, except for a moment's race. */
const SLACK_TICKS = 5_000_000

interface Load {
  firstTicks: number
  /** Highest id met, and the start of that batch. */
  maxId: number
  maxIdTicks: number
}

/**
 * Loads of one database: batch ids are one sequence over all its indexes and restart at each load. A batch that is
 * later than another and has a lower id belongs to a later load.
 */
export class LoadStore {
  /** Loads in order of time. */
  readonly #loads: Load[] = []

  get starts(): number[] {
    return this.#loads.map(({ firstTicks }) => firstTicks)
  }

  /** Number of the load that a batch of that start belongs to; 0 while nothing was met. */
  epochAt(startTicks: number): number {
    let epoch = 0
    while (epoch + 1 < this.#loads.length && (this.#loads[epoch + 1] as Load).firstTicks <= startTicks) epoch++
    return epoch
  }

  /** Takes note of a batch. True: it is the first of a load that was not known (the very first one does not count). */
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
      // Batches that are older than the newest of this load and have a higher id ended before this load began.
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

  /** The load begins behind what turned out to belong to the one before it. */
  #shrink(epoch: number, afterTicks: number): void {
    const load = this.#loads[epoch]
    if (load !== undefined && load.firstTicks <= afterTicks) load.firstTicks = afterTicks + 1
  }
}

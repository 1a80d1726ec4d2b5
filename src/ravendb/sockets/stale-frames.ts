/**
 * Number of stale frames of each widget after its socket opens. The server fills them from a cache that is updated only
 * while a client reads it, and only after they were sent: memory of the process was 94 MiB in the first and 1121 MiB in
 * the second frame; rates were 0 in the first two.
 */
const STALE: ReadonlyMap<string, number> = new Map([
  ['MemoryUsage', 1],
  ['Traffic', 2],
  ['DatabaseTraffic', 2],
  ['Indexing', 2],
  ['DatabaseIndexing', 2],
])

/** Counts the stale frames that are still expected on one dashboard socket. */
export class StaleFrames {
  readonly #left = new Map(STALE)

  /** The socket opened: the next frames may be as old as the last time a client listened. */
  opened(): void {
    for (const [type, count] of STALE) this.#left.set(type, count)
  }

  /** Counts a frame, whose type is near its start. Returns whether it is stale. */
  isStale(frame: string): boolean {
    const type = /"Type":"(\w+)"/.exec(frame.slice(0, 200))?.[1] ?? ''
    const left = this.#left.get(type) ?? 0
    if (left > 0) this.#left.set(type, left - 1)
    return left > 0
  }
}

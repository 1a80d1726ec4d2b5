/**
 * Frames of a widget that come first after its socket opened and are not of that moment: the server fills them from a
 * cache that is refreshed only while a user reads it, and after they were sent. Memory of the process was 94 MiB in the
 * first and 1121 MiB in the second frame; rates were 0 in the first two.
 */
const STALE: ReadonlyMap<string, number> = new Map([
  ['MemoryUsage', 1],
  ['Traffic', 2],
  ['DatabaseTraffic', 2],
  ['Indexing', 2],
  ['DatabaseIndexing', 2],
])

/** Count of stale frames still to come on one socket of a dashboard. */
export class StaleFrames {
  readonly #left = new Map(STALE)

  /** The socket opened: the next frames may be as old as the time since any client listened. */
  opened(): void {
    for (const [type, count] of STALE) this.#left.set(type, count)
  }

  /** Counts the frame. The type is near its beginning. */
  isStale(frame: string): boolean {
    const type = /"Type":"(\w+)"/.exec(frame.slice(0, 200))?.[1] ?? ''
    const left = this.#left.get(type) ?? 0
    if (left > 0) this.#left.set(type, left - 1)
    return left > 0
  }
}

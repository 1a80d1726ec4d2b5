import type { Ticks, TimeRange } from '../base/ticks.ts'

interface LowMemoryEvent {
  readonly isLow: boolean
  readonly isSimulated: boolean
  readonly atTicks: Ticks
}

/**
 * Spells from the first low event of the server's log to the one that says that it is over, oldest first. `events`:
 * newest first. Simulated ones are none. `since`: from when on memory is low and has not recovered; null: it is not.
 */
export function lowMemorySpells(events: readonly LowMemoryEvent[]): {
  readonly over: readonly TimeRange[]
  readonly since: Ticks | null
} {
  const over: TimeRange[] = []
  let since: Ticks | null = null
  for (const { isLow, isSimulated, atTicks } of events.toReversed()) {
    if (isSimulated) continue
    if (isLow) since ??= atTicks
    else if (since !== null) {
      over.push({ startTicks: since, endTicks: atTicks })
      since = null
    }
  }
  return { over, since }
}

import type { Ticks, TimeRange } from '../../base/ticks.ts'

interface LowMemoryEvent {
  readonly isLow: boolean
  readonly isSimulated: boolean
  readonly atTicks: Ticks
}

/**
 * Periods of low memory from the server's log, each from its first low event to the recovery, oldest first. `events`:
 * newest first; simulated ones are ignored. `since`: start of a period that has not ended; null: memory is not low.
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

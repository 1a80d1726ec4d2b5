import type { Ticks } from '../base/brand.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../base/ticks.ts'
import { parseSourceId } from '../capture/client/state.ts'
import { formatEventRef } from '../features/io/data/event-ref.ts'
import type { IoFeed } from '../features/io/data/feed.ts'
import type { ServerFeed } from '../features/server/data/feed.ts'
import { lowMemorySpells } from '../features/server/data/figures/low-memory.ts'
import type { ServerModel } from '../features/server/data/model.ts'
import { SATURATED_CPU_PERCENT } from '../features/server/data/triage/thresholds.ts'
import type { CircumstanceSpans } from '../features/stalls/data/circumstances.ts'
import type { StallSource } from '../features/stalls/data/responses.ts'

/** Buckets of the CPU that are looked at; of a longer time they are longer. */
const MOST_BUCKETS = 20_000

/** What stalls are judged by: what the I/O feed collected, and what the server's own figures say of the same time. */
export const stallSourceOf = (io: IoFeed, server: ServerFeed): StallSource => ({
  version: () => io.store.version,
  columns: async (params) => (await import('../features/io/data/columns.ts')).ioColumns(io.store, io.names, params),
  selectionOf: formatEventRef,
  volumeOf: (source) => {
    const ref = parseSourceId(source)
    const { volumes, databases } = server.model
    if (ref?.kind === 'server') return volumes.only(null, databases)
    return ref?.kind === 'database' ? volumes.only(ref.name, databases) : null
  },
  circumstances: (within) => [cpuSpans(server.model, within), lowMemorySpans(server.model, within)],
})

function cpuSpans({ series }: ServerModel, within: TimeRange): CircumstanceSpans {
  const { length, bucketTicks, startTicks, mean, count } = series.rows('cpu.machine', within, MOST_BUCKETS)
  const known: TimeRange[] = []
  const present: TimeRange[] = []
  for (let row = 0; row < length; row++) {
    if ((count[row] ?? 0) === 0) continue
    const start = startTicks[row] as Ticks
    const bucket = { startTicks: start, endTicks: (start + bucketTicks) as Ticks }
    known.push(bucket)
    if ((mean[row] ?? 0) >= SATURATED_CPU_PERCENT) present.push(bucket)
  }
  return { circumstance: 'cpu', known, present }
}

/** The server keeps so many entries. */
const MOST_ENTRIES = 256
/** The log is read once a minute. */
const READ_TICKS = 60 * TICKS_PER_SECOND

/** From the server's own log: it begins with the process, or with its oldest entry where older ones were dropped. */
export function lowMemorySpans(
  { lowMemory, restarts }: Pick<ServerModel, 'lowMemory' | 'restarts'>,
  { startTicks, endTicks }: TimeRange,
): CircumstanceSpans {
  const [restart] = restarts
  const entries = lowMemory?.events ?? []
  const oldest = entries.length >= MOST_ENTRIES ? entries.at(-1) : undefined
  const known = {
    startTicks: Math.max(startTicks, restart?.startTicks ?? endTicks, oldest?.atTicks ?? startTicks) as Ticks,
    endTicks: (endTicks - READ_TICKS) as Ticks,
  }
  if (lowMemory === null || known.endTicks <= known.startTicks)
    return { circumstance: 'low-memory', known: [], present: [] }
  const present: TimeRange[] = []
  const add = (from: Ticks, to: Ticks): void => {
    const clipped = {
      startTicks: Math.max(from, known.startTicks) as Ticks,
      endTicks: Math.min(to, known.endTicks) as Ticks,
    }
    if (clipped.endTicks > clipped.startTicks) present.push(clipped)
  }
  const { over, since } = lowMemorySpells(lowMemory.events)
  for (const spell of over) add(spell.startTicks, spell.endTicks)
  if (since !== null) add(since, known.endTicks)
  return { circumstance: 'low-memory', known: [known], present }
}

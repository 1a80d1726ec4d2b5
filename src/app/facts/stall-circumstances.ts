import { SATURATED_CPU_PERCENT } from '../../ravendb/limits.ts'
import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../base/ticks.ts'
import { lowMemorySpells } from '../../ravendb/machine/low-memory-spells.ts'
import type { ServerModel } from '../../feeds/server/data/model.ts'
import { GC_LATE_TICKS, LOAD_TICKS } from '../../features/stalls/contract.ts'
import type { CircumstanceSpans } from '../../features/stalls/data/circumstances.ts'

/** Maximum number of CPU buckets; over a longer time buckets are longer. */
const MOST_BUCKETS = 20_000

/** Known times of a saturated CPU, low memory, a pause by garbage collection, or the load of a database. */
export const circumstancesOf = (model: ServerModel, within: TimeRange): CircumstanceSpans[] => [
  cpuSpans(model, within),
  lowMemorySpans(model, within),
  gcSpans(model, within),
  loadSpans(model, within),
]

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

/** Number of entries that the server keeps. */
const MOST_ENTRIES = 256
/** Interval at which the log is read. */
const READ_TICKS = 60 * TICKS_PER_SECOND

/** Periods of low memory from the server's log, which begins with its oldest kept entry. */
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

/** Shorter pauses cannot cause a stall. */
const LEAST_PAUSE_MS = 50

/** Up to 18 s before each report of a GC pause that is as long as a stall. */
export function gcSpans({ series }: Pick<ServerModel, 'series'>, within: TimeRange): CircumstanceSpans {
  const known: TimeRange[] = []
  const present: TimeRange[] = []
  const buckets = (key: string, add: (start: number, end: number, max: number) => void): void => {
    const { length, bucketTicks, startTicks, max, count } = series.rows(key, within, MOST_BUCKETS)
    for (let row = 0; row < length; row++) {
      const start = startTicks[row] as number
      if ((count[row] ?? 0) > 0) add(start, start + bucketTicks, max[row] as number)
    }
  }
  // The heap's size is reported with each collection, so that none was missed between two reports.
  buckets('gc.heap', (start, end) =>
    known.push({ startTicks: (start - GC_LATE_TICKS) as Ticks, endTicks: end as Ticks }),
  )
  buckets('gc.pauseMs', (start, end, max) => {
    if (max >= LEAST_PAUSE_MS) present.push({ startTicks: (start - GC_LATE_TICKS) as Ticks, endTicks: end as Ticks })
  })
  return { circumstance: 'gc', known, present }
}

/** Times around the moments at which databases were first seen loaded. */
export function loadSpans(
  {
    coverage,
    databases,
  }: { readonly coverage: Pick<ServerModel['coverage'], 'spans'> } & {
    readonly databases: Pick<ServerModel['databases'], 'changesSince'>
  },
  { startTicks, endTicks }: TimeRange,
): CircumstanceSpans {
  const known = coverage.spans.filter((span) => span.endTicks > startTicks && span.startTicks < endTicks)
  const present = databases
    .changesSince(startTicks)
    .filter(({ change, atTicks }) => change === 'loaded' && atTicks - LOAD_TICKS < endTicks)
    .map(({ atTicks }) => ({ startTicks: (atTicks - LOAD_TICKS) as Ticks, endTicks: atTicks }))
  return { circumstance: 'database-load', known, present }
}

import { groupBy } from '../../src/base/columns/group-by.ts'
import type { Batch } from '../support/independent-batches.ts'
import { ticksOf, type IoEvent } from '../../src/testing/server/io-events.ts'
import type { Summary, SummaryRow } from '../support/studio.ts'

type Gap = Summary['gaps'][number]

/** An I/O event or index batch of the listener, in the terms of the page's summary. */
export interface Heard {
  /** Lane in the form that gaps use. */
  readonly lane: string
  /** Kind of an I/O event; null for batches, which gaps do not distinguish by kind. */
  readonly kind: string | null
  /** Key under which the page adds up figures: `<environment path> <kind>`, or `<index> batches`. */
  readonly key: string
  readonly startTicks: number
  readonly endTicks: number
  readonly bytes: number
}

export interface Sums {
  readonly count: number
  readonly bytes: number
}

/** Figures of a page under one key: single events, and sums that the server sent in place of others. */
interface Shown extends Sums {
  readonly rolledUp: Sums
  /** Roll-ups without a count of their events; those of `rolledUp` have one. */
  readonly untold: number
}
const NOT_SHOWN: Shown = { count: 0, bytes: 0, rolledUp: { count: 0, bytes: 0 }, untold: 0 }

/** Figures of the listener under one key, less those of the page. Positive: the page lacks them. */
export interface Difference extends Sums {
  readonly key: string
  /** Roll-ups of the page without a count of their events. */
  readonly untold: number
}

/** Results of the previous check. */
export interface Before {
  readonly differences: ReadonlyMap<string, Difference>
  /** Events that had been received by then, as {@link eventId}. */
  readonly received: ReadonlySet<string>
  /** Surplus that a page may show of each key, since the listener missed events. */
  readonly unheard: ReadonlyMap<string, Sums>
}

const NO_EVENTS: ReadonlySet<string> = new Set()

export const AT_FIRST: Before = { differences: new Map(), received: new Set(), unheard: new Map() }

export interface Account {
  readonly differences: readonly Difference[]
  /** Sentences. */
  readonly problems: readonly string[]
}

/** The server folds 256 events and the one after them into a roll-up. */
const EVENTS_PER_ROLL_UP = 257
const TICKS_PER_MS = 10_000
const NOTHING: Sums = { count: 0, bytes: 0 }

/** Pages distinguish journals that are prepared from those that are written; the server reports both alike. */
const reportedKind = (kind: string): string => (kind === 'JournalPreparation' ? 'JournalWrite' : kind)

/** The server also reports unfinished events with their progress: of one event the longest counts. */
export function heardOfIo(source: string, events: readonly IoEvent[]): Heard[] {
  const longest = new Map<string, Heard>()
  for (const { path, kind, startTicks, durationMs, bytes } of events) {
    const lane = `${source}|${path}`
    const endTicks = startTicks + durationMs * TICKS_PER_MS
    const id = `${lane}|${kind}|${startTicks}`
    if ((longest.get(id)?.endTicks ?? -1) >= endTicks) continue
    longest.set(id, { lane, kind, key: `${path} ${kind}`, startTicks, endTicks, bytes })
  }
  return [...longest.values()]
}

export const heardOfBatches = (
  source: string,
  batches: readonly { readonly index: string; readonly batch: Batch }[],
): Heard[] =>
  batches.map(({ index, batch }) => {
    const startTicks = ticksOf(batch.Started)
    return {
      lane: `${source}|${index}`,
      kind: null,
      key: `${index} batches`,
      startTicks,
      endTicks: startTicks + batch.DurationInMs * TICKS_PER_MS,
      bytes: batch.DocumentsSize.SizeInBytes,
    }
  })

export const shownOfIo = (rows: readonly SummaryRow[], source: string): Map<string, Shown> =>
  shownBy(rows, (row) =>
    row.feed === 'io' && row.source === source ? `${row.environmentPath} ${reportedKind(row.kind)}` : null,
  )

export const shownOfBatches = (rows: readonly SummaryRow[], source: string): Map<string, Shown> =>
  shownBy(rows, (row) => (row.feed === 'indexing' && row.source === source ? `${row.environment} batches` : null))

function shownBy(rows: readonly SummaryRow[], keyOf: (row: SummaryRow) => string | null): Map<string, Shown> {
  const sums = new Map<string, Shown>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key === null) continue
    const before = sums.get(key) ?? NOT_SHOWN
    const { count, events, bytes } = row.rollUps
    sums.set(key, {
      ...plus(before, row),
      rolledUp: plus(before.rolledUp, { count: events ?? 0, bytes }),
      untold: before.untold + (events === null ? count : 0),
    })
  }
  return sums
}

/**
 * Compares what a page shows with what the listener received. Whatever it lacks since the previous check has to be in a
 * gap that it declares, or in a roll-up. `isWhole`: the listener missed nothing since, so the page cannot know more.
 * `unsent`: what the server's live socket left out, as {@link eventId}: a page may lack it.
 */
export function accountOf(
  received: readonly Heard[],
  shown: ReadonlyMap<string, Shown>,
  gaps: readonly Gap[],
  { isWhole, before, unsent = NO_EVENTS }: { isWhole: boolean; before: Before; unsent?: ReadonlySet<string> },
): Account {
  const differences: Difference[] = []
  const problems: string[] = []
  const byKey = new Map(groupBy(received, ({ key }) => key))
  for (const key of new Set([...byKey.keys(), ...shown.keys()])) {
    const events = byKey.get(key) ?? []
    const { rolledUp, untold, ...single } = shown.get(key) ?? NOT_SHOWN
    const all = sumOf(events)
    const reported = plus(single, rolledUp)
    const lacks = { count: all.count - reported.count, bytes: all.bytes - reported.bytes }
    differences.push({ key, ...lacks, untold })

    const was = before.differences.get(key) ?? { ...NOTHING, untold: 0 }
    // Events that only the page knew before, the listener may have received since.
    const more = { count: lacks.count - Math.max(0, was.count), bytes: lacks.bytes - Math.max(0, was.bytes) }
    const unseen = sumOf(events.filter((event) => !before.received.has(eventId(event)) && isCovered(event, gaps)))
    const leftOut = sumOf(
      events.filter(
        (event) => !before.received.has(eventId(event)) && unsent.has(eventId(event)) && !isCovered(event, gaps),
      ),
    )
    const folded = Math.max(0, untold - was.untold) * EVENTS_PER_ROLL_UP
    if (more.count > unseen.count + leftOut.count + folded || more.bytes > unseen.bytes + leftOut.bytes)
      problems.push(
        `${key}: ${more.count} events with ${more.bytes} bytes were lost, and gaps cover ${unseen.count} with ${unseen.bytes} bytes (${all.count} received, ${single.count} shown, ${rolledUp.count} rolled up, ${untold} roll-ups of unknown count).`,
      )
    const unheard = before.unheard.get(key) ?? NOTHING
    if (isWhole && (lacks.count < -unheard.count || lacks.bytes < -unheard.bytes))
      problems.push(`${key}: ${-lacks.count} events with ${-lacks.bytes} bytes are shown that the server never sent.`)
  }
  return { differences, problems }
}

/** State for the next check. */
export function afterwards(
  { differences }: Account,
  received: readonly Heard[],
  isWhole: boolean,
  before: Before,
): Before {
  const unheard = new Map(before.unheard)
  if (!isWhole)
    for (const { key, count, bytes } of differences) {
      const known = unheard.get(key) ?? NOTHING
      unheard.set(key, { count: Math.max(known.count, -count), bytes: Math.max(known.bytes, -bytes) })
    }
  const known = new Map(differences.map((difference) => [difference.key, difference]))
  return { differences: known, received: new Set(received.map(eventId)), unheard }
}

export const eventId = ({ key, startTicks }: Heard): string => `${key}|${startTicks}`

const isCovered = (event: Heard, gaps: readonly Gap[]): boolean => gaps.some((gap) => covers(gap, event))

/** Whether the gap declares that this event may be missing. */
export function covers(gap: Gap, { lane, kind, startTicks, endTicks }: Heard): boolean {
  if (gap.kind !== null && reportedKind(gap.kind) !== kind) return false
  const source = lane.slice(0, lane.indexOf('|'))
  const isItsLane = gap.lane === lane || (kind === null && gap.lane === `indexes:${source}`)
  if (gap.lane === null ? gap.source !== source : !isItsLane) return false
  return startTicks <= gap.endTicks && endTicks >= gap.startTicks
}

const plus = (a: Sums, b: Sums): Sums => ({ count: a.count + b.count, bytes: a.bytes + b.bytes })

const sumOf = (events: readonly { readonly bytes: number }[]): Sums => ({
  count: events.length,
  bytes: events.reduce((sum, { bytes }) => sum + bytes, 0),
})

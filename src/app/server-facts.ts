import { DURATION, SIZE, START } from '../base/columns/event-chunk.ts'
import { TICKS_PER_SECOND, ticksFromMs } from '../base/ticks.ts'
import type { Bytes, Ticks, TickSpan } from '../base/brand.ts'
import { formatPlural } from '../base/text/format.ts'
import { isFileSource } from '../capture/client/state.ts'
import type { IndexingFeed } from '../features/indexing/data/feed.ts'
import { formatEventRef } from '../features/io/data/event-ref.ts'
import type { IoFeed } from '../features/io/data/feed.ts'
import type { ServerFeed } from '../features/server/data/feed.ts'
import type { IndexTrouble, OtherFacts, SlowWrite } from '../features/server/data/triage/triage-facts.ts'
import type { MachineCpu } from '../features/stacks/data/live/machine-cpu.ts'

/** Faster ones hold nobody up. */
const SLOW_TICKS = TICKS_PER_SECOND
const LATELY_TICKS = 600 * TICKS_PER_SECOND
const MOST = 200

/** What the I/O feed knows for the triage: writes of the last ten minutes that took a second and more. Files are the past. */
export function slowWritesOf(io: IoFeed, nowMs: number): readonly SlowWrite[] | null {
  const found: SlowWrite[] = []
  const fromTicks = ticksFromMs(nowMs) - LATELY_TICKS
  let isWatched = false
  for (const lane of io.store.lanes.values()) {
    if (isFileSource(lane.source)) continue
    isWatched = true
    for (const { kind, events } of lane.tracks.values()) {
      if (kind === 'Compression') continue
      events.forEachPart(events.lowerBound(fromTicks), events.length, (chunk, from, to) => {
        for (let row = from; row < to; row++) {
          const durationTicks = chunk.read(DURATION, row)
          if (durationTicks < SLOW_TICKS) continue
          const event = {
            lane: lane.id,
            kind,
            startTicks: chunk.read(START, row) as Ticks,
            durationTicks: durationTicks as TickSpan,
            sizeBytes: chunk.read(SIZE, row) as Bytes,
          }
          found.push({
            source: lane.source,
            environment: io.names.labelOf(lane).label,
            kind,
            startTicks: event.startTicks,
            durationTicks: event.durationTicks,
            selection: formatEventRef(event),
          })
        }
      })
    }
  }
  return isWatched ? found.toSorted((a, b) => b.durationTicks - a.durationTicks).slice(0, MOST) : null
}

/** What was told longer ago says nothing of now. */
const FRESH_TICKS = 120 * TICKS_PER_SECOND
/** Fewer documents than this are no lag worth a word: an index that works takes that many in a few seconds. */
const FAR_BEHIND = 10_000

/** What the indexing feed knows for the triage, of databases whose indexing is watched. */
export function indexTroublesOf(indexing: IndexingFeed, nowMs: number): readonly IndexTrouble[] | null {
  const found: IndexTrouble[] = []
  const fromTicks = ticksFromMs(nowMs) - FRESH_TICKS
  let isWatched = false
  for (const key of indexing.facts.keys()) {
    const known = indexing.facts.get(key)
    if (known === undefined || known.facts === null || known.trouble === 'gone' || known.facts.atTicks < fromTicks)
      continue
    isWatched = true
    const { source, name: index, facts, trouble } = known
    const base = { source, index, sinceTicks: null }
    const lag = known.behind
    const behind = lag === null ? 'It is not up to date.' : `${formatPlural(lag, 'document')} behind.`
    if (trouble !== null)
      found.push({
        ...base,
        trouble: 'stopped',
        detail: trouble === 'faulty' ? 'It could not be opened.' : 'It is in error.',
      })
    else if (facts.isStale === true && (facts.status === 'Paused' || facts.status === 'Disabled'))
      found.push({ ...base, trouble: 'stopped', detail: `Its status is ${facts.status}. ${behind}` })
    else if (facts.isStale === true && lag !== null && lag >= FAR_BEHIND)
      found.push({ ...base, trouble: 'behind', detail: behind })
  }
  return isWatched ? found.slice(0, MOST) : null
}

export const factsOf = (io: IoFeed, indexing: IndexingFeed): OtherFacts => ({
  slowWrites: slowWritesOf(io, Date.now()),
  indexes: indexTroublesOf(indexing, Date.now()),
})

/** What the server's dashboard tells of the machine, for the CPU by job: wanted together with the list of threads. */
export const machineCpuOf = (server: ServerFeed): MachineCpu => ({
  want: (governor) => void server.answers['server.want'](null, governor),
  newest: () => {
    const { cpu } = server.model
    return cpu === null ? null : { atTicks: cpu.atTicks, percent: cpu.machinePercent }
  },
})

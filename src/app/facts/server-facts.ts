import { DURATION, SIZE, START } from '../../base/columns/event-chunk.ts'
import type { EventTable } from '../../base/columns/event-table.ts'
import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, type TickSpan } from '../../base/ticks.ts'
import type { Bytes } from '../../base/brand.ts'
import { isFileSource, type SourceId } from '../../capture/client/state.ts'
import type { OperationsSource } from '../../features/activity/data/operations.ts'
import type { IndexingFeed } from '../../feeds/indexing/data/feed.ts'
import { formatEventRef } from '../../feeds/io/contract/event-ref.ts'
import type { IoFeed } from '../../feeds/io/data/feed.ts'
import type { ServerFeed } from '../../feeds/server/data/feed.ts'
import { troubleOfWatched } from '../../features/triage/data/rules/watched-index.ts'
import type { BusiestIo } from './busiest-io.ts'
import type { HeldUpWatch } from './held-up.ts'
import { FRESH_INDEX_TICKS, stallLimitTicks, STALLS_SPAN_TICKS } from '../../features/triage/data/thresholds.ts'
import { NO_OTHERS, type IndexTrouble, type OtherFacts, type SlowWrite } from '../../features/triage/data/facts.ts'
import type { MachineCpu } from '../../feeds/stacks/data/live/machine-cpu.ts'

/** Maximum number of facts of each kind. */
const MOST = 200

/**
 * Stalled writes of the last ten minutes from the I/O feed, slowest first, for Triage. Without `files`, only live
 * sources are included.
 */
export function slowWritesOf(
  io: Pick<IoFeed, 'store' | 'names'>,
  nowTicks: Ticks,
  files?: readonly SourceId[],
): readonly SlowWrite[] | null {
  const found: SlowWrite[] = []
  const fromTicks = nowTicks - STALLS_SPAN_TICKS
  let isWatched = false
  // A live row may be newer than the newest time of the server.
  const untilRow = (events: EventTable): number => (files === undefined ? events.length : events.lowerBound(nowTicks))
  for (const lane of io.store.lanes.values()) {
    if (files === undefined ? isFileSource(lane.source) : !files.includes(lane.source)) continue
    isWatched = true
    const syncs = lane.tracks.get('DataSync')?.events
    for (const { kind, events } of lane.tracks.values()) {
      if (kind === 'Compression') continue
      const leastTicks = stallLimitTicks(kind)
      events.forEachPart(events.lowerBound(fromTicks), untilRow(events), (chunk, from, to) => {
        for (let row = from; row < to; row++) {
          const durationTicks = chunk.read(DURATION, row)
          if (durationTicks < leastTicks) continue
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
            endsWithSync: kind === 'JournalWrite' && syncs !== undefined && endsWithOneOf(syncs, event),
            selection: formatEventRef(event),
          })
        }
      })
    }
  }
  return isWatched ? found.toSorted((a, b) => b.durationTicks - a.durationTicks).slice(0, MOST) : null
}

const SYNC_MOST_TICKS = 60 * TICKS_PER_SECOND
const TOGETHER_TICKS = 15 * TICKS_PER_MS

/** Whether an event started during one of the spans and ended with it. */
export function endsWithOneOf(
  syncs: EventTable,
  { startTicks, durationTicks }: Pick<SlowWrite, 'startTicks' | 'durationTicks'>,
): boolean {
  const last = syncs.lowerBound(startTicks)
  for (let row = syncs.lowerBound(startTicks - SYNC_MOST_TICKS); row < last; row++) {
    const endTicks = syncs.read(START, row) + syncs.read(DURATION, row)
    if (endTicks > startTicks && Math.abs(startTicks + durationTicks - endTicks) <= TOGETHER_TICKS) return true
  }
  return false
}

/** Troubles of the databases whose indexing is watched, from the indexing feed, for Triage. */
export function indexTroublesOf(indexing: IndexingFeed, nowTicks: Ticks): readonly IndexTrouble[] | null {
  const found: IndexTrouble[] = []
  const fromTicks = nowTicks - FRESH_INDEX_TICKS
  let isWatched = false
  for (const key of indexing.facts.keys()) {
    const known = indexing.facts.get(key)
    if (known === undefined || known.facts === null || known.trouble === 'gone' || known.facts.atTicks < fromTicks)
      continue
    isWatched = true
    const { source, name: index, facts, behind } = known
    const failure = known.trouble === null ? null : known.trouble === 'faulty' ? 'faulty' : 'error'
    const { status, isStale, atTicks } = facts
    const trouble = troubleOfWatched({ source, index, failure, status, isStale: isStale === true, behind, atTicks })
    if (trouble !== null) found.push(trouble)
  }
  return isWatched ? found.slice(0, MOST) : null
}

/**
 * Other facts for Triage. Whether rows are recent is judged by the server's clock, which stamps them; null: it never
 * reported the time.
 */
export function factsOf({
  io,
  indexing,
  heldUp,
  busiestIo,
  server,
}: {
  readonly io: IoFeed
  readonly indexing: IndexingFeed
  readonly heldUp: HeldUpWatch
  readonly busiestIo: Pick<BusiestIo, 'isAwaited'>
  readonly server: ServerFeed
}): OtherFacts {
  const nowTicks = server.model.nowTicks(Date.now())
  if (nowTicks === null) return NO_OTHERS
  const atWork = server.model.databases.pollable?.working ?? []
  return {
    slowWrites: slowWritesOf(io, nowTicks),
    indexes: indexTroublesOf(indexing, nowTicks),
    ...heldUp.newest(nowTicks),
    isIoAwaited: busiestIo.isAwaited,
    unwatched: atWork.filter((name) => !io.isReceiving(`db:${name}`)),
  }
}

/** CPU of the machine from the server's dashboard, for the CPU by job; requested together with the list of threads. */
export const machineCpuOf = (server: ServerFeed): MachineCpu => ({
  want: (governor) => void server.responses['server.want'](null, governor),
  newest: () => {
    const { cpu } = server.model
    return cpu === null ? null : { atTicks: cpu.atTicks, percent: cpu.machinePercent, cores: cpu.cores }
  },
})

/** Operations of the server from its notifications, and the databases that may have more. */
export const operationsOf = (server: ServerFeed): OperationsSource => ({
  frames: () => server.model.operations.frames,
  loaded: () => (server.model.databases.isKnown ? server.model.databases.loaded : null),
  used: () => {
    const { pollable } = server.model.databases
    return pollable === null ? [] : [...pollable.working, ...pollable.inUse]
  },
  merger: (database) =>
    server.model.work.newest(database, server.model.nowTicks(Date.now()) ?? Number.POSITIVE_INFINITY),
})

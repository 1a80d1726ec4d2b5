import type { Bytes, TickSpan, Ticks } from '../../../base/brand.ts'
import type { SourceId } from '../../../capture/state.ts'
import { addUnknown } from '../../../capture/ledger.ts'
import { indexFolder, lastPart, realIndexName } from '../index-names.ts'
import type { IoFileInfo, IoKindTotals, IoLane } from '../queries.ts'
import { KNOWN_KINDS } from '../queries.ts'
import { isCovered, unseenCount } from '../rollups.ts'
import type { IoFile, IoLaneTable, IoStore, IoTrack } from '../table.ts'

/** Real names of lanes. The server's I/O metrics name an index by its folder only. */
export class LaneNames {
  readonly #indexes = new Map<SourceId, readonly string[]>()
  readonly #told: (source: SourceId) => readonly string[]
  readonly #labels = new Map<string, { readonly of: readonly string[]; readonly found: LaneLabel }>()

  /** `told`: names of indexes of a source for which none were set; the same array as long as they are the same. */
  constructor(told: (source: SourceId) => readonly string[] = () => NO_NAMES) {
    this.#told = told
  }

  setIndexes(source: SourceId, names: readonly string[]): void {
    this.#indexes.set(source, names)
  }

  /** An index lane of the source has no real name yet. */
  lacksName(lane: IoLaneTable): boolean {
    return lane.type === 'Index' && !this.labelOf(lane).labelIsReal
  }

  labelOf(lane: IoLaneTable): LaneLabel {
    const key = `${lane.id}|${lane.type}`
    const of = lane.type === 'Index' ? (this.#indexes.get(lane.source) ?? this.#told(lane.source)) : NO_NAMES
    const held = this.#labels.get(key)
    if (held?.of === of) return held.found
    const found = labelOf(lane, of)
    this.#labels.set(key, { of, found })
    return found
  }
}

interface LaneLabel {
  readonly label: string
  /** False: an index whose real name is not known, `label` is its folder. */
  readonly labelIsReal: boolean
}

const NO_NAMES: readonly string[] = []

function labelOf(lane: IoLaneTable, indexNames: readonly string[]): LaneLabel {
  if (lane.type !== 'Index') return { label: TYPE_LABELS.get(lane.type) ?? lastPart(lane.path), labelIsReal: true }
  const real = realIndexName(lane.path, indexNames)
  return { label: real ?? indexFolder(lane.path), labelIsReal: real !== null }
}

const TYPE_LABELS = new Map([
  ['Documents', 'Documents'],
  ['Configuration', 'Configuration'],
  ['System', 'System'],
])

/** Every lane of the sources, with its totals and files. */
export function answerLanes(store: IoStore, names: LaneNames, sources: readonly SourceId[]): IoLane[] {
  const lanes: IoLane[] = []
  for (const lane of store.lanes.values()) {
    if (!sources.includes(lane.source)) continue
    lanes.push({
      id: lane.id,
      source: lane.source,
      path: lane.path,
      type: lane.type,
      ...names.labelOf(lane),
      kinds: Array.from(lane.tracks.values(), kindTotals),
      files: lane.files.map(fileInfo),
    })
  }
  return lanes
}

/** `firstTicks` and `lastTicks` are of events and roll-ups together; roll-ups count with what was not seen as events. */
export function kindTotals(track: IoTrack): IoKindTotals {
  const { events, rollUps, kind } = track
  const untold = rollUps.rows.filter((row) => !isCovered(row))
  const firstRollUp = rollUps.rows[0]?.startTicks ?? Number.POSITIVE_INFINITY
  const lastRollUp = rollUps.rows.at(-1)?.startTicks ?? Number.NEGATIVE_INFINITY
  return {
    kind,
    known: (KNOWN_KINDS as readonly string[]).includes(kind),
    count: events.length,
    bytes: events.totals.bytes as Bytes,
    busyTicks: events.totals.busy as TickSpan,
    slowestTicks: (events.length === 0 ? Number.NaN : events.totals.slowestDuration) as TickSpan,
    firstTicks: (events.length === 0 ? firstRollUp : Math.min(events.firstTicks, firstRollUp)) as Ticks,
    lastTicks: (events.length === 0 ? lastRollUp : Math.max(events.lastTicks, lastRollUp)) as Ticks,
    rollUps: untold.length,
    rollUpEvents: untold.map(unseenCount).reduce(addUnknown, 0),
    rollUpBytes: untold.reduce((sum, row) => sum + Math.max(0, row.sizeBytes - row.seenBytes), 0) as Bytes,
    rollUpBusyTicks: untold.reduce((sum, row) => sum + Math.max(0, row.busyTicks - row.seenBusyTicks), 0) as TickSpan,
  }
}

function fileInfo(file: IoFile): IoFileInfo {
  const spans = [...file.spans.values()]
  return {
    id: file.id,
    name: file.name,
    status: file.status,
    sizeBytes: file.sizeBytes < 0 ? null : (file.sizeBytes as Bytes),
    kinds: [...file.spans.keys()],
    firstTicks: Math.min(...spans.map((span) => span.firstTicks)) as Ticks,
    lastTicks: Math.max(...spans.map((span) => span.lastTicks)) as Ticks,
  }
}

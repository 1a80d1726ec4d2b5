import { Activities } from '../../../base/activity.ts'
import { boundedName } from '../../../base/text/bounded-text.ts'
import { DURATION, SIZE, START } from '../../../base/columns/event-chunk.ts'
import type { EventBatch } from '../../../base/columns/event-table.ts'
import { NumberSet } from '../../../base/columns/number-set.ts'
import { textHash } from '../../../base/text/text-hash.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { IoLaneTable, laneId, type IoFile, type IoTrack } from './lane-table.ts'
import { FOLDED_KIND, FOLDED_PATH, FOLDED_TYPE, IO_LIMITS } from '../contract/limits.ts'
import { KNOWN_KINDS, type LaneId } from '../contract/lanes.ts'
import { isCovered, orNone, unseenBytes, unseenCount, type IoRollUp } from './rollups.ts'
import type { ReadMerger } from './reading/merger-reader.ts'
import type { IoDocument, IoEnvironmentRows, IoKindRows, IoRollUpRow } from './reading/wire.ts'
import { foldedFile } from './reading/waiting-events.ts'
import { FILE, FILE_SIZE, trackKind } from './reading/wire.ts'

/**
 * Events of a roll-up that were not seen individually although the source is watched, or although others of it were
 * seen.
 */
export interface IoLoss {
  readonly lane: LaneId
  readonly kind: string
  readonly startTicks: number
  readonly endTicks: number
  /** Number of missing events; null: more were seen than a full fold has, so their number is not known. */
  readonly missingCount: number | null
  readonly missingBytes: number
}

export interface IoIngest {
  readonly added: number
  readonly seen: number
  readonly losses: readonly IoLoss[]
  /** Latest end of any event or roll-up of the document; NaN if it has none. */
  readonly newestTicks: number
}

/** First start and latest end of a source's data. */
interface SourceSpan {
  firstTicks: number
  endTicks: number
}

/** Counts of what is not stored separately, beyond `IO_LIMITS`. */
export interface IoFolds {
  readonly kinds: number
  /** Whether some files have no name. */
  readonly files: boolean
  /** Number of roll-ups that are drawn as one per lane and kind. */
  readonly rollUps: number
}

/** Receives each new row that is stored separately. */
export interface IoTap {
  /** Receives events in any order; the columns belong to the batch and must not be kept. */
  readonly onEvents: (lane: IoLaneTable, kind: string, file: IoFile, events: EventBatch) => void
  readonly onRollUp: (lane: IoLaneTable, kind: string, file: IoFile, row: IoRollUpRow) => void
}

/** All I/O of a capture: lanes by environment, tracks by kind. */
export class IoStore {
  readonly #lanes = new Map<LaneId, IoLaneTable>()
  readonly #kinds = new Set<string>(KNOWN_KINDS)
  readonly #foldedKinds = new NumberSet()
  /** Tracks with events that wait to be merged. */
  readonly #unsettled = new Set<IoTrack>()
  #trackCount = 0
  #fileCount = 0
  #foldsFiles = false
  #rollUpCount = 0
  /** Spans by source. */
  readonly spans = new Map<SourceId, SourceSpan>()
  /** Newest transaction merger reports, by the lane of a file's documents environment. */
  readonly mergers = new Map<LaneId, ReadMerger>()
  readonly activity = new Activities()
  /** Receives new rows, for a second store of them; null: no receiver. */
  tap: IoTap | null = null
  /** Increases with each change. */
  version = 0
  readonly #watched = new Set<SourceId>()

  /** Stores the states of a database's transaction merger. */
  takeMerger(source: SourceId, merger: ReadMerger): void {
    const id = laneId(source, merger.path)
    if (!this.lanes.has(id)) return
    this.mergers.set(id, merger)
    this.version++
  }

  /**
   * Ingests one document of one source. `whole`: a full response, whose status and types are reliable; else a live
   * delta. Known events and roll-ups are recognised.
   */
  ingest(source: SourceId, document: IoDocument, whole: boolean): IoIngest {
    const result = { added: 0, seen: 0, losses: [] as IoLoss[], newestTicks: Number.NaN }
    for (const environment of document.environments) {
      const lane = this.#lane(source, environment, whole)
      for (const rows of environment.files) {
        const own = this.#file(lane, rows.name)
        if (whole && rows.status !== null && own !== null) own.status = rows.status
        for (const reported of rows.kinds) {
          if (reported.events.length === 0 && reported.rollUps.length === 0) continue
          const kind = this.#kind(trackKind(rows.name, reported.kind))
          const track = this.#track(lane, kind ?? FOLDED_KIND)
          const isFolded = own === null || track.kind !== kind
          const place: Place = {
            lane,
            track,
            file: isFolded ? lane.foldedFile : own,
            origin: isFolded ? textHash(environment.path, rows.name, reported.kind) : null,
          }
          const merged = this.#mergeEvents(place, reported.events)
          result.added += merged.added
          result.seen += merged.seen
          for (const loss of this.#mergeRollUps(place, reported)) result.losses.push(loss)
          result.newestTicks = laterOf(result.newestTicks, merged.newestTicks)
          for (const { endTicks } of reported.rollUps) result.newestTicks = laterOf(result.newestTicks, endTicks)
        }
      }
    }
    this.version++
    return result
  }

  /**
   * Marks the source as watched: events folded unseen from now on are a loss, not something that the server had summed
   * up before.
   */
  watch(source: SourceId): void {
    this.#watched.add(source)
  }

  /** Lanes by id, with all received events merged. */
  get lanes(): Map<LaneId, IoLaneTable> {
    for (const track of this.#unsettled) track.settle()
    this.#unsettled.clear()
    return this.#lanes
  }

  get folds(): IoFolds {
    const rollUps = Math.max(0, this.#rollUpCount - IO_LIMITS.rollUps)
    return { kinds: this.#foldedKinds.size, files: this.#foldsFiles, rollUps }
  }

  #lane(source: SourceId, environment: IoEnvironmentRows, whole: boolean): IoLaneTable {
    const path = boundedName(environment.path)
    const known = this.#lanes.get(laneId(source, path))
    if (known !== undefined) {
      if (whole) known.type = boundedName(environment.type)
      return known
    }
    const isFolded = this.#lanes.size >= IO_LIMITS.lanes
    const lane = isFolded ? this.#foldedLane(source) : new IoLaneTable(source, path, boundedName(environment.type))
    lane.environments?.add(textHash(environment.path))
    this.#lanes.set(lane.id, lane)
    return lane
  }

  #foldedLane(source: SourceId): IoLaneTable {
    return this.#lanes.get(laneId(source, FOLDED_PATH)) ?? new IoLaneTable(source, FOLDED_PATH, FOLDED_TYPE, true)
  }

  /** Name of the kind within the limit; null: beyond the limit. */
  #kind(name: string): string | null {
    const kind = boundedName(name)
    if (this.#kinds.has(kind)) return kind
    if (this.#kinds.size >= IO_LIMITS.kinds) {
      this.#foldedKinds.add(textHash(name))
      return null
    }
    this.#kinds.add(kind)
    return kind
  }

  /** Track of the kind, or the one of further kinds if there are too many. */
  #track(lane: IoLaneTable, kind: string): IoTrack {
    const known = lane.tracks.get(kind)
    if (known !== undefined) return known
    if (this.#trackCount >= IO_LIMITS.tracks && kind !== FOLDED_KIND) return this.#track(lane, FOLDED_KIND)
    this.#trackCount++
    return lane.track(kind)
  }

  /** File of the lane; null: not stored separately. */
  #file(lane: IoLaneTable, reported: string): IoFile | null {
    if (lane.environments !== null) return null
    const name = boundedName(reported)
    if (!lane.hasFile(name)) {
      if (this.#fileCount >= IO_LIMITS.files) {
        this.#foldsFiles = true
        return null
      }
      this.#fileCount++
    }
    return lane.file(name)
  }

  #mergeEvents({ lane, track, file, origin }: Place, events: EventBatch) {
    const { columns, length } = events
    if (length === 0) return { added: 0, seen: 0, newestTicks: Number.NaN }
    const starts = columns[START] as Float64Array
    const durations = columns[DURATION] as Float64Array
    const { firstTicks, lastTicks, newestTicks } = this.#markActive(lane.source, starts, durations, length)
    this.#extend(lane.source, firstTicks, newestTicks)
    const { kind } = track
    const span = file.spans.get(kind)
    file.spans.set(kind, {
      firstTicks: Math.min(firstTicks, span?.firstTicks ?? firstTicks),
      lastTicks: Math.max(lastTicks, span?.lastTicks ?? lastTicks),
    })
    if (origin !== null) {
      track.foldedOrigins.add(track.waiting, events, origin)
      this.#unsettled.add(track)
      return { added: length, seen: 0, newestTicks }
    }
    noteSizes(file, starts, columns[FILE_SIZE] as Float64Array, length)
    const mayRepeat = span !== undefined && firstTicks <= span.lastTicks && lastTicks >= span.firstTicks
    const onFresh = (fresh: EventBatch): void => this.tap?.onEvents(lane, kind, file, fresh)
    if (!mayRepeat && length < SMALL_BATCH && track.events.length > 0) {
      onFresh(events)
      track.waiting.add(events, file.id, false)
      this.#unsettled.add(track)
      return { added: length, seen: 0, newestTicks }
    }
    if (mayRepeat) track.settle()
    columns[FILE]?.fill(file.id)
    return { ...track.events.merge(events, mayRepeat, onFresh), newestTicks }
  }

  /** Marks the seconds of these events as active; returns first and last start and latest end. */
  #markActive(source: SourceId, starts: Float64Array, durations: Float64Array, length: number) {
    const activity = this.activity.of(source)
    let firstTicks = Number.POSITIVE_INFINITY
    let lastTicks = Number.NEGATIVE_INFINITY
    let newestTicks = Number.NEGATIVE_INFINITY
    for (let row = 0; row < length; row++) {
      const startTicks = starts[row] as number
      const endTicks = startTicks + (durations[row] as number)
      if (startTicks < firstTicks) firstTicks = startTicks
      if (startTicks > lastTicks) lastTicks = startTicks
      if (endTicks > newestTicks) newestTicks = endTicks
      activity.add(startTicks, endTicks)
    }
    return { firstTicks, lastTicks, newestTicks }
  }

  #mergeRollUps({ lane, track, file, origin }: Place, { events, rollUps }: IoKindRows): IoLoss[] {
    const losses: IoLoss[] = []
    const { kind } = track
    const value = origin === null ? file.id : foldedFile(origin)
    const firstCameTicks = firstStart(events)
    for (const row of rollUps) {
      if (track.rollUps.has(row, value)) continue
      const isSeen = origin === null || mayHoldSeen(track, row, firstCameTicks, origin)
      if (isSeen) track.settle()
      const rollUp: IoRollUp = {
        ...row,
        file: value,
        ...(isSeen ? seenWithin(track, value, row) : nothingSeen(row)),
      }
      const isBeyond = ++this.#rollUpCount > IO_LIMITS.rollUps
      // Creates the name of the folded file.
      if (isBeyond) void lane.foldedFile
      track.rollUps.add(rollUp, isBeyond)
      if (origin === null) this.tap?.onRollUp(lane, kind, file, row)
      this.#extend(lane.source, row.startTicks, row.endTicks)
      this.activity.of(lane.source).add(row.startTicks, row.endTicks)
      if (!file.spans.has(kind))
        file.spans.set(kind, { firstTicks: row.startTicks, lastTicks: Number.NEGATIVE_INFINITY })
      if ((rollUp.seenCount > 0 || this.#watched.has(lane.source)) && !isCovered(rollUp)) {
        losses.push({
          lane: lane.id,
          kind,
          startTicks: rollUp.unseenFromTicks,
          endTicks: row.endTicks,
          missingCount: unseenCount(rollUp),
          missingBytes: orNone(unseenBytes(rollUp)),
        })
      }
    }
    return losses
  }

  #extend(source: SourceId, firstTicks: number, endTicks: number): void {
    const span = this.spans.get(source)
    if (span === undefined) this.spans.set(source, { firstTicks, endTicks })
    else {
      span.firstTicks = Math.min(span.firstTicks, firstTicks)
      span.endTicks = Math.max(span.endTicks, endTicks)
    }
  }

  /** Bytes used by event columns and pyramids, and by everything else that grows with data. */
  get byteLength(): { readonly events: number; readonly other: number } {
    let events = 0
    let other = this.activity.byteLength + this.#trackCount * TRACK_BYTES + this.#fileCount * FILE_BYTES
    for (const lane of this.lanes.values()) {
      other += LANE_BYTES + (lane.environments?.byteLength ?? 0)
      for (const track of lane.tracks.values()) {
        events += track.events.byteLength
        other += track.rollUps.byteLength + (track.folded?.byteLength ?? 0)
      }
    }
    return { events, other }
  }
}

/** Stores the file's size as reported by its newest event. */
function noteSizes(file: IoFile, starts: Float64Array, sizes: Float64Array, length: number): void {
  let { sizeBytes, sizeAtTicks } = file
  for (let row = 0; row < length; row++) {
    const size = sizes[row] as number
    if (size < 0 || (starts[row] as number) < sizeAtTicks) continue
    sizeAtTicks = starts[row] as number
    sizeBytes = size
  }
  file.sizeBytes = sizeBytes
  file.sizeAtTicks = sizeAtTicks
}

const LANE_BYTES = 800
const TRACK_BYTES = 1200
const FILE_BYTES = 500

/** Later of two times; NaN: there is none. */
const laterOf = (a: number, b: number): number => (Number.isNaN(a) || b > a ? b : a)

/** Number of events below which a batch is merged together with others: many files have a few events each. */
const SMALL_BATCH = 256

/** Place where rows of one file and kind belong. */
interface Place {
  readonly lane: IoLaneTable
  readonly track: IoTrack
  readonly file: IoFile
  /** Hash of the environment, file and kind that folded rows came from; null: the rows are not folded. */
  readonly origin: number | null
}

/** Start of the first event; Infinity: there are none. */
function firstStart({ columns, length }: EventBatch): number {
  let first = Number.POSITIVE_INFINITY
  for (let row = 0; row < length; row++) first = Math.min(first, columns[START]?.[row] as number)
  return first
}

/**
 * Whether events of a folded origin may lie in the span. Most came with the roll-up, from `firstCameTicks` on, and
 * after it.
 */
function mayHoldSeen({ folded }: IoTrack, row: IoRollUpRow, firstCameTicks: number, origin: number): boolean {
  if (firstCameTicks < row.endTicks) return true
  return Number.isFinite(firstCameTicks) ? folded?.isRepeated(origin) === true : folded?.has(origin) === true
}

/** Limit of rows scanned for the seen part of roll-ups: per event of their track, plus a constant. */
const SCANS_PER_EVENT = 16
const SCANS_MORE = 16_384

const nothingSeen = ({ startTicks }: IoRollUpRow) => ({
  seenCount: 0,
  seenBytes: 0,
  seenBusyTicks: 0,
  unseenFromTicks: startTicks,
})

/** Sums of the known events within a roll-up's span and file. O(rows in the span). */
function seenWithin(track: IoTrack, file: number, row: IoRollUpRow) {
  const { events } = track
  const { startTicks, endTicks } = row
  // The end of the last folded event is the end of the roll-up, so an event that starts then belongs to the next one.
  const first = events.lowerBound(startTicks)
  const end = events.lowerBound(Math.max(endTicks, startTicks + 1))
  track.rowsScanned += end - first
  // Roll-ups of a server are consecutive; a hostile file may have any number that each span the whole time.
  if (track.rowsScanned > SCANS_MORE + SCANS_PER_EVENT * events.length) return nothingSeen(row)
  let seenCount = 0
  let seenBytes = 0
  let seenBusyTicks = 0
  let firstSeenTicks = Number.NaN
  let seenUntilTicks = startTicks
  events.forEachPart(first, end, (chunk, from, to) => {
    for (let at = from; at < to; at++) {
      if (chunk.read(FILE, at) !== file) continue
      const durationTicks = chunk.read(DURATION, at)
      if (seenCount++ === 0) firstSeenTicks = chunk.read(START, at)
      seenBytes += chunk.read(SIZE, at)
      seenBusyTicks += durationTicks
      seenUntilTicks = Math.max(seenUntilTicks, chunk.read(START, at) + durationTicks)
    }
  })
  // Rings fill in order: once its first event was seen, only events after the last seen one are missing.
  const unseenFromTicks = firstSeenTicks === startTicks ? Math.min(seenUntilTicks, endTicks) : startTicks
  return { seenCount, seenBytes, seenBusyTicks, unseenFromTicks }
}

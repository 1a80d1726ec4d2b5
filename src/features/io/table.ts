import { DURATION, SIZE, START } from '../../base/event-chunk.ts'
import { EventTable } from '../../base/event-table.ts'
import { Activity } from '../../base/activity.ts'
import type { SourceId } from '../../capture/state.ts'
import type { LaneId } from './queries.ts'
import type { IoRollUp } from './rollups.ts'
import { RollUpTable, isCovered, unseenCount } from './rollups.ts'
import type { IoDocument, IoEnvironmentRows, IoFileRows, IoKindRows } from './wire.ts'
import { ACCELERATION, COMPRESSED, FILE, FILE_SIZE, IO_COLUMNS, trackKind } from './wire.ts'

const SHAPE = { columnCount: IO_COLUMNS, identity: [DURATION, SIZE, FILE], fillable: [COMPRESSED, ACCELERATION] }

/** Events and roll-ups of one kind in one storage environment. */
export class IoTrack {
  readonly kind: string
  readonly events = new EventTable(SHAPE)
  readonly rollUps = new RollUpTable()

  constructor(kind: string) {
    this.kind = kind
  }
}

/** A file of a storage environment. `id` is its place in the lane's `files`, and the value of column FILE. */
export interface IoFile {
  readonly id: number
  readonly name: string
  status: string | null
  /** Newest event's `FileSize`; −1: none told it. */
  sizeBytes: number
  sizeAtTicks: number
  /** Per kind the first and last start seen: what lies outside was never seen. */
  readonly spans: Map<string, { firstTicks: number; lastTicks: number }>
}

/** One storage environment of one source. */
export class IoLaneTable {
  readonly id: LaneId
  readonly source: SourceId
  readonly path: string
  /** As the last whole document said; deltas guess it from the path for environments that are new. */
  type: string
  readonly tracks = new Map<string, IoTrack>()
  readonly files: IoFile[] = []
  readonly #fileByName = new Map<string, IoFile>()

  constructor(source: SourceId, path: string, type: string) {
    this.id = laneId(source, path)
    this.source = source
    this.path = path
    this.type = type
  }

  track(kind: string): IoTrack {
    let track = this.tracks.get(kind)
    if (track === undefined) this.tracks.set(kind, (track = new IoTrack(kind)))
    return track
  }

  file(name: string): IoFile {
    let file = this.#fileByName.get(name)
    if (file === undefined) {
      file = {
        id: this.files.length,
        name,
        status: null,
        sizeBytes: -1,
        sizeAtTicks: Number.NEGATIVE_INFINITY,
        spans: new Map(),
      }
      this.files.push(file)
      this.#fileByName.set(name, file)
    }
    return file
  }
}

export const laneId = (source: SourceId, path: string): LaneId => `${source}|${path}`

/** Events of a roll-up that were not seen one by one although the source is watched, or some of them were seen. */
export interface IoLoss {
  readonly lane: LaneId
  readonly kind: string
  readonly startTicks: number
  readonly endTicks: number
  /** Null: more of it were seen than a full fold has, so how many it stands for is not known. */
  readonly missingCount: number | null
  readonly missingBytes: number
}

export interface IoIngest {
  readonly added: number
  readonly seen: number
  readonly losses: readonly IoLoss[]
  /** Latest end of any event or roll-up of the document; NaN when it has none. */
  readonly newestTicks: number
}

/** All I/O that a capture holds: lanes by environment, tracks by kind. */
export class IoStore {
  readonly lanes = new Map<LaneId, IoLaneTable>()
  readonly activity = new Activity()
  /** Grows with each change. */
  version = 0
  readonly #watched = new Set<SourceId>()
  /** From the first start to the latest end; NaN while empty. */
  firstTicks = Number.NaN
  endTicks = Number.NaN

  /**
   * Takes one document of one source. `whole`: a full answer, whose status and types are true; else a live delta.
   * Events and roll-ups that are there already are recognised.
   */
  ingest(source: SourceId, document: IoDocument, whole: boolean): IoIngest {
    const result = { added: 0, seen: 0, losses: [] as IoLoss[], newestTicks: Number.NaN }
    for (const environment of document.environments) {
      const lane = this.#lane(source, environment, whole)
      for (const rows of environment.files) {
        const file = lane.file(rows.name)
        if (whole && rows.status !== null) file.status = rows.status
        for (const reported of rows.kinds) {
          const kind = { ...reported, kind: trackKind(rows.name, reported.kind) }
          const merged = this.#mergeEvents(lane, file, kind)
          result.added += merged.added
          result.seen += merged.seen
          result.losses.push(...this.#mergeRollUps(lane, file, kind))
          result.newestTicks = laterOf(result.newestTicks, merged.newestTicks)
          for (const { endTicks } of kind.rollUps) result.newestTicks = laterOf(result.newestTicks, endTicks)
        }
      }
    }
    this.version++
    return result
  }

  /** The source is watched from now on: what is folded unseen is a loss, and no longer what the server had summed up before. */
  watch(source: SourceId): void {
    this.#watched.add(source)
  }

  #lane(source: SourceId, environment: IoEnvironmentRows, whole: boolean): IoLaneTable {
    const id = laneId(source, environment.path)
    let lane = this.lanes.get(id)
    if (lane === undefined) this.lanes.set(id, (lane = new IoLaneTable(source, environment.path, environment.type)))
    else if (whole) lane.type = environment.type
    return lane
  }

  #mergeEvents(lane: IoLaneTable, file: IoFile, { kind, events }: IoKindRows) {
    const { columns, length } = events
    if (length === 0) return { added: 0, seen: 0, newestTicks: Number.NaN }
    const starts = columns[START] as Float64Array
    const durations = columns[DURATION] as Float64Array
    columns[FILE]?.fill(file.id)
    const { firstTicks, lastTicks, newestTicks } = this.#markActive(starts, durations, length)
    noteSizes(file, starts, columns[FILE_SIZE] as Float64Array, length)
    this.#extend(firstTicks, newestTicks)
    const span = file.spans.get(kind)
    const mayRepeat = span !== undefined && firstTicks <= span.lastTicks && lastTicks >= span.firstTicks
    const merged = lane.track(kind).events.merge(events, mayRepeat)
    file.spans.set(kind, {
      firstTicks: Math.min(firstTicks, span?.firstTicks ?? firstTicks),
      lastTicks: Math.max(lastTicks, span?.lastTicks ?? lastTicks),
    })
    return { ...merged, newestTicks }
  }

  /** Marks the seconds of these events; returns first and last start and latest end. */
  #markActive(starts: Float64Array, durations: Float64Array, length: number) {
    const { activity } = this
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

  #mergeRollUps(lane: IoLaneTable, file: IoFile, { kind, rollUps }: IoKindRows): IoLoss[] {
    const losses: IoLoss[] = []
    const track = rollUps.length > 0 ? lane.track(kind) : null
    for (const row of rollUps) {
      const rollUp: IoRollUp = {
        ...row,
        file: file.id,
        ...seenWithin(track as IoTrack, file.id, row.startTicks, row.endTicks),
      }
      if (track?.rollUps.add(rollUp) !== true) continue
      this.#extend(row.startTicks, row.endTicks)
      this.activity.add(row.startTicks, row.endTicks)
      if (!file.spans.has(kind))
        file.spans.set(kind, { firstTicks: row.startTicks, lastTicks: Number.NEGATIVE_INFINITY })
      if ((rollUp.seenCount > 0 || this.#watched.has(lane.source)) && !isCovered(rollUp)) {
        losses.push({
          lane: lane.id,
          kind,
          startTicks: rollUp.unseenFromTicks,
          endTicks: row.endTicks,
          missingCount: unseenCount(rollUp),
          missingBytes: Math.max(0, row.sizeBytes - rollUp.seenBytes),
        })
      }
    }
    return losses
  }

  #extend(startTicks: number, endTicks: number): void {
    if (!(this.firstTicks <= startTicks)) this.firstTicks = startTicks
    if (!(this.endTicks >= endTicks)) this.endTicks = endTicks
  }

  /** Bytes held by event columns and pyramids, and by everything else that grows with data. */
  get byteLength(): { readonly events: number; readonly other: number } {
    let events = 0
    let other = this.activity.byteLength
    for (const lane of this.lanes.values())
      for (const track of lane.tracks.values()) {
        events += track.events.byteLength
        other += track.rollUps.rows.length * ROLL_UP_BYTES
      }
    return { events, other }
  }
}

/** The file's size as its newest event tells it. */
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

/** Ten numbers and an object header: an estimate, since engines do not tell. */
const ROLL_UP_BYTES = 112

/** NaN: there is none. */
const laterOf = (a: number, b: number): number => (Number.isNaN(a) || b > a ? b : a)

/** What is known event by event of a roll-up's span and file. O(rows in the span). */
function seenWithin(track: IoTrack, file: number, startTicks: number, endTicks: number) {
  const { events } = track
  let seenCount = 0
  let seenBytes = 0
  let seenBusyTicks = 0
  let firstSeenTicks = Number.NaN
  let seenUntilTicks = startTicks
  // The end of the last folded event is the end of the roll-up, so an event that starts with the end is of the next one.
  events.forEachPart(
    events.lowerBound(startTicks),
    events.lowerBound(Math.max(endTicks, startTicks + 1)),
    (chunk, from, to) => {
      for (let row = from; row < to; row++) {
        if (chunk.read(FILE, row) !== file) continue
        const durationTicks = chunk.read(DURATION, row)
        if (seenCount++ === 0) firstSeenTicks = chunk.read(START, row)
        seenBytes += chunk.read(SIZE, row)
        seenBusyTicks += durationTicks
        seenUntilTicks = Math.max(seenUntilTicks, chunk.read(START, row) + durationTicks)
      }
    },
  )
  // A ring fills in order: whoever saw its first event lacks only what came after the last one that he saw.
  const unseenFromTicks = firstSeenTicks === startTicks ? Math.min(seenUntilTicks, endTicks) : startTicks
  return { seenCount, seenBytes, seenBusyTicks, unseenFromTicks }
}

/** The newest event of each current file: what a whole document after a pause must still know, or something was lost. */
export interface RingMark {
  readonly lane: LaneId
  readonly kind: string
  readonly file: string
  readonly startTicks: number
}

/** Per lane and kind of the source, the newest event seen. */
export function ringMarks(store: IoStore, source: SourceId): RingMark[] {
  const marks: RingMark[] = []
  for (const lane of store.lanes.values()) {
    if (lane.source !== source) continue
    for (const { kind, events } of lane.tracks.values()) {
      if (events.length === 0) continue
      const file = lane.files[events.read(FILE, events.length - 1)]?.name ?? ''
      marks.push({ lane: lane.id, kind, file, startTicks: events.lastTicks })
    }
  }
  return marks
}

/**
 * Whether a whole document goes on where the marks end: each mark's event is still in its ring, or inside a roll-up of it.
 * Returns the marks that it does not know, those of environments that it no longer has (a deleted index) too.
 */
export function forgottenMarks(source: SourceId, document: IoDocument, marks: readonly RingMark[]): RingMark[] {
  const environments = new Map(
    document.environments.map((environment) => [laneId(source, environment.path), environment]),
  )
  return marks.filter((mark) => {
    const environment = environments.get(mark.lane)
    return environment?.files.some((file) => file.name === mark.file && remembers(file, mark)) !== true
  })
}

function remembers(file: IoFileRows, mark: RingMark): boolean {
  const rows = file.kinds.find(({ kind }) => trackKind(file.name, kind) === mark.kind)
  return (
    rows !== undefined &&
    ((rows.events.columns[START] as Float64Array).includes(mark.startTicks) ||
      rows.rollUps.some((rollUp) => rollUp.startTicks <= mark.startTicks && rollUp.endTicks >= mark.startTicks))
  )
}

import { DURATION, SIZE } from '../../../base/columns/event-chunk.ts'
import { EventTable } from '../../../base/columns/event-table.ts'
import { NumberSet } from '../../../base/columns/number-set.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { FoldedOrigins, WaitingEvents } from './reading/waiting-events.ts'
import { FOLDED_FILE, FOLDED_FILE_NAME } from '../contract/limits.ts'
import type { LaneId } from '../contract/lanes.ts'
import { RollUpTable } from './rollups.ts'
import { ACCELERATION, COMPRESSED, FILE, IO_COLUMNS } from './reading/wire.ts'

const SHAPE = { columnCount: IO_COLUMNS, identity: [DURATION, SIZE, FILE], fillable: [COMPRESSED, ACCELERATION] }

/** Events and roll-ups of one kind in one storage environment. */
export class IoTrack {
  readonly kind: string
  readonly events = new EventTable(SHAPE)
  readonly rollUps = new RollUpTable()
  /** Number of rows scanned so far in search of roll-up events that were seen individually. */
  rowsScanned = 0
  /** Origins of the files that are not stored separately; null: there are none. */
  folded: FoldedOrigins | null = null
  #waiting: WaitingEvents | null = null

  constructor(kind: string) {
    this.kind = kind
  }

  /** Events that `settle` will merge into the table. */
  get waiting(): WaitingEvents {
    return (this.#waiting ??= new WaitingEvents(this.events))
  }

  get foldedOrigins(): FoldedOrigins {
    return (this.folded ??= new FoldedOrigins())
  }

  /** Merges the waiting events. */
  settle(): void {
    this.#waiting?.settle()
    this.#waiting = null
    this.folded?.settled()
  }
}

/** A file of a storage environment. `id` is its position in the lane's `files`, and its value in column FILE. */
export interface IoFile {
  readonly id: number
  readonly name: string
  status: string | null
  /** `FileSize` of the newest event; −1: not reported. */
  sizeBytes: number
  sizeAtTicks: number
  /** First and last start seen, by kind; no event outside this span was seen. */
  readonly spans: Map<string, { firstTicks: number; lastTicks: number }>
}

/** Storage environment of one source. */
export class IoLaneTable {
  readonly id: LaneId
  readonly source: SourceId
  readonly path: string
  /** Type in the last whole document; deltas derive it from the path for new environments. */
  type: string
  readonly tracks = new Map<string, IoTrack>()
  readonly files: IoFile[] = []
  /** File that represents those not stored separately; null: all are stored separately. */
  folded: IoFile | null = null
  /** Environments that this lane represents; null: it is a single environment. */
  readonly environments: NumberSet | null
  readonly #fileByName = new Map<string, IoFile>()

  /** `isFolded`: the lane represents environments that are not stored separately. */
  constructor(source: SourceId, path: string, type: string, isFolded = false) {
    this.id = laneId(source, path)
    this.source = source
    this.path = path
    this.type = type
    this.environments = isFolded ? new NumberSet() : null
  }

  track(kind: string): IoTrack {
    let track = this.tracks.get(kind)
    if (track === undefined) this.tracks.set(kind, (track = new IoTrack(kind)))
    return track
  }

  file(name: string): IoFile {
    let file = this.#fileByName.get(name)
    if (file === undefined) {
      file = newFile(this.files.length, name)
      this.files.push(file)
      this.#fileByName.set(name, file)
    }
    return file
  }

  hasFile(name: string): boolean {
    return this.#fileByName.has(name)
  }

  get foldedFile(): IoFile {
    return (this.folded ??= newFile(FOLDED_FILE, FOLDED_FILE_NAME))
  }

  /** Name of a file by its value in column FILE. */
  fileName(value: number): string {
    return this.files[value]?.name ?? this.folded?.name ?? ''
  }
}

const newFile = (id: number, name: string): IoFile => ({
  id,
  name,
  status: null,
  sizeBytes: -1,
  sizeAtTicks: Number.NEGATIVE_INFINITY,
  spans: new Map(),
})

export const laneId = (source: SourceId, path: string): LaneId => `${source}|${path}`

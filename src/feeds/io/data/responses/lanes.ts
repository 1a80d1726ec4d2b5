import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { bisectLeft } from '../../../../base/columns/bisect.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { laneFinder, orderLanes, type PlacedLane } from '../../contract/lane-order.ts'
import type { IoFile, IoLaneTable } from '../lane-table.ts'
import {
  FILES_OF_KIND,
  LANES_OF_PAGE,
  type IoFileInfo,
  type IoLane,
  type IoLanesResponse,
  type IoLanesParams,
  type LaneId,
} from '../../contract/lanes.ts'
import type { IoStore } from '../table.ts'
import { kindTotals } from './kind-totals.ts'
import type { LaneLabel, LaneNames } from './lane-names.ts'

/** Maximum number of lanes returned whose path exists in several sources. */
const MOST_DOUBLED = 1000

interface NamedLane extends PlacedLane {
  readonly lane: IoLaneTable
  readonly named: LaneLabel
}

/** Lanes in order, one page at a time. The order is cached while the lanes and their names are unchanged. */
export class LanePages {
  readonly #store: IoStore
  readonly #names: LaneNames
  #known: readonly NamedLane[] = []
  #sources = ''
  #ordered: readonly NamedLane[] = []

  constructor(store: IoStore, names: LaneNames) {
    this.#store = store
    this.#names = names
  }

  /** O(lanes); the response is one page. */
  response({ sources, find, page, openKinds }: IoLanesParams): IoLanesResponse {
    const all = this.#order(sources)
    const matching = matchingOf(all, find)
    const last = Math.max(0, Math.ceil(matching.length / LANES_OF_PAGE) - 1)
    const shown = Math.min(Math.max(0, page), last)
    const lanes = matching.slice(shown * LANES_OF_PAGE, (shown + 1) * LANES_OF_PAGE)
    const own = new Set(all.map(({ source }) => source))
    return {
      version: this.#store.version,
      lanes: lanes.map((each) =>
        laneInfo(
          each,
          openKinds.flatMap(({ lane, kind }) => (lane === each.lane.id ? [kind] : [])),
        ),
      ),
      page: shown,
      matching: matching.length,
      all: all.length,
      ...sumsOf(all),
      sources: sources.filter((source) => own.has(source)),
      doubled: own.size < 2 ? [] : doubledOf(matching),
      folded: {
        environments: all.reduce((sum, { lane }) => sum + (lane.environments?.size ?? 0), 0),
        ...this.#store.folds,
      },
    }
  }

  pageOf(sources: readonly SourceId[], find: string, lane: LaneId): number | null {
    const at = matchingOf(this.#order(sources), find).findIndex((each) => each.lane.id === lane)
    return at === -1 ? null : Math.floor(at / LANES_OF_PAGE)
  }

  #order(sources: readonly SourceId[]): readonly NamedLane[] {
    const chosen = new Set(sources)
    const lanes: NamedLane[] = []
    for (const lane of this.#store.lanes.values()) {
      if (!chosen.has(lane.source)) continue
      const { source, type, path } = lane
      const named = this.#names.labelOf(lane)
      lanes.push({ lane, named, source, type, path, label: named.label })
    }
    const key = sources.join('\n')
    const isSame =
      key === this.#sources &&
      lanes.length === this.#known.length &&
      lanes.every(({ lane, label, type }, i) => {
        const known = this.#known[i]
        return known?.lane === lane && known.label === label && known.type === type
      })
    if (!isSame) {
      this.#sources = key
      this.#known = lanes
      this.#ordered = orderLanes(lanes, sources)
    }
    return this.#ordered
  }
}

function matchingOf(lanes: readonly NamedLane[], find: string): readonly NamedLane[] {
  const isFound = laneFinder(find)
  return lanes.filter(({ label }) => isFound(label))
}

function laneInfo({ lane, named }: NamedLane, openKinds: readonly string[]): IoLane {
  const files: IoFileInfo[] = []
  const filesLeft: Record<string, number> = {}
  for (const kind of openKinds) {
    const { listed, left } = newestFiles(lane, kind)
    files.push(...listed)
    if (left > 0) filesLeft[kind] = left
  }
  return {
    id: lane.id,
    source: lane.source,
    path: lane.path,
    type: lane.type,
    label: named.label,
    labelIsReal: named.labelIsReal,
    kinds: Array.from(lane.tracks.values(), kindTotals),
    files: [...new Map(files.map((file) => [file.id, file])).values()],
    filesLeft,
  }
}

/** Files of a kind, newest first; a file that represents many comes last. */
function newestFiles(lane: IoLaneTable, kind: string): { readonly listed: IoFileInfo[]; readonly left: number } {
  const lastOf = (file: IoFile): number => file.spans.get(kind)?.lastTicks ?? Number.NEGATIVE_INFINITY
  const newest: IoFile[] = []
  let count = 0
  for (const file of lane.files) {
    if (!file.spans.has(kind)) continue
    count++
    const last = lastOf(file)
    if (newest.length === FILES_OF_KIND && last <= lastOf(newest.at(-1) as IoFile)) continue
    newest.splice(
      bisectLeft(newest, -last, (each) => -lastOf(each)),
      0,
      file,
    )
    if (newest.length > FILES_OF_KIND) newest.pop()
  }
  const folded = lane.folded?.spans.has(kind) === true ? [lane.folded] : []
  return { listed: [...newest, ...folded].map(fileInfo), left: count - newest.length }
}

function sumsOf(lanes: readonly NamedLane[]): Pick<IoLanesResponse, 'kinds' | 'lastTicks'> {
  const counts = new Map<string, number>()
  let lastTicks = Number.NEGATIVE_INFINITY
  for (const { lane } of lanes)
    for (const { kind, events, rollUps } of lane.tracks.values()) {
      counts.set(kind, (counts.get(kind) ?? 0) + events.length)
      if (events.length > 0) lastTicks = Math.max(lastTicks, events.lastTicks)
      lastTicks = Math.max(lastTicks, rollUps.rows.at(-1)?.startTicks ?? Number.NEGATIVE_INFINITY)
    }
  return {
    kinds: Array.from(counts, ([kind, count]) => ({ kind, count })),
    lastTicks: (Number.isFinite(lastTicks) ? lastTicks : Number.NaN) as Ticks,
  }
}

function doubledOf(lanes: readonly NamedLane[]): IoLanesResponse['doubled'] {
  const sourcesOf = new Map<string, SourceId | null>()
  for (const { path, source } of lanes) {
    const known = sourcesOf.get(path)
    sourcesOf.set(path, known === undefined || known === source ? source : null)
  }
  return lanes
    .filter(({ lane, path }) => lane.environments === null && sourcesOf.get(path) === null)
    .slice(0, MOST_DOUBLED)
    .map(({ lane, source, path }) => ({ source, path, kinds: Array.from(lane.tracks.values(), kindTotals) }))
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

import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import { formatTicks, type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import { parseSourceId, sourceLabel } from '../../../../capture/client/state.ts'
import type { LaneNames } from '../responses/lane-names.ts'
import type { Part } from '../responses/parts.ts'
import type { IoStore } from '../table.ts'
import { PlaceCache, sizeBytes } from './event-fields.ts'
import type { RowCursor } from './row-cursor.ts'
import { textSteps } from './row-steps.ts'

/** Process and thread ids must not overlap: a thread with the id of its process would be shown as its main thread. */
const FIRST_THREAD = 1001
/**
 * Maximum number of threads for one kind of a lane. Further overlapping events go to the last thread, where a viewer
 * may drop them.
 */
const MOST_THREADS = 256

/**
 * Chrome's trace event format, for Perfetto and `about:tracing`: a process for each source, a thread for each kind of
 * each lane. Viewers expect that events of one thread are nested or disjoint; so if two events of a kind overlap, even
 * if only by the rounding of durations, the later one goes to another thread. `ts` is µs since `otherData.start_utc`, a
 * whole second: since 1970 it would not fit into a double with its last digit. Source: "Trace Event Format", and
 * Perfetto's own page on it ("Chrome JSON").
 */
export function chromeTrace(store: IoStore, names: LaneNames, parts: readonly Part[], out: Pieces): ExportSteps {
  const first = Math.min(
    ...parts.filter(({ from, to }) => from < to).map(({ events, from }) => events.read(START, from)),
  )
  const zeroTicks = Number.isFinite(first) ? Math.floor(first / TICKS_PER_SECOND) * TICKS_PER_SECOND : Number.NaN
  const threads = new Threads(store, names)
  const args = new PlaceCache(store, names, ([, , , path, file]) => JSON.stringify({ path, file }).slice(1))
  const kinds = new PlaceCache(store, names, ([kind]) => JSON.stringify(kind))
  const startUtc = JSON.stringify(formatTicks(zeroTicks as Ticks))
  let separator = ''
  return textSteps(parts, out, {
    head: `{"displayTimeUnit":"ms","otherData":{"start_utc":${startUtc}},"traceEvents":[`,
    row: (row) => {
      const { process, thread, news } = threads.take(row)
      const meta = news === '' ? '' : `${separator}${news}`
      if (meta !== '') separator = ','
      const text =
        `${meta}${separator}{"name":${kinds.of(row)},"cat":"io","ph":"X","ts":${micros(row.startTicks - zeroTicks)},` +
        `"dur":${micros(row.read(DURATION))},"pid":${process},"tid":${thread},` +
        `"args":{"size_bytes":${sizeBytes(row)},${args.of(row)}}`
      separator = ',\n'
      return text
    },
    tail: ']}',
  })
}

/** Converts ticks to µs with one digit, exactly. */
const micros = (ticks: number): string => {
  const digit = ticks % 10
  return digit === 0 ? String(ticks / 10) : `${(ticks - digit) / 10}.${digit}`
}

interface Track {
  readonly process: number
  readonly name: string
  /** End of the last event of each thread, and the thread's number. */
  readonly endTicks: number[]
  readonly threads: number[]
}

/** Assigns a process and a thread to each event, and writes new ones as metadata events. */
class Threads {
  readonly #store: IoStore
  readonly #names: LaneNames
  readonly #tracks = new Map<RowCursor, Track>()
  readonly #processes = new Map<string, number>()
  #nextThread = FIRST_THREAD

  constructor(store: IoStore, names: LaneNames) {
    this.#store = store
    this.#names = names
  }

  take(row: RowCursor): { readonly process: number; readonly thread: number; readonly news: string } {
    const news: string[] = []
    let track = this.#tracks.get(row)
    if (track === undefined) this.#tracks.set(row, (track = this.#newTrack(row, news)))
    let at = track.endTicks.findIndex((endTicks) => endTicks <= row.startTicks)
    if (at === -1) at = Math.min(track.threads.length, MOST_THREADS - 1)
    if (at === track.threads.length) {
      const thread = this.#nextThread++
      track.threads.push(thread)
      track.endTicks.push(Number.NEGATIVE_INFINITY)
      const name = at === 0 ? track.name : `${track.name} (${at + 1})`
      news.push(metadata('thread_name', track.process, thread, { name }))
      news.push(metadata('thread_sort_index', track.process, thread, { sort_index: row.place * MOST_THREADS + at }))
    }
    track.endTicks[at] = Math.max(track.endTicks[at] as number, row.startTicks + row.read(DURATION))
    return { process: track.process, thread: track.threads[at] as number, news: news.join(',\n') }
  }

  #newTrack(row: RowCursor, news: string[]): Track {
    const lane = this.#store.lanes.get(row.part.lane)
    const source = lane?.source ?? ''
    let process = this.#processes.get(source)
    if (process === undefined) {
      this.#processes.set(source, (process = this.#processes.size + 1))
      const ref = parseSourceId(source)
      news.push(metadata('process_name', process, 0, { name: ref === null ? source : sourceLabel(ref) }))
    }
    const label = lane === undefined ? row.part.lane : this.#names.labelOf(lane).label
    return { process, name: `${label} · ${row.part.kind}`, endTicks: [], threads: [] }
  }
}

const metadata = (name: string, pid: number, tid: number, args: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ name, ph: 'M', pid, tid, args })

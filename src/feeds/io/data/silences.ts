import { DURATION, START } from '../../../base/columns/event-chunk.ts'
import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import type { GapLog } from '../../../capture/worker/gap-log.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IoStore } from './table.ts'

/** Maximum time before a stretch at which an event that ends in it may have begun. */
const BEFORE_TICKS = 60 * TICKS_PER_SECOND
/** Time after a silence in which its events still arrive: with the server's next frames, one every 3 s. */
const SETTLES_TICKS = 15 * TICKS_PER_SECOND
/**
 * Minimum length of a silence. Data of a time with continuous events was only received late, which is not a silence.
 */
const LEAST_TICKS = 5 * TICKS_PER_SECOND

interface OpenSilence extends TimeRange {
  readonly id: number
}

/**
 * Stretches in which the server sent nothing, not even heartbeats. Frames come every 3 s, so events shortly before and
 * after are reported later, and narrow the stretch to the time in which no event began or ended.
 */
export class Silences {
  readonly #store: IoStore
  readonly #open = new Map<SourceId, OpenSilence>()

  constructor(store: IoStore) {
    this.#store = store
  }

  begin(gapLog: GapLog, source: SourceId, { startTicks, endTicks }: TimeRange): void {
    const id = gapLog.add({
      source,
      lane: null,
      kind: null,
      reason: 'server-unresponsive',
      startTicks,
      endTicks,
      missingCount: 0,
      missingBytes: null,
      detail:
        'The server sent nothing, not even heartbeats: its process, its machine or the network was paused. What it reported afterwards is complete.',
    })
    this.#open.set(source, { id, startTicks, endTicks })
  }

  /** Called with the data that arrived afterwards. */
  settle(gapLog: GapLog, source: SourceId, nowTicks: Ticks): void {
    const silence = this.#open.get(source)
    if (silence === undefined) return
    if (nowTicks > silence.endTicks + SETTLES_TICKS) this.#open.delete(source)
    const quiet = longestQuiet(this.#store, source, silence)
    if (quiet.endTicks - quiet.startTicks >= LEAST_TICKS) gapLog.close(silence.id, quiet)
    else {
      gapLog.remove(silence.id)
      this.#open.delete(source)
    }
  }
}

/** Longest stretch within the range in which no event of the source begins or ends. */
export function longestQuiet(store: IoStore, source: SourceId, { startTicks, endTicks }: TimeRange): TimeRange {
  const edges: number[] = [startTicks, endTicks]
  for (const lane of store.lanes.values()) {
    if (lane.source !== source) continue
    for (const { events } of lane.tracks.values()) {
      const to = events.lowerBound(endTicks)
      for (let row = events.lowerBound(startTicks - BEFORE_TICKS); row < to; row++) {
        const start = events.read(START, row)
        for (const edge of [start, start + events.read(DURATION, row)])
          if (edge > startTicks && edge < endTicks) edges.push(edge)
      }
    }
  }
  const sorted = Float64Array.from(edges).toSorted()
  let [from, to] = [startTicks, startTicks]
  for (let i = 1; i < sorted.length; i++) {
    const [a, b] = [sorted[i - 1] as Ticks, sorted[i] as Ticks]
    if (b - a > to - from) [from, to] = [a, b]
  }
  return { startTicks: from, endTicks: to }
}

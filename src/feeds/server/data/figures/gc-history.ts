import type { Bytes } from '../../../../base/brand.ts'
import { type Ticks, TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { ServerGc } from '../../contract/machine.ts'
import type { SeriesStore } from '../series.ts'
import type { GcWidget } from '../wire/widgets.ts'
import { GcLog, type GcResponse } from './gc.ts'

/** Time over which the share of pauses is computed. */
const PAUSES_MS = 60_000

/** Collections since the server started, with their series. */
export class GcHistory {
  readonly #series: SeriesStore
  #log = new GcLog()
  #sinceTicks: Ticks | null = null

  constructor(series: SeriesStore) {
    this.#series = series
  }

  take(gc: GcWidget, atTicks: Ticks): void {
    this.#note(this.#log.take(gc, atTicks), atTicks)
  }

  takeDetail(response: GcResponse, atTicks: Ticks): void {
    this.#note(this.#log.takeDetail(response, atTicks), atTicks)
  }

  restarted(): void {
    this.#log = new GcLog()
    this.#sinceTicks = null
  }

  /**
   * Current GC figures. The share of pauses is a lower bound: of several collections between two frames only the last
   * is reported.
   */
  now(nowTicks: Ticks | null): ServerGc | null {
    const seenMs = nowTicks === null || this.#sinceTicks === null ? 0 : (nowTicks - this.#sinceTicks) / TICKS_PER_MS
    let recentPauseShare: number | null = null
    if (nowTicks !== null && seenMs >= PAUSES_MS) {
      const { mean, count } = this.#series.recent('gc.pauseMs', nowTicks, PAUSES_MS)
      recentPauseShare = count === 0 ? 0 : (mean * count) / PAUSES_MS
    }
    return this.#log.now(recentPauseShare)
  }

  #note(pausesMs: readonly number[], atTicks: Ticks): void {
    for (const pauseMs of pausesMs) this.#series.append('gc.pauseMs', atTicks, pauseMs)
    const gc = this.#log.now(null)
    if (gc === null) return
    this.#sinceTicks ??= atTicks
    this.#series.append('gc.perMinute', atTicks, gc.perMinute)
    const { newest } = gc
    if (newest === null) return
    const after = (heap: string): Bytes | null => newest.heaps.find((one) => one.heap === heap)?.afterBytes ?? null
    this.#series.appendAll(atTicks, {
      'gc.pausePercent': gc.pauseTimePercent,
      'gc.heap': newest.heapAfterBytes,
      'gc.gen0': after('gen0'),
      'gc.gen1': after('gen1'),
      'gc.gen2': after('gen2'),
      'gc.loh': after('loh'),
      'gc.poh': after('poh'),
      'gc.fragmented': newest.heaps.reduce((sum, heap) => sum + heap.fragmentedAfterBytes, 0),
    })
  }
}

import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { ServerNow } from '../../contract/now.ts'
import type { AdminMetrics } from '../wire/polls-wire.ts'
import type { TrafficWidget } from '../wire/widgets.ts'

/** Maximum time over which requests are counted: a longer one does not describe the present. */
const REQUESTS_MOST_TICKS = 120 * TICKS_PER_SECOND

/**
 * Requests and writes. Exact from differences of the server's counter if that is known, otherwise approximate from the
 * widget.
 */
export class TrafficStore {
  #widget: (TrafficWidget & { readonly atTicks: Ticks }) | null = null
  #metrics: AdminMetrics | null = null
  #counted: { readonly atTicks: Ticks; readonly count: number } | null = null
  /** Rate of requests; null: counted only once, or never. */
  #requests: { readonly atTicks: Ticks; readonly perSecond: number; readonly overMs: number } | null = null

  /** Takes a widget and returns the values for its series. */
  takeWidget(widget: TrafficWidget, atTicks: Ticks): Readonly<Record<string, number | null>> {
    this.#widget = { atTicks, ...widget }
    return {
      'traffic.requests': this.#requests === null ? widget.requestsPerSecond : null,
      'traffic.averageMs': widget.averageMs,
      'writes.rate': widget.writesPerSecond,
      'writes.byteRate': widget.writeBytesPerSecond,
    }
  }

  /** Takes a response of `/admin/metrics` and returns the values for its series. */
  takeMetrics(metrics: AdminMetrics, atTicks: Ticks): Readonly<Record<string, number | null>> {
    this.#metrics = metrics
    this.#count(metrics.requestsSinceStart, atTicks)
    return {
      'traffic.concurrent': metrics.concurrentRequests,
      'traffic.requests': this.#requests?.perSecond ?? null,
    }
  }

  #count(count: number, atTicks: Ticks): void {
    const before = this.#counted
    this.#counted = { atTicks, count }
    const ticks = before === null ? 0 : atTicks - before.atTicks
    const isCounted =
      before !== null && count >= before.count && ticks >= TICKS_PER_SECOND && ticks <= REQUESTS_MOST_TICKS
    this.#requests = isCounted
      ? { atTicks, perSecond: ((count - before.count) / ticks) * TICKS_PER_SECOND, overMs: ticks / TICKS_PER_MS }
      : null
  }

  /** Number of requests since the start, as the server counts them; null: needs Operator. */
  get requestsSinceStart(): number | null {
    return this.#metrics?.requestsSinceStart ?? null
  }

  now(nowTicks: number): ServerNow['traffic'] {
    const widget = this.#widget
    const isFresh = this.#requests !== null && nowTicks - this.#requests.atTicks <= REQUESTS_MOST_TICKS
    const counted = isFresh ? this.#requests : null
    const atTicks = counted?.atTicks ?? widget?.atTicks
    if (atTicks === undefined) return null
    return {
      atTicks,
      requestsPerSecond: counted?.perSecond ?? widget?.requestsPerSecond ?? null,
      countedOverMs: counted?.overMs ?? null,
      averageMs: widget?.averageMs ?? this.#metrics?.averageMs ?? null,
      writesPerSecond: widget?.writesPerSecond ?? null,
    }
  }

  restarted(): void {
    this.#counted = null
    this.#requests = null
  }
}

import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { ServerNow } from '../../contract/now.ts'
import type { AdminMetrics } from '../wire/polls-wire.ts'
import type { TrafficWidget } from '../wire/widgets.ts'
import { ofOthers, TRAFFIC_MS } from './of-others.ts'

/** Maximum time over which requests are counted: a longer one does not describe the present. */
const REQUESTS_MOST_TICKS = 120 * TICKS_PER_SECOND
/**
 * Number of requests in a count, and share of ours, that may be ours although we did not send them in its time: some are
 * under way when the server counts.
 */
const UNDER_WAY = 3
const UNDER_WAY_SHARE = 0.1

/**
 * Requests and writes. Exact from differences of the server's counter if that is known, otherwise approximate from the
 * widget.
 */
export class TrafficStore {
  #widget: (TrafficWidget & { readonly atTicks: Ticks; readonly ours: number | null }) | null = null
  #metrics: AdminMetrics | null = null
  #counted: { readonly atTicks: Ticks; readonly count: number } | null = null
  /** Rate of requests; null: counted only once, or never. */
  #requests: {
    readonly atTicks: Ticks
    readonly perSecond: number
    readonly ours: number | null
    readonly overMs: number
  } | null = null
  readonly #own: (spanMs: number) => number | null

  /** `own` returns the number of requests that the pages of this browser sent in that time; null: not known. */
  constructor(own: (spanMs: number) => number | null = () => null) {
    this.#own = own
  }

  /** Takes a widget and returns the values for its series. */
  takeWidget(widget: TrafficWidget, atTicks: Ticks): Readonly<Record<string, number | null>> {
    const { requestsPerSecond } = widget
    const own = this.#own(TRAFFIC_MS)
    this.#widget = {
      atTicks,
      ...widget,
      ours: own === null ? null : requestsPerSecond - ofOthers(requestsPerSecond, own),
    }
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
    if (!isCounted) {
      this.#requests = null
      return
    }
    const all = count - before.count
    const overMs = ticks / TICKS_PER_MS
    const own = this.#own(overMs)
    const ours = own === null || all - own > Math.min(UNDER_WAY, UNDER_WAY_SHARE * own) ? own : all
    const perSecond = (requests: number): number => (requests * 1000) / overMs
    this.#requests = { atTicks, perSecond: perSecond(all), ours: ours === null ? null : perSecond(ours), overMs }
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
      oursPerSecond: counted === null ? (widget?.ours ?? null) : counted.ours,
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

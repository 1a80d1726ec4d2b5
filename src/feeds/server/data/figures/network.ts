import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { ServerNow } from '../../contract/now.ts'
import type { TcpStats } from '../wire/polls-wire.ts'

/** TCP rates of the machine, from differences of its counters. */
export class NetworkStore {
  #before: { readonly stats: TcpStats; readonly atTicks: Ticks } | null = null
  #now: ServerNow['network'] = null

  /** Takes a response and returns the values for its series. */
  take(stats: TcpStats, atTicks: Ticks): Readonly<Record<string, number | null>> {
    const before = this.#before
    this.#before = { stats, atTicks }
    const seconds = before === null ? Number.NaN : (atTicks - before.atTicks) / TICKS_PER_SECOND
    const rate = (field: 'receivedSegments' | 'sentSegments' | 'resentSegments'): number | null => {
      const from = before?.stats[field] ?? null
      const to = stats[field]
      // A smaller count than before: 32-bit counters wrap around to 0.
      return from === null || to === null || to < from || !(seconds > 0) ? null : (to - from) / seconds
    }
    const now = {
      atTicks,
      receivedSegmentsPerSecond: rate('receivedSegments'),
      sentSegmentsPerSecond: rate('sentSegments'),
      resentSegmentsPerSecond: rate('resentSegments'),
    }
    this.#now = now
    return {
      'network.received': now.receivedSegmentsPerSecond,
      'network.sent': now.sentSegmentsPerSecond,
      'network.resent': now.resentSegmentsPerSecond,
      'network.connections': stats.connections,
    }
  }

  get now(): ServerNow['network'] {
    return this.#now
  }

  restarted(): void {
    this.#before = null
  }
}

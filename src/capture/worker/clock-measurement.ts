import { ticksFromMs, TICKS_PER_MS } from '../../base/ticks.ts'
import { stampOf } from '../../ravendb/answers/answers.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import { asRavenError } from '../../ravendb/errors/errors.ts'
import type { MeasuredClock } from '../client/requests/requests.ts'

/** Number of round trips; the first of a connection takes longer. */
const TRIPS = 3
/** Time, ms, for which a measurement is used. */
const GOOD_FOR_MS = 60_000
/** Resolution of the browser's clock, ms. */
const OWN_GRAIN_MS = 1

/** Bounds of the time by which this computer is ahead, ms. */
interface Bounds {
  readonly leastMs: number
  readonly mostMs: number
}

/**
 * Measures the difference of the clocks with a response that contains its own time: that lies between sending and
 * receiving, which bounds the difference however the round trip is divided. The narrowest bounds of a few round trips
 * are used.
 */
export class ClockMeasurement {
  #last: { readonly atMs: number; readonly clock: MeasuredClock | null } | null = null

  /** Errors: `RavenError`, except for a missing right, which leaves the clock unknown. */
  async measure(governor: Governor, signal: AbortSignal): Promise<MeasuredClock | null> {
    const { now } = governor.env
    if (this.#last !== null && Math.abs(now() - this.#last.atMs) < GOOD_FOR_MS) return this.#last.clock
    const clock = await measureNow(governor, signal)
    this.#last = { atMs: now(), clock }
    return clock
  }
}

async function measureNow(governor: Governor, signal: AbortSignal): Promise<MeasuredClock | null> {
  let best: Bounds | null = null
  for (let trip = 0; trip < TRIPS; trip++) {
    const bounds = await boundsOfTrip(governor, signal)
    if (bounds === null) return null
    if (best === null || bounds.mostMs - bounds.leastMs < best.mostMs - best.leastMs) best = bounds
  }
  return best === null
    ? null
    : { aheadMs: (best.leastMs + best.mostMs) / 2, plusMinusMs: (best.mostMs - best.leastMs) / 2 + OWN_GRAIN_MS }
}

async function boundsOfTrip(governor: Governor, signal: AbortSignal): Promise<Bounds | null> {
  const { now } = governor.env
  let sentMs = now()
  const onBegun = (): void => void (sentMs = now())
  try {
    const stampTicks = stampOf(await governor.json('clusterTopology', {}, { signal, isFresh: true, onBegun }))
    const receivedMs = now()
    if (stampTicks === null) return null
    const aheadAt = (ms: number): number => (ticksFromMs(ms) - stampTicks) / TICKS_PER_MS
    return { leastMs: aheadAt(sentMs), mostMs: aheadAt(receivedMs) }
  } catch (error) {
    if (asRavenError(error, '/cluster/topology').kind === 'refused') return null
    throw error
  }
}

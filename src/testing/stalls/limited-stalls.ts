import { seededRandom } from '../../base/random.ts'
import type { StallCause } from '../../features/stalls/contract.ts'
import type { GeneratedEvent, GeneratedLane } from './generated-stalls.ts'

/**
 * Volumes whose bytes are limited by a bucket, and volumes that are merely slow: what distinguishes a ceiling from the size of a
 * write. The parameters of a capture are drawn from wide ranges, evenly by their logarithms.
 */
export const LIMITED = [
  /** One environment; in calm times the bucket fills. */
  'limited: calm and busy in turn',
  /** What arrives during a sync is one large commit, which meets the limit. */
  'limited: gathered after syncs',
  /** No limit: each environment writes as fast as it would alone, also while others do. */
  'limited: own speed, in parallel',
] as const
export type Limited = (typeof LIMITED)[number]

const PAGE = 4096
/** Faster than any limit. */
const DEVICE_BYTES_PER_MS = 600_000

/** Times in ms. `lasts`: of the recording. */
export function stallsOfLimits(scenario: Limited, seed: number, lasts: number): GeneratedLane[] {
  const random = seededRandom(seed ^ 0x3c6ef372)
  const between = (low: number, high: number): number => low + random() * (high - low)
  const anywhere = (low: number, high: number): number => low * (high / low) ** random()
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const logNormal = (median: number, sigma: number): number => median * Math.exp(sigma * normal())

  const isSlow = scenario === 'limited: own speed, in parallel'
  const hasSyncs = scenario !== 'limited: calm and busy in turn'
  const environments = isSlow ? 2 + Math.floor(random() * 2) : 1
  const latencyMs = anywhere(0.15, 6)
  const latencySigma = between(0.15, 0.7)
  const bytesPerMs = isSlow ? anywhere(4000, 80_000) : DEVICE_BYTES_PER_MS
  const perSecond = anywhere(10, 60)
  const bytesEach = isSlow ? Math.min(anywhere(5000, 200_000), bytesPerMs * 5) : anywhere(16_000, 300_000)
  const largeShare = isSlow ? anywhere(0.003, 0.05) : 0
  const largeBytes = bytesPerMs * between(100, 300)
  const largeFactor = between(2, 12)

  const turnMs = anywhere(40_000, lasts / 6)
  const busyShare = between(0.25, 0.5)
  const busyRate = between(2.2, 5)
  const isBusy = (at: number): boolean => (at % turnMs) / turnMs < busyShare
  const rateAt = (at: number): number => (hasSyncs ? 1 : isBusy(at) ? busyRate : 0.2)
  const limitPerMs = (perSecond * bytesEach * between(1.15, 1.7)) / 1000
  const bucket = hasSyncs ? limitPerMs * 100 : limitPerMs * turnMs * busyShare * between(0.2, 0.7)
  const syncEveryMs = anywhere(10_000, 40_000)
  const syncMs = anywhere(500, 3000)
  const syncSigma = between(0.2, 0.8)

  return Array.from({ length: environments }, (_, at): GeneratedLane => {
    const syncs: GeneratedEvent[] = []
    for (let start = hasSyncs ? exponential(syncEveryMs) : lasts; start < lasts;) {
      const end = start + logNormal(syncMs, syncSigma)
      syncs.push({ start, end, bytes: Math.round(logNormal(3e7, 1)), truth: null })
      start = end + exponential(syncEveryMs)
    }
    let nextSync = 0
    /** When the sync ends that holds up a write which starts at `start`. */
    const heldUntil = (start: number): number => {
      while ((syncs[nextSync]?.end ?? Number.POSITIVE_INFINITY) <= start) nextSync++
      const { start: from, end } = syncs[nextSync] ?? { start: lasts, end: lasts }
      if (from > start) return start
      // Most end with it, as was measured; some are let go early.
      return random() < 0.85 ? end + exponential(2) : between(start, end)
    }

    const writes: GeneratedEvent[] = []
    let [left, leftAt] = [bucket, 0]
    const takeMs = (when: number, bytes: number): number => {
      left = Math.min(bucket, left + (when - leftAt) * limitPerMs) - bytes
      leftAt = when
      const waitMs = Math.max(0, -left / limitPerMs)
      return isSlow ? 0 : waitMs
    }
    const arrivalBytes = (): number =>
      random() < largeShare ? largeBytes * largeFactor ** random() : logNormal(bytesEach, 0.5)
    let arrival = exponential(1000 / perSecond)
    for (let freeAt = 0; arrival < lasts;) {
      const start = Math.max(arrival, freeAt)
      let bytes = 0
      // What waits is committed together.
      const until = hasSyncs ? start : Number.NEGATIVE_INFINITY
      do {
        bytes += arrivalBytes()
        arrival += exponential(1000 / perSecond / rateAt(arrival))
      } while (arrival <= until)
      bytes = Math.ceil(bytes / PAGE) * PAGE
      const syncedAt = heldUntil(start)
      const limitMs = takeMs(syncedAt, bytes)
      const delays: [StallCause, number][] = [
        ['unexplained', logNormal(latencyMs, latencySigma)],
        ['sync', syncedAt - start],
        ['ceiling', limitMs],
        ['size', bytes / bytesPerMs],
      ]
      const [truth] = delays.reduce((most, each) => (each[1] > most[1] ? each : most))
      const end = start + delays.reduce((sum, [, ms]) => sum + ms, 0)
      writes.push({ start, end, bytes, truth })
      freeAt = end + 0.05
    }
    return { environment: `/data/${at}`, volume: 'volume', writes, syncs }
  })
}

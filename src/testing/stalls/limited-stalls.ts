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
  /** Small writes of one environment wait in line behind large ones of another. */
  'limited: several in line',
  /** The bucket is filled in steps of 0.1 to 1 s, so that what waits is complete in bunches. */
  'limited: bytes in steps',
  /** No limit: what waits is let through on a grid, however much it is. */
  'limited: gates without a limit',
  /** No limit: each environment writes as fast as it would alone, also while others do. */
  'limited: own speed, in parallel',
] as const
export type Limited = (typeof LIMITED)[number]

const PAGE = 4096
/** Faster than any limit. */
const DEVICE_BYTES_PER_MS = 600_000

interface Environment {
  readonly lane: GeneratedLane
  readonly bytesEach: number
  nextSync: number
  arrival: number
  freeAt: number
}

/** Times in ms. `lasts`: of the recording. */
export function stallsOfLimits(scenario: Limited, seed: number, lasts: number): GeneratedLane[] {
  const random = seededRandom(seed ^ 0x3c6ef372)
  const between = (low: number, high: number): number => low + random() * (high - low)
  const anywhere = (low: number, high: number): number => low * (high / low) ** random()
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const logNormal = (median: number, sigma: number): number => median * Math.exp(sigma * normal())

  const isSlow = scenario === 'limited: own speed, in parallel'
  const isStepped = scenario === 'limited: bytes in steps'
  const isGate = scenario === 'limited: gates without a limit'
  const isShared = scenario === 'limited: several in line' || isStepped || isGate
  const hasSyncs = isSlow || scenario === 'limited: gathered after syncs'
  const isGathered = hasSyncs || isShared
  const fewest = isStepped ? 1 : 2
  const environments = isSlow || isShared ? fewest + Math.floor(random() * 3) : 1
  const latencyMs = anywhere(0.15, 6)
  const latencySigma = between(0.15, 0.7)
  const bytesPerMs = isSlow ? anywhere(4000, 80_000) : DEVICE_BYTES_PER_MS
  const perSecond = anywhere(10, 60)
  const largeShare = isSlow ? anywhere(0.003, 0.05) : 0
  const largeBytes = bytesPerMs * between(100, 300)
  const largeFactor = between(2, 12)

  const turnMs = anywhere(40_000, lasts / 6)
  const busyShare = between(0.25, 0.5)
  const busyRate = isShared ? between(1.2, 2) : between(2.2, 5)
  const isBusy = (at: number): boolean => (at % turnMs) / turnMs < busyShare
  const rateAt = (at: number): number => (hasSyncs ? 1 : isBusy(at) ? busyRate : 0.2)
  const syncEveryMs = anywhere(10_000, 40_000)
  const syncMs = anywhere(500, 3000)
  const syncSigma = between(0.2, 0.8)

  const syncsOf = (): GeneratedEvent[] => {
    const syncs: GeneratedEvent[] = []
    for (let start = hasSyncs ? exponential(syncEveryMs) : lasts; start < lasts;) {
      const end = start + logNormal(syncMs, syncSigma)
      syncs.push({ start, end, bytes: Math.round(logNormal(3e7, 1)), truth: null })
      start = end + exponential(syncEveryMs)
    }
    return syncs
  }
  const all = Array.from({ length: environments }, (_, at): Environment => ({
    lane: { environment: `/data/${at}`, volume: 'volume', writes: [], syncs: syncsOf() },
    bytesEach: isSlow
      ? Math.min(anywhere(5000, 200_000), bytesPerMs * 5)
      : isShared
        ? anywhere(8000, 400_000)
        : anywhere(16_000, 300_000),
    nextSync: 0,
    arrival: exponential(1000 / perSecond),
    freeAt: 0,
  }))

  const limitPerMs = (all.reduce((sum, { bytesEach }) => sum + bytesEach, 0) * perSecond * between(1.15, 1.7)) / 1000
  const bucketMs = isGathered ? (isShared ? anywhere(20, 2000) : 100) : turnMs * busyShare * between(0.2, 0.7)
  const stepMs = isStepped || isGate ? anywhere(100, 1000) : 0
  let [left, leftAt] = [limitPerMs * bucketMs, 0]
  /** Until the last of the steps that what is missing needs. */
  const stepsMs = (at: number, bytes: number): number => {
    const perStep = limitPerMs * stepMs
    const steps = Math.floor(at / stepMs) - Math.floor(leftAt / stepMs)
    left = Math.min(Math.max(perStep, limitPerMs * bucketMs), left + steps * perStep) - bytes
    leftAt = at
    return left >= 0 ? 0 : (Math.floor(at / stepMs) + Math.ceil(-left / perStep)) * stepMs - at
  }
  const takeMs = (at: number, bytes: number): number => {
    if (isSlow) return 0
    if (isGate) return isBusy(at) ? (Math.floor(at / stepMs) + 1) * stepMs - at : 0
    if (isStepped) return stepsMs(at, bytes)
    left = Math.min(limitPerMs * bucketMs, left + Math.max(0, at - leftAt) * limitPerMs) - bytes
    leftAt = Math.max(leftAt, at)
    return Math.max(0, leftAt - at - left / limitPerMs)
  }
  /** When the sync ends that holds up a write which starts at `start`. */
  const heldUntil = (environment: Environment, start: number): number => {
    const { syncs } = environment.lane
    while ((syncs[environment.nextSync]?.end ?? Number.POSITIVE_INFINITY) <= start) environment.nextSync++
    const { start: from, end } = syncs[environment.nextSync] ?? { start: lasts, end: lasts }
    if (from > start) return start
    // Most end with it, as was measured; some are let go early.
    return random() < 0.85 ? end + exponential(2) : between(start, end)
  }
  const startOf = ({ arrival, freeAt }: Environment): number => Math.max(arrival, freeAt)

  for (;;) {
    let next = all[0] as Environment
    for (const other of all) if (startOf(other) < startOf(next)) next = other
    const start = startOf(next)
    if (start >= lasts) return all.map(({ lane }) => lane)
    // What waits is committed together.
    const until = isGathered ? start : Number.NEGATIVE_INFINITY
    let bytes = 0
    do {
      bytes += random() < largeShare ? largeBytes * largeFactor ** random() : logNormal(next.bytesEach, 0.5)
      next.arrival += exponential(1000 / perSecond / rateAt(next.arrival))
    } while (next.arrival <= until)
    bytes = Math.ceil(bytes / PAGE) * PAGE
    const syncedAt = heldUntil(next, start)
    const delays: [StallCause, number][] = [
      ['unexplained', logNormal(latencyMs, latencySigma)],
      ['sync', syncedAt - start],
      [isGate ? 'unexplained' : 'ceiling', takeMs(syncedAt, bytes)],
      ['size', bytes / bytesPerMs],
    ]
    const [truth] = delays.reduce((most, each) => (each[1] > most[1] ? each : most))
    const end = start + delays.reduce((sum, [, ms]) => sum + ms, 0)
    next.lane.writes.push({ start, end, bytes, truth })
    next.freeAt = end + 0.05
  }
}

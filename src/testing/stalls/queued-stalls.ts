import { seededRandom } from '../../base/random.ts'
import type { StallCause } from '../../features/stalls/contract.ts'
import type { GeneratedEvent, GeneratedLane } from './generated-stalls.ts'

/**
 * A third kind of generator of stalls: clients send transactions whether or not the journal is free, so that those that wait
 * are committed together, and large commits are the result of a stall rather than its reason.
 */
export const QUEUED = [
  'bytes per second, merged',
  'operations per second, merged',
  'burst credit',
  'phases of a slower device',
  'clusters without a cause',
] as const
export type Queued = (typeof QUEUED)[number]

interface Span {
  readonly start: number
  readonly end: number
}

/** What a transaction waits for beside its own work: until when, and why. */
type Wait = (at: number, bytes: number, ownEnd: number) => { readonly end: number; readonly truth: StallCause } | null

/** Transactions per second at a time, and at most. */
interface Load {
  readonly rateOf: (at: number) => number
  readonly mostRate: number
}

interface Environment {
  readonly load: Load
  readonly sizeOf: () => number
  readonly serviceOf: (at: number, bytes: number) => number
  readonly waits: readonly Wait[]
}

/** Lanes with the truth of each stall: what most of its time went to. Times in ms. `lasts`: of the recording. */
export function queueStalls(scenario: Queued, seed: number, lasts: number): GeneratedLane[] {
  const random = seededRandom(seed ^ 8)
  const between = (low: number, high: number): number => low + random() * (high - low)
  const anywhere = (low: number, high: number): number => low * (high / low) ** random()
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const logNormal = (median: number, sigma: number): number => median * Math.exp(sigma * normal())

  const spans = (gapMs: () => number, length: () => number): Span[] => {
    const found: Span[] = []
    for (let at = gapMs() * random(); at < lasts;) {
      const end = at + length()
      found.push({ start: at, end })
      at = end + gapMs()
    }
    return found
  }
  /** For times in ascending order. */
  const isIn = (of: readonly Span[]): ((at: number) => boolean) => {
    let next = 0
    return (at) => {
      while (next < of.length && (of[next] as Span).end <= at) next++
      return (of[next]?.start ?? Number.POSITIVE_INFINITY) <= at
    }
  }

  const perMs = anywhere(80, 900) * 1000
  const medianBytes = anywhere(16_000, 120_000)
  const sizeSigma = between(0.3, 0.9)
  const smallSize = (): number => Math.min(8e6, logNormal(medianBytes, sizeSigma))
  const latencyMs = anywhere(0.4, 8)
  const latencySigma = between(0.25, 0.6)
  const service = (bytes: number): number => logNormal(latencyMs, latencySigma) + bytes / perMs

  /** Writes of environments in order of their starts, so that they may share a limit. */
  const run = (environments: readonly Environment[]): GeneratedEvent[][] => {
    const lanes = environments.map(({ load: { rateOf, mostRate } }) => {
      const arrivals: number[] = []
      for (let at = exponential(1000 / mostRate); at < lasts; at += exponential(1000 / mostRate))
        if (random() * mostRate < rateOf(at)) arrivals.push(at)
      return { arrivals, next: 0, freeAt: 0, writes: [] as GeneratedEvent[] }
    })
    const startOf = ({ arrivals, next, freeAt }: (typeof lanes)[number]): number =>
      Math.max(arrivals[next] ?? Number.POSITIVE_INFINITY, freeAt)
    for (;;) {
      const starts = lanes.map(startOf)
      const start = Math.min(...starts)
      if (start >= lasts) return lanes.map(({ writes }) => writes)
      const which = starts.indexOf(start)
      const lane = lanes[which] as (typeof lanes)[number]
      const { sizeOf, serviceOf, waits } = environments[which] as Environment
      let [count, sum] = [0, 0]
      while ((lane.arrivals[lane.next] ?? Number.POSITIVE_INFINITY) <= start && count < 200) {
        sum += sizeOf()
        lane.next++
        count++
      }
      // What is committed together shares pages.
      const bytes = Math.max(1, Math.round((sum * count ** -0.25) / 4096)) * 4096
      const ownMs = serviceOf(start, bytes)
      let end = start + ownMs
      let truth: StallCause = bytes / perMs > ownMs / 2 ? 'size' : 'unexplained'
      for (const wait of waits) {
        const held = wait(start, bytes, end)
        if (held === null) continue
        if (held.end - start > 2 * ownMs) truth = held.truth
        end = Math.max(end, held.end)
      }
      lane.writes.push({ start, end, bytes, truth })
      lane.freeAt = end + exponential(0.15)
    }
  }
  const inBursts = (perSecond: number): Load => {
    const [high, low] = [perSecond * between(1.5, 3), perSecond * between(0.1, 0.6)]
    const [gapMs, lengthMs] = [anywhere(2000, 40_000), anywhere(1000, 30_000)]
    const isBurst = isIn(
      spans(
        () => exponential(gapMs),
        () => exponential(lengthMs),
      ),
    )
    return { rateOf: (at) => (isBurst(at) ? high : low), mostRate: high }
  }
  const inWaves = (perSecond: number): Load => {
    const [periodMs, height] = [anywhere(40_000, 300_000), between(0.3, 0.9)]
    return {
      rateOf: (at) => perSecond * (1 + height * Math.sin((2 * Math.PI * at) / periodMs)),
      mostRate: perSecond * (1 + height),
    }
  }
  const asSyncs = (of: readonly Span[]): GeneratedEvent[] =>
    of.map((span) => ({ ...span, bytes: Math.round(logNormal(3e7, 1)), truth: null }))
  const irregular = (gapMs: number, medianMs: number): Span[] =>
    spans(
      () => exponential(gapMs),
      () => Math.min(6000, logNormal(medianMs, 0.6)),
    )
  const innocent = (): GeneratedEvent[] => asSyncs(irregular(anywhere(4000, 40_000), anywhere(60, 500)))
  const lanesOf = (writes: GeneratedEvent[][], syncs: (lane: number) => GeneratedEvent[]): GeneratedLane[] =>
    writes.map((own, lane) => ({
      environment: lane === 0 ? '/v/Databases/db' : `/v/Databases/db/Indexes/i${lane}`,
      volume: 'v',
      writes: own,
      syncs: syncs(lane),
    }))
  /** Serves one after the other; an amount that is not in the bucket is waited for, and the device's own work comes after it. */
  const bucket = (perMsOf: number, capacity: number, amountOf: (bytes: number) => number): Wait => {
    let [level, last, free] = [capacity, 0, 0]
    return (at, bytes, ownEnd) => {
      const from = Math.max(at, free)
      level = Math.min(capacity, level + (from - last) * perMsOf) - amountOf(bytes)
      const lateMs = Math.max(0, -level / perMsOf)
      level = Math.max(0, level)
      free = last = from + lateMs
      return free > at ? { end: free + (ownEnd - at), truth: 'ceiling' } : null
    }
  }
  const meanBytes = medianBytes * Math.exp(sizeSigma ** 2 / 2)
  const environment = (
    load: Load,
    waits: readonly Wait[] = [],
    serviceOf: Environment['serviceOf'] = (_, bytes) => service(bytes),
  ): Environment => ({ load, sizeOf: smallSize, serviceOf, waits })

  switch (scenario) {
    case 'bytes per second, merged': {
      const perSecond = anywhere(10, 150)
      const limit = (perSecond * meanBytes * between(1.2, 1.8)) / 1000
      const waits = [bucket(limit, limit * between(300, 2000), (bytes) => bytes)]
      const load = inBursts(perSecond)
      const fewer = { ...load, rateOf: (at: number) => load.rateOf(at) * 0.3 }
      return lanesOf(run([environment(load, waits), environment(fewer, waits)]), innocent)
    }
    case 'operations per second, merged': {
      const perSecond = anywhere(10, 200)
      const limit = (perSecond * between(0.4, 0.55)) / 1000
      const waits = [bucket(limit, limit * between(300, 3000), () => 1)]
      const load = inBursts(perSecond)
      const quarter = { rateOf: (at: number) => load.rateOf(at) / 4, mostRate: load.mostRate / 4 }
      return lanesOf(run([0, 1, 2, 3].map(() => environment(quarter, waits))), innocent)
    }
    case 'burst credit': {
      const perSecond = anywhere(10, 150)
      const limit = (perSecond * meanBytes * between(0.8, 1.1)) / 1000
      const waits = [bucket(limit, limit * between(5000, 30_000), (bytes) => bytes)]
      return lanesOf(run([environment(inWaves(perSecond), waits)]), innocent)
    }
    case 'phases of a slower device': {
      const isSlow = isIn(
        spans(
          () => exponential(anywhere(20_000, 60_000)),
          () => logNormal(4000, 0.6),
        ),
      )
      const times = anywhere(60, 200) / latencyMs
      const serviceOf = (at: number, bytes: number): number =>
        latencyMs * Math.exp(0.15 * normal()) * (isSlow(at) ? times : 1) + bytes / 9e5
      return lanesOf(run([environment(inBursts(anywhere(10, 150)), [], serviceOf)]), innocent)
    }
    case 'clusters without a cause': {
      const isBad = isIn(
        spans(
          () => 3000 + exponential(20_000),
          () => exponential(1500),
        ),
      )
      const [share, delayMs] = [between(0.05, 0.4), anywhere(60, 200)]
      const held: Wait = (at, _, ownEnd) =>
        isBad(at) && random() < share ? { end: ownEnd + logNormal(delayMs, 0.4), truth: 'unexplained' } : null
      return lanesOf(run([environment(inBursts(anywhere(10, 300)), [held])]), innocent)
    }
  }
}

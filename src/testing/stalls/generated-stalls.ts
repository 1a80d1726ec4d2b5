import type { StallCause } from '../../features/stalls/contract.ts'
import type { Span } from '../../features/stalls/data/judging/spans.ts'
import { seededRandom } from '../../base/random.ts'
import { spanAt } from './span-at.ts'

export interface GeneratedEvent {
  readonly start: number
  readonly end: number
  readonly bytes: number
  /** What held it up, where it was held up; null: nothing did. */
  readonly truth: StallCause | null
}

export interface GeneratedLane {
  readonly environment: string
  readonly volume: string
  readonly writes: GeneratedEvent[]
  readonly syncs: GeneratedEvent[]
  readonly compressions?: GeneratedEvent[]
}

export const STALL_SCENARIOS = [
  'sync',
  'sync of a neighbour',
  'independent',
  'shared load',
  'size',
  'neighbour',
  'idle companion',
  'busy companion',
  'fellow victims',
  'slow device',
  'two causes',
  'sync among others',
  'ceiling',
  'outside',
  'quiet',
] as const
export type StallScenario = (typeof STALL_SCENARIOS)[number]

/** What happens to a write that would start at `at` and take `serviceMs`: when it ends, and why; null: nothing. */
type Held = (
  at: number,
  bytes: number,
  serviceMs: number,
) => { readonly end: number; readonly truth: StallCause } | null

/** Devices, commits and syncs as they behave, with the true cause of each stall. Times in ms. `lasts`: of the recording. */
export function generateStalls(scenario: StallScenario, seed: number, lasts: number): GeneratedLane[] {
  const random = seededRandom(seed)
  const between = (low: number, high: number): number => low + random() * (high - low)
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const logNormal = (median: number, sigma: number): number => median * Math.exp(sigma * normal())
  const bytesPerMs = between(80, 400) * 1000
  const overheadMs = between(0.3, 3)
  const thinkMs = between(20, 90)
  const serviceOf = (bytes: number): number => (overheadMs + bytes / bytesPerMs) * Math.exp(0.15 * normal())
  const small = (): number => Math.round(logNormal(24_000, 0.8))

  const spans = (everyMs: number, length: () => number): Span[] => {
    const found: Span[] = []
    for (let at = exponential(everyMs); at < lasts;) {
      const end = at + length()
      found.push({ start: at, end })
      at = end + exponential(everyMs)
    }
    return found
  }
  const asSyncs = (of: readonly Span[]): GeneratedEvent[] =>
    of.map(({ start, end }) => ({ start, end, bytes: Math.round(between(1, 400) * 1e6), truth: null }))

  /** A commit loop: the next write starts when the one before ended and there is work. */
  const commits = (
    held: readonly Held[],
    bytesOf = small,
    pauseMs: (at: number) => number = () => thinkMs,
  ): GeneratedEvent[] => {
    const writes: GeneratedEvent[] = []
    for (let at = exponential(thinkMs); at < lasts;) {
      const bytes = bytesOf()
      const serviceMs = serviceOf(bytes)
      let end = at + serviceMs
      // Long by its size alone.
      let truth: StallCause | null = serviceMs >= 45 ? 'size' : null
      for (const hold of held) {
        const by = hold(at, bytes, serviceMs)
        if (by !== null && by.end > end) ({ end, truth } = by)
      }
      writes.push({ start: at, end, bytes, truth })
      at = end + exponential(pauseMs(at))
    }
    return writes
  }

  /** Most end with what they waited for, as was measured on a real server; the others some time after or before. */
  const waitingFor = (of: readonly Span[], truth: StallCause, share: number): Held => {
    const at = spanAt(of)
    const blocks = new Map<Span, boolean>()
    const togetherShare = between(0.74, 0.9)
    return (now, _bytes, serviceMs) => {
      const span = at(now)
      if (span === null) return null
      if (!blocks.has(span)) blocks.set(span, random() < share)
      if (blocks.get(span) !== true) return null
      const remaining = span.end - now
      const end =
        random() < togetherShare
          ? span.end + serviceMs + between(0, 6)
          : now + remaining * (random() < 0.5 ? between(0.3, 0.95) : between(1.02, 1.3)) + serviceMs
      return { end, truth }
    }
  }
  const randomly = (chance: (at: number) => number, truth: StallCause): Held => {
    const median = between(90, 400)
    return (at, _bytes, serviceMs) =>
      random() < chance(at) ? { end: at + serviceMs + logNormal(median, 0.6), truth } : null
  }
  const syncEvery = between(4000, 15_000)
  const syncSpans = spans(syncEvery, () => Math.min(8000, logNormal(500, 0.8)))
  const rare = (): number => 0.004
  const lane = (
    environment: string,
    volume: string,
    writes: GeneratedEvent[],
    syncs: GeneratedEvent[] = [],
  ): GeneratedLane => ({
    environment,
    volume,
    writes,
    syncs,
  })
  const unrelatedSyncs = (): GeneratedEvent[] => asSyncs(spans(between(3000, 20_000), () => logNormal(300, 0.8)))
  /** Large commits, one after a pause, that nothing but their size slows. */
  const largeCommits = (): GeneratedEvent[] => {
    const found: GeneratedEvent[] = []
    for (let at = exponential(5000); at < lasts;) {
      const bytes = Math.round(between(20, 120) * 1e6)
      const end = at + serviceOf(bytes)
      found.push({ start: at, end, bytes, truth: end - at > 0 ? 'size' : null })
      at = end + exponential(5000)
    }
    return found
  }

  switch (scenario) {
    case 'sync':
      return [lane('/data/a', 'a', commits([waitingFor(syncSpans, 'sync', between(0.5, 1))]), asSyncs(syncSpans))]
    case 'sync of a neighbour':
      return [
        lane('/data/a', 'a', commits([waitingFor(syncSpans, 'sync', between(0.5, 1))]), unrelatedSyncs()),
        lane('/data/b', 'a', commits([]), asSyncs(syncSpans)),
      ]
    case 'sync among others': {
      const often = spans(between(1500, 4000), () => logNormal(between(300, 900), 0.6))
      const held = [waitingFor(often, 'sync', between(0.1, 0.5)), randomly(rare, 'unexplained')]
      return [lane('/data/a', 'a', commits(held), asSyncs(often))]
    }
    case 'independent': {
      const long = spans(between(600, 3000), () => logNormal(between(300, 1500), 0.6))
      return [lane('/data/a', 'a', commits([randomly(rare, 'unexplained')]), asSyncs(long))]
    }
    case 'shared load': {
      const bursts = spans(60_000, () => between(5000, 40_000))
      const isBusy = spanAt(bursts)
      const busy = spans(between(8000, 20_000), () => logNormal(300, 0.6)).concat(
        bursts.flatMap(({ start, end }) => {
          const found: Span[] = []
          for (let at = start + exponential(1000); at < end; at += exponential(1500) + 100)
            found.push({ start: at, end: at + logNormal(500, 0.5) })
          return found
        }),
      )
      const syncs = asSyncs(busy.toSorted((a, b) => a.start - b.start))
      const chance = (at: number): number => (isBusy(at) === null ? 0.0005 : 0.03)
      return [lane('/data/a', 'a', commits([randomly(chance, 'unexplained')]), syncs)]
    }
    case 'size': {
      const share = between(0.003, 0.02)
      const bytesOf = (): number => (random() < share ? Math.round(between(8, 60) * 1e6) : small())
      return [lane('/data/a', 'a', commits([], bytesOf), unrelatedSyncs())]
    }
    case 'neighbour': {
      const large = largeCommits()
      return [
        lane('/data/a', 'a', commits([waitingFor(large, 'neighbour', between(0.6, 1))]), unrelatedSyncs()),
        lane('/data/a/index', 'a', large),
      ]
    }
    case 'idle companion': {
      const large = largeCommits()
      const beside = large.map(({ start, end }) => {
        const begin = start + between(-0.2, 0.5) * (end - start)
        return { start: begin, end: begin + between(0.5, 1.6) * (end - start) }
      })
      return [
        lane('/data/a', 'a', commits([waitingFor(large, 'neighbour', between(0.6, 1))]), asSyncs(beside)),
        lane('/data/a/index', 'a', large),
      ]
    }
    case 'busy companion': {
      const large = largeCommits()
      const beside = large.map(({ start, end }) => {
        const begin = start + between(-0.2, 0.5) * (end - start)
        return { start: begin, end: begin + between(0.5, 1.6) * (end - start) }
      })
      return [
        lane(
          '/data/a',
          'a',
          commits([
            waitingFor(
              beside.toSorted((a, b) => a.start - b.start),
              'sync',
              between(0.6, 1),
            ),
          ]),
          asSyncs(beside),
        ),
        lane('/data/a/index', 'a', large),
      ]
    }
    case 'fellow victims': {
      const slow = spans(12_000, () => logNormal(400, 0.6))
      const bytesOf = (): number => (random() < 0.3 ? Math.round(between(1, 6) * 1e6) : small())
      return [
        lane('/data/a', 'a', commits([waitingFor(slow, 'unexplained', 1)]), unrelatedSyncs()),
        lane('/data/b', 'a', commits([waitingFor(slow, 'unexplained', 1)], bytesOf), unrelatedSyncs()),
      ]
    }
    case 'slow device': {
      const slow = spans(15_000, () => logNormal(500, 0.6))
      const syncs = slow
        .filter(() => random() < 0.7)
        .map(({ start, end }) => ({ start: start + between(0.05, 0.6) * (end - start), end: end + between(0, 5) }))
      const busy = (): number => thinkMs / 4
      return [
        lane('/data/a', 'a', commits([waitingFor(slow, 'unexplained', 1)], small, busy), asSyncs(syncs)),
        lane('/data/b', 'a', commits([waitingFor(slow, 'unexplained', 1)], small, busy)),
      ]
    }
    case 'two causes': {
      const bytesOf = (): number => (random() < 0.008 ? Math.round(between(8, 60) * 1e6) : small())
      return [lane('/data/a', 'a', commits([waitingFor(syncSpans, 'sync', 0.9)], bytesOf), asSyncs(syncSpans))]
    }
    case 'ceiling': {
      const limit = between(10, 40) * 1000
      const capacity = between(40, 200) * 1e6
      let [tokens, last] = [capacity, 0]
      const throttled: Held = (at, bytes, serviceMs) => {
        tokens = Math.min(capacity, tokens + (at - last) * limit)
        last = at
        tokens -= bytes
        if (tokens >= 0) return null
        const end = at + Math.max(serviceMs, -tokens / limit) * Math.exp(0.02 * normal())
        return { end, truth: 'ceiling' }
      }
      const bursts = spans(40_000, () => between(8000, 25_000))
      const isBusy = spanAt(bursts)
      const pause = (at: number): number => (isBusy(at) === null ? 400 : 10)
      return [
        lane(
          '/data/a',
          'a',
          commits([throttled], () => Math.round(logNormal(1.5e6, 0.6)), pause),
          unrelatedSyncs(),
        ),
      ]
    }
    case 'outside': {
      const slow = spans(15_000, () => logNormal(400, 0.6))
      return [
        lane('/data/a', 'a', commits([waitingFor(slow, 'outside', 1)]), unrelatedSyncs()),
        lane('/other/b', 'b', commits([waitingFor(slow, 'outside', 1)]), unrelatedSyncs()),
      ]
    }
    case 'quiet':
      return [lane('/data/a', 'a', commits([]), unrelatedSyncs()), lane('/data/b', 'a', commits([]), unrelatedSyncs())]
  }
}

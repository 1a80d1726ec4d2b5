import { seededRandom } from '../../base/random.ts'
import type { StallCause } from '../../features/stalls/contract.ts'
import type { GeneratedEvent, GeneratedLane } from './generated-stalls.ts'

/**
 * A second kind of generator than `generated-stalls.ts`, so that the rules are not fitted to one: devices serve several
 * environments that commit in groups, in bursts, with heavy tails; clocks jitter.
 */
export const SIMULATED = [
  'sync of the volume',
  'innocent syncs',
  'shared load, tails',
  'size, group commits',
  'neighbours',
  'companion sync is idle',
  'companion sync is busy',
  'device slows down',
  'slow large commits',
  'sync and size',
  'sync and neighbour',
  'bytes per second',
  'operations per second',
  'volumes freeze',
  'unknown volumes freeze',
  'fixed delays',
  'server pauses',
  'nothing',
] as const
export type Simulated = (typeof SIMULATED)[number]

interface Span {
  readonly start: number
  readonly end: number
}
interface Write {
  readonly at: number
  readonly bytes: number
  readonly serviceMs: number
  readonly lane: number
}
/** When a write ends that something holds up, and what; null: nothing does. */
type Hold = (write: Write) => { readonly end: number; readonly truth: StallCause } | null

/** Lanes with the truth of each stall. Times in ms. `lasts`: of the recording. */
export function simulateStalls(scenario: Simulated, seed: number, lasts: number): GeneratedLane[] {
  const random = seededRandom(seed ^ 0x5eed)
  const between = (low: number, high: number): number => low + random() * (high - low)
  const whole = (low: number, high: number): number => Math.floor(between(low, high + 1))
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.sin(2 * Math.PI * random())
  const logNormal = (median: number, sigma: number): number => median * Math.exp(sigma * normal())
  const pareto = (least: number, shape: number, most: number): number =>
    Math.min(most, least / (1 - random()) ** (1 / shape))

  const perMs = between(60, 500) * 1000
  const latencyMs = 10 ** between(0, 1.4)
  const sigma = between(0.15, 0.45)
  const jitterMs = between(0, 0.8)
  const docBytes = 10 ** between(3, 4.3)
  const tailShare = scenario === 'nothing' ? 0 : between(0, 0.0006)
  const envs = scenario === 'operations per second' ? whole(3, 6) : whole(2, 4)

  const spans = (gapMs: () => number, length: () => number): Span[] => {
    const found: Span[] = []
    for (let at = gapMs(); at < lasts;) {
      const end = at + length()
      found.push({ start: at, end })
      at = end + gapMs()
    }
    return found
  }
  const spanAt =
    (of: readonly Span[]) =>
    (at: number): Span | null => {
      let [low, high] = [0, of.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((of[middle] as Span).end <= at) low = middle + 1
        else high = middle
      }
      const span = of[low]
      return span !== undefined && span.start <= at ? span : null
    }
  const bursts = spans(
    () => exponential(between(10_000, 40_000)),
    () => between(3000, 40_000),
  )
  const isBurst = spanAt(bursts)
  const quietMs = between(60, 400)
  const busyMs = between(4, 40)

  /** Held until the span ends, most of them to the point; some drain later, some are let go before. */
  const until = (
    of: readonly Span[],
    truth: StallCause,
    share = 1,
    lanes: (lane: number) => boolean = () => true,
  ): Hold => {
    const find = spanAt(of)
    const isGuilty = new Map<Span, boolean>()
    const together = between(0.74, 0.95)
    return ({ at, serviceMs, lane }) => {
      const span = find(at)
      if (span === null || !lanes(lane)) return null
      if (!isGuilty.has(span)) isGuilty.set(span, random() < share)
      if (isGuilty.get(span) !== true) return null
      const drain = random() < together ? exponential(2) : random() < 0.7 ? between(10, 90) : null
      const end = drain === null ? at + (span.end - at) * between(0.5, 0.98) : span.end + drain
      return { end: end + serviceMs, truth }
    }
  }
  const delays = (chance: (at: number) => number, length: () => number): Hold => {
    return ({ at, serviceMs }) =>
      random() < chance(at) ? { end: at + serviceMs + length(), truth: 'unexplained' } : null
  }
  /** Work takes so many times as long in the spans. */
  const slowed = (of: readonly Span[], times: number): ((at: number, workMs: number) => number) => {
    const find = spanAt(of)
    return (at, workMs) => {
      const span = find(at)
      if (span === null) return at + workMs
      const done = (span.end - at) / times
      return done >= workMs ? at + workMs * times : span.end + (workMs - done)
    }
  }

  interface Shape {
    readonly holds?: readonly Hold[]
    /** Size of a commit; null: a group of documents. */
    readonly sizeOf?: (lane: number, at: number) => number | null
    readonly pauseOf?: (lane: number, at: number) => number | null
    readonly serve?: (at: number, workMs: number) => number
  }
  const groups = Array.from({ length: envs }, () => 1)
  /** Environments of one volume take turns as their writes start; what comes during a write is in the next. */
  const run = ({ holds = [], sizeOf, pauseOf, serve }: Shape): GeneratedEvent[][] => {
    const lanes = Array.from({ length: envs }, (): GeneratedEvent[] => [])
    const next = lanes.map(() => exponential(200))
    for (;;) {
      const lane = next.indexOf(Math.min(...next))
      const at = next[lane] as number
      if (at >= lasts) return lanes
      const documents = Math.max(1, Math.min(2000, groups[lane] as number))
      const bytes = Math.ceil((sizeOf?.(lane, at) ?? pareto(docBytes * documents, 2.5, 4e5)) / 4096) * 4096
      const workMs = logNormal(latencyMs, sigma) + (bytes / perMs) * Math.exp(0.2 * normal())
      const served = serve?.(at, workMs) ?? at + workMs
      let end = served
      let truth: StallCause | null = served - at > 2 * workMs ? 'unexplained' : null
      if (truth === null && bytes / perMs > 0.3 * (end - at)) truth = 'size'
      if (random() < tailShare) ({ end, truth } = { end: end + pareto(60, 1.2, 3000), truth: 'unexplained' })
      for (const hold of holds) {
        const by = hold({ at, bytes, serviceMs: workMs, lane })
        if (by !== null && by.end > end + 0.3 * (end - at)) ({ end, truth } = by)
      }
      lanes[lane]?.push({ start: at + between(-jitterMs, 0), end: end + between(0, jitterMs), bytes, truth })
      const pause = exponential(pauseOf?.(lane, at) ?? (isBurst(at) === null ? quietMs : busyMs))
      groups[lane] = (end - at + pause) / 10
      next[lane] = end + pause + 0.2
    }
  }
  const asSyncs = (of: readonly Span[]): GeneratedEvent[] =>
    of
      .map(({ start, end }) => ({
        start: start + between(-jitterMs, jitterMs),
        end: end + between(-jitterMs, jitterMs),
        bytes: Math.round(pareto(1e6, 0.8, 1e9)),
        truth: null,
      }))
      .toSorted((a, b) => a.start - b.start)
  const innocent = (everyMs = between(2000, 15_000)): GeneratedEvent[] =>
    asSyncs(
      spans(
        () => 50 + exponential(everyMs),
        () => pareto(between(5, 80), 1.1, 4000),
      ),
    )
  const name = (volume: number, lane: number): string =>
    lane === 0 ? `/v${volume}/Databases/db` : `/v${volume}/Databases/db/Indexes/i${lane}`
  const lanesOf = (
    writes: GeneratedEvent[][],
    syncs: (lane: number) => GeneratedEvent[],
    volume = 0,
  ): GeneratedLane[] =>
    writes.map((own, lane) => ({
      environment: name(volume, lane),
      volume: `v${volume}`,
      writes: own,
      syncs: syncs(lane),
    }))
  const large = (): number => Math.round(pareto(4e6, 1.2, 2e8))
  const syncSpans = spans(
    () => 200 + exponential(between(3000, 20_000)),
    () => pareto(between(70, 300), 1.3, 8000),
  )
  const rest = (): ((lane: number) => GeneratedEvent[]) => () => innocent()
  const onlyFirst = (of: readonly Span[]): ((lane: number) => GeneratedEvent[]) => {
    const syncs = asSyncs(of)
    return (lane) => (lane === 0 ? syncs : innocent())
  }
  /** Environment 1 commits a lot at a time, now and then; others wait for it. */
  const commitsOf = (): Span[] =>
    spans(
      () => 300 + exponential(between(4000, 15_000)),
      () => large() / perMs,
    ).filter(({ start, end }) => end - start > 5)
  const asCommits = (of: readonly Span[]): GeneratedEvent[] =>
    of.map(({ start, end }) => ({ start, end, bytes: Math.round((end - start) * perMs), truth: 'size' as const }))
  const beside = (of: readonly Span[], share: number): Span[] => {
    const found: Span[] = []
    let last = 0
    for (const { start, end } of of) {
      const from = Math.max(last, start + between(-0.3, 0.6) * (end - start))
      if (random() >= share) continue
      last = from + between(0.4, 1.8) * (end - start)
      found.push({ start: from, end: last })
    }
    return found
  }
  const withCommits = (commits: readonly Span[], holds: readonly Hold[], syncs: readonly Span[]): GeneratedLane[] => {
    const lanes = lanesOf(run({ holds }), onlyFirst(syncs))
    return lanes.with(1, { ...(lanes[1] as GeneratedLane), writes: asCommits(commits) })
  }
  const notSecond = (lane: number): boolean => lane !== 1

  switch (scenario) {
    case 'sync of the volume':
      return lanesOf(run({ holds: [until(syncSpans, 'sync', between(0.4, 1))] }), onlyFirst(syncSpans))
    case 'innocent syncs': {
      const often = (): GeneratedEvent[] => innocent(between(500, 3000))
      const held = delays(
        () => 0.003,
        () => pareto(70, 1.3, 4000),
      )
      return lanesOf(run({ holds: [held] }), often)
    }
    case 'shared load, tails': {
      const syncs = (): GeneratedEvent[] => {
        const found = spans(
          () => 100 + exponential(1500),
          () => pareto(60, 1.1, 2500),
        )
        return asSyncs(found.filter(({ start }) => isBurst(start) !== null || random() < 0.1))
      }
      const chance = (at: number): number => (isBurst(at) === null ? 0.0003 : 0.01)
      return lanesOf(run({ holds: [delays(chance, () => pareto(60, 1.3, 3000))] }), syncs)
    }
    case 'size, group commits':
      return lanesOf(run({ sizeOf: (lane) => (lane > 0 && random() < 0.03 ? large() : null) }), rest())
    case 'neighbours': {
      const commits = commitsOf()
      return withCommits(commits, [until(commits, 'neighbour', between(0.5, 1), notSecond)], syncSpans.slice(0, 50))
    }
    case 'companion sync is idle': {
      const commits = commitsOf()
      return withCommits(commits, [until(commits, 'neighbour', 1, notSecond)], beside(commits, 0.8))
    }
    case 'companion sync is busy': {
      const commits = commitsOf()
      const syncs = beside(commits, 0.8)
      return withCommits(commits, [until(syncs, 'sync', 1, notSecond)], syncs)
    }
    case 'device slows down': {
      const slow = spans(
        () => 500 + exponential(12_000),
        () => pareto(200, 1.2, 5000),
      )
      const serve = slowed(slow, between(15, 60))
      const syncs = (): GeneratedEvent[] =>
        asSyncs(
          spans(
            () => 100 + exponential(4000),
            () => between(20, 150),
          ).map(({ start, end }) => ({ start, end: serve(start, end - start) })),
        )
      return lanesOf(run({ serve }), syncs)
    }
    case 'slow large commits': {
      const slow = spans(
        () => 500 + exponential(12_000),
        () => pareto(200, 1.2, 5000),
      )
      const serve = slowed(slow, between(15, 60))
      return lanesOf(
        run({ serve, sizeOf: (lane) => (lane === 1 && random() < 0.3 ? between(1e6, 3e6) : null) }),
        rest(),
      )
    }
    case 'sync and size':
      return lanesOf(
        run({
          holds: [until(syncSpans, 'sync', 0.8)],
          sizeOf: (lane) => (lane > 0 && random() < 0.01 ? large() : null),
        }),
        onlyFirst(syncSpans),
      )
    case 'sync and neighbour': {
      const commits = commitsOf()
      const holds = [until(commits, 'neighbour', 0.8, notSecond), until(syncSpans, 'sync', 0.8, notSecond)]
      return withCommits(commits, holds, syncSpans)
    }
    case 'bytes per second':
    case 'operations per second': {
      const isBytes = scenario === 'bytes per second'
      const limit = isBytes ? Math.min(between(15, 60) * 1000, perMs / 4) : between(0.006, 0.03)
      const capacity = limit * between(2000, 8000)
      let [tokens, last, free] = [capacity, 0, 0]
      const throttled: Hold = ({ at, bytes, serviceMs }) => {
        const begin = Math.max(at, free)
        tokens = Math.min(capacity, tokens + (begin - last) * limit)
        last = begin
        tokens -= isBytes ? bytes : 1
        if (tokens >= 0) return null
        free = begin + -tokens / limit
        tokens = 0
        last = free
        return { end: free + 0.05 * serviceMs * random(), truth: 'ceiling' }
      }
      const sizeOf = (_: number, at: number): number | null =>
        !isBytes || isBurst(at) === null ? null : logNormal(6e5, 0.9)
      const pauseOf = (_: number, at: number): number => (isBurst(at) === null ? 60 * envs : 5)
      return lanesOf(run({ holds: [throttled], sizeOf, pauseOf }), rest())
    }
    case 'volumes freeze':
    case 'unknown volumes freeze': {
      const frozen = spans(
        () => 1000 + exponential(15_000),
        () => pareto(120, 1.3, 4000),
      )
      const truth = scenario === 'volumes freeze' ? 'outside' : 'unexplained'
      return [0, 1].flatMap((volume) => lanesOf(run({ holds: [until(frozen, truth)] }), rest(), volume))
    }
    case 'fixed delays':
      return lanesOf(
        run({
          holds: [
            delays(
              () => 0.004,
              () => 200,
            ),
          ],
        }),
        rest(),
      )
    case 'server pauses': {
      // As garbage collections do: what runs when one begins, writes and syncs alike, returns when it ends.
      const pauses = spans(
        () => 500 + exponential(between(4000, 12_000)),
        () => Math.min(3000, logNormal(200, 0.5)),
      )
      const find = spanAt(pauses)
      const returns = (start: number, end: number): number => {
        const pause = find(end)
        return pause !== null && pause.start >= start ? pause.end + exponential(0.4) : end
      }
      const paused: Hold = ({ at, serviceMs }) => ({ end: returns(at, at + serviceMs), truth: 'unexplained' })
      const syncs = (): GeneratedEvent[] =>
        asSyncs(
          spans(
            () => 50 + exponential(between(1000, 4000)),
            () => Math.min(2500, logNormal(between(50, 400), 0.8)),
          ).map(({ start, end }) => ({ start, end: returns(start, end) })),
        )
      return lanesOf(run({ holds: [paused] }), syncs)
    }
    case 'nothing':
      return lanesOf(run({}), rest())
  }
}

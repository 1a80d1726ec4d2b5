import { seededRandom } from '../../base/random.ts'
import type { StallCause } from '../../features/stalls/contract.ts'
import type { GeneratedEvent, GeneratedLane } from './generated-stalls.ts'

/**
 * Devices whose bandwidth is shared: a write that meets something goes on, at a fraction of its speed for as long as that lasts, and
 * does not end with it. The parameters of a capture are drawn from wide ranges, evenly by their logarithms.
 */
export const SLOWING = [
  'slowing: syncs',
  'slowing: syncs of one environment alone',
  /** Some writes need what the sync holds, and wait for its end. */
  'slowing: syncs that also block',
  /** A commit lasts beside most of the syncs. */
  'slowing: syncs beside idle commits',
  'slowing: commits beside idle syncs',
  /** The device is slow by itself: syncs that meet it last for longer. */
  'slowing: phases that lengthen syncs',
  /** Something else begins, which makes a sync begin a little later and end with it. */
  'slowing: phases that start syncs',
  /** Others load the device while clients send more, so that syncs are more frequent and longer. */
  'slowing: busy times',
] as const
export type Slowing = (typeof SLOWING)[number]

interface Span {
  readonly start: number
  readonly end: number
}

/** What slows work down. `times`: how much longer it takes; infinite: it waits for the end. */
interface Slower extends Span {
  readonly times: number
  readonly truth: StallCause
  readonly concerns: (lane: number) => boolean
}

const PAGE = 4096

/** Times in ms. `lasts`: of the recording. */
export function stallsOfSlowing(scenario: Slowing, seed: number, lasts: number): GeneratedLane[] {
  const random = seededRandom(seed ^ 0x51ed270b)
  const between = (low: number, high: number): number => low + random() * (high - low)
  const anywhere = (low: number, high: number): number => low * (high / low) ** random()
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const logNormal = (median: number, sigma: number): number => median * Math.exp(sigma * normal())
  const is = (...names: readonly string[]): boolean => names.some((name) => scenario === `slowing: ${name}`)
  const spans = (everyMs: number, medianMs: number, sigma: number): Span[] => {
    const found: Span[] = []
    for (let at = exponential(everyMs); at < lasts;) {
      const end = at + Math.min(20_000, logNormal(medianMs, sigma))
      found.push({ start: at, end })
      at = end + 50 + exponential(everyMs)
    }
    return found
  }
  const beside = (of: readonly Span[]): Span[] => {
    const found: Span[] = []
    for (const { start, end } of of) {
      const from = Math.max(found.at(-1)?.end ?? 0, start + between(-0.3, 0.6) * (end - start))
      if (random() < 0.8) found.push({ start: from, end: from + between(0.4, 1.8) * (end - start) })
    }
    return found
  }

  const isAlone = is('syncs of one environment alone')
  const hasCommits = is('syncs beside idle commits', 'commits beside idle syncs')
  const environments = isAlone ? 1 : 1 + Math.floor(random() * 3)
  const times = anywhere(5, 30)
  const timesSigma = between(0.1, 0.4)
  const latencyMs = Math.min(15, Math.max(1, anywhere(70, 500) / times))
  const latencySigma = between(0.15, 0.6)
  const perMs = anywhere(80, 600) * 1000
  const everyMs = anywhere(4000, 40_000)
  const lengthMs = anywhere(300, 5000)
  const lengthSigma = between(0.3, 0.8)
  const guiltyShare = between(0.6, 1)
  const blockedShare = is('syncs that also block') ? between(0.2, 0.8) : 0
  /** Syncs slow the whole volume, or their own environment. */
  const isOfVolume = random() < 0.5

  const slowers: Slower[] = []
  const slows = (of: readonly Span[], truth: StallCause, share: number, concerns: Slower['concerns']): void => {
    for (const span of of)
      if (random() < share) slowers.push({ ...span, times: Math.max(3, logNormal(times, timesSigma)), truth, concerns })
  }
  const syncs = Array.from({ length: environments }, (): Span[] => [])
  const main = spans(everyMs, lengthMs, lengthSigma)
  const bursts = spans(anywhere(20_000, 60_000), anywhere(5000, 30_000), 0.5)
  let commits: readonly Span[] = []
  if (is('commits beside idle syncs')) {
    commits = main
    syncs[0] = beside(main)
    slows(main, 'neighbour', 1, () => true)
  } else if (is('phases that lengthen syncs', 'phases that start syncs', 'busy times')) {
    slows(is('busy times') ? bursts : main, 'unexplained', 1, () => true)
  } else {
    syncs[0] = main
    for (let lane = 1; lane < environments; lane++)
      syncs[lane] = spans(everyMs * between(0.5, 4), lengthMs, lengthSigma)
    for (const [lane, own] of syncs.entries()) slows(own, 'sync', guiltyShare, (of) => isOfVolume || of === lane)
    if (hasCommits) commits = beside(main)
  }
  slowers.sort((a, b) => a.start - b.start)

  /** When work is done that starts at `start`, and what it lost most of its time to. */
  const done = (
    start: number,
    workMs: number,
    lane: number,
    blocked = false,
  ): { readonly end: number; readonly truth: StallCause | null } => {
    const lost = new Map<StallCause, number>()
    const met = slowers.slice(firstOf(start)).filter((each) => each.concerns(lane) && each.end > start)
    let [at, left] = [start, workMs]
    for (;;) {
      const under = met.filter((each) => each.start <= at && each.end > at)
      const [most] = under.toSorted((a, b) => b.times - a.times)
      const factor = most === undefined ? 1 : blocked ? Number.POSITIVE_INFINITY : most.times
      const next = Math.min(
        ...under.map(({ end }) => end),
        met.find((each) => each.start > at)?.start ?? Number.POSITIVE_INFINITY,
      )
      const until = Math.min(next, factor === Number.POSITIVE_INFINITY ? next : at + left * factor)
      if (most !== undefined) lost.set(most.truth, (lost.get(most.truth) ?? 0) + (until - at) * (1 - 1 / factor))
      left = until < next ? 0 : left - (until - at) / factor
      at = until
      if (left <= 1e-9) break
    }
    const [truth, lostMs] = [...lost].toSorted((a, b) => b[1] - a[1])[0] ?? [null, 0]
    return { end: at, truth: lostMs > (at - start) / 2 ? truth : null }
  }
  const longestMs = slowers.reduce((most, { start, end }) => Math.max(most, end - start), 0)
  let [first, firstFor] = [0, 0]
  /** Of the first that may reach `at`. */
  const firstOf = (at: number): number => {
    if (at < firstFor) first = 0
    firstFor = at
    while (first < slowers.length && (slowers[first] as Slower).start + longestMs < at) first++
    return first
  }

  if (is('phases that lengthen syncs', 'busy times')) {
    const isBusyAt = (at: number): boolean => bursts.some(({ start, end }) => start <= at && at < end)
    for (let lane = 0; lane < environments; lane++)
      syncs[lane] = spans(everyMs * between(0.1, 0.4), anywhere(30, 300), 0.6)
        .filter(({ start }) => !is('busy times') || isBusyAt(start) || random() < 0.2)
        .map(({ start, end }) => ({ start, end: done(start, end - start, lane).end }))
  } else if (is('phases that start syncs')) {
    syncs[0] = main
      .filter(() => random() < 0.7)
      .map(({ start, end }) => ({ start: start + between(0.05, 0.6) * (end - start), end: end + exponential(3) }))
  }

  const lanes = syncs.map((own, lane): GeneratedLane => {
    const perSecond = anywhere(3, 100)
    const bytesEach = anywhere(5000, 60_000)
    const writes: GeneratedEvent[] = []
    let arrival = exponential(1000 / perSecond)
    for (let freeAt = 0; ;) {
      const start = Math.max(arrival, freeAt)
      if (start >= lasts) break
      // What waits is committed together.
      let bytes = 0
      do {
        bytes += logNormal(bytesEach, 0.5)
        const isCalm = is('busy times') && !bursts.some((each) => each.start <= arrival && arrival < each.end)
        arrival += exponential(1000 / perSecond) * (isCalm ? 3 : 1)
      } while (arrival <= start && bytes < 4e6)
      bytes = Math.ceil(bytes / PAGE) * PAGE
      const [baseMs, bytesMs] = [logNormal(latencyMs, latencySigma), bytes / perMs]
      const { end, truth } = done(start, baseMs + bytesMs, lane, random() < blockedShare)
      writes.push({ start, end, bytes, truth: truth ?? (bytesMs > baseMs ? 'size' : 'unexplained') })
      freeAt = end + 0.05
    }
    return { environment: `/data/${lane}`, volume: 'volume', writes, syncs: own.map(asSync) }
  })
  if (!hasCommits) return lanes
  const writes = commits.map(({ start, end }): GeneratedEvent => ({
    start,
    end,
    bytes: Math.round((end - start) * perMs),
    truth: 'size',
  }))
  return [...lanes, { environment: '/data/bulk', volume: 'volume', writes, syncs: [] }]
}

const asSync = ({ start, end }: Span): GeneratedEvent => ({ start, end, bytes: 3e7, truth: null })

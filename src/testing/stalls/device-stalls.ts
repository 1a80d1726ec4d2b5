import { bisectLeft } from '../../base/columns/bisect.ts'
import { seededRandom } from '../../base/random.ts'
import { STALL_CAUSES, type StallCause } from '../../features/stalls/contract.ts'
import type { GeneratedEvent, GeneratedLane } from './generated-stalls.ts'
import { zeroByCause } from './by-cause.ts'

/**
 * Environments that gather what arrives in calm and busy times into commits, on volumes with channels, credits and a file system
 * whose commit holds writes up. Unlike the other generators nothing is placed: each write is delayed by what it meets.
 */
export const DEVICES = [
  'device: sync commits',
  'device: sync commits, one environment',
  'device: sync commits beside tails',
  'device: sync commits, folded',
  'device: sync commits and bulk',
  'device: innocent syncs',
  'device: slow phases',
  'device: bulk in line',
  'device: bulk shares',
  'device: own bulk',
  'device: byte credits',
  'device: operation credits',
  'device: host pauses',
  'device: volume pauses',
  'device: all at once',
] as const
export type Device = (typeof DEVICES)[number]

interface Span {
  readonly start: number
  readonly end: number
}

interface Volume {
  readonly name: string
  /** When each channel is free again, and what those are to blame that wait for it. */
  readonly free: number[]
  readonly holds: StallCause[]
  readonly bytesPerMs: number
  readonly baseMs: number
  /** File system commits of syncs that are under way or over, by start. */
  readonly commits: Span[]
  readonly pauses: readonly Span[]
  readonly slow: readonly Span[]
  credits: number
  creditsAt: number
}

interface Env {
  readonly lane: GeneratedLane
  readonly volume: Volume
  /** Arrivals in a ms in calm and busy times, and when it changes. */
  readonly rates: readonly [calm: number, busy: number]
  readonly bytesEach: number
  readonly isBulky: boolean
  readonly syncAfterBytes: number
  isBusy: boolean
  changesAt: number
  nextAt: number
  nextBulkAt: number
  dirty: number
  syncedAt: number
}

const startOf = ({ start }: Span): number => start

const PAGE = 4096
const MEGABYTE = 1_000_000

/** Times in ms. `lasts`: of the recording. */
export function stallsOfDevices(scenario: Device, seed: number, lasts: number): GeneratedLane[] {
  const random = seededRandom(seed ^ 0x5bd1e995)
  const between = (low: number, high: number): number => low + random() * (high - low)
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const logNormal = (median: number, sigma: number): number => median * Math.exp(sigma * normal())
  const is = (...names: readonly string[]): boolean => names.some((name) => scenario === `device: ${name}`)
  const spans = (everyMs: number, medianMs: number, sigma: number): Span[] => {
    const found: Span[] = []
    for (let at = exponential(everyMs); at < lasts;) {
      const end = at + logNormal(medianMs, sigma)
      found.push({ start: at, end })
      at = end + exponential(everyMs)
    }
    return found
  }

  const isMixed = is('all at once')
  const blocks = scenario.startsWith('device: sync commits') || isMixed
  const hasTails = is('sync commits beside tails', 'innocent syncs') || isMixed
  const hostPauses = is('host pauses') || isMixed ? spans(between(40, 120) * 1000, between(120, 400), 0.5) : []
  const isInLine = is('bulk in line', 'sync commits and bulk') || isMixed
  const hasBulk = isInLine || is('bulk shares', 'own bulk')
  const hasCredits = is('byte credits', 'operation credits')
  const volumeCount = is('host pauses') || isMixed ? 2 + Math.floor(random() * 2) : 1 + Math.floor(random() * 2)
  const creditsPerMs = is('byte credits') ? between(0.3, 1.2) * 1000 : between(0.02, 0.06)
  const mostCredits = creditsPerMs * between(2000, 20_000)
  /** Of the writes that start in a commit: how many need it. */
  const needs = between(0.35, 0.95)
  const early = between(0.05, 0.2)

  const volumes = Array.from({ length: volumeCount }, (_, at): Volume => {
    const channels = isMixed ? 2 : isInLine || hasCredits ? 1 : 2 + Math.floor(random() * 6)
    return {
      name: `volume ${at}`,
      free: Array.from({ length: channels }, () => 0),
      holds: Array.from({ length: channels }, () => 'unexplained' as const),
      bytesPerMs: between(90, 600) * 1000,
      baseMs: between(0.15, 2.5),
      commits: [],
      pauses: is('volume pauses') || isMixed ? spans(between(60, 240) * 1000, between(90, 300), 0.4) : [],
      slow: is('slow phases') ? spans(between(60, 180) * 1000, between(5, 25) * 1000, 0.4) : [],
      credits: mostCredits,
      creditsAt: 0,
    }
  })

  const isAlone = is('sync commits, one environment')
  const envCount = isAlone ? 1 : volumeCount * (1 + Math.floor(random() * 3)) + (hasBulk ? volumeCount : 0)
  const envs = Array.from({ length: envCount }, (_, at): Env => {
    const volume = volumes[at % volumeCount] as Volume
    const calm = between(3, 15) / 1000
    return {
      lane: { environment: `/data/${at}`, volume: volume.name, writes: [], syncs: [] },
      volume,
      rates: [calm, calm * between(2, 8)],
      bytesEach: logNormal(hasCredits ? 30_000 : 6000, 0.6),
      isBulky: hasBulk && at < volumeCount,
      syncAfterBytes: between(1, 8) * MEGABYTE,
      isBusy: false,
      changesAt: exponential(60_000),
      nextAt: exponential(200),
      nextBulkAt: exponential(30_000),
      dirty: 0,
      syncedAt: 0,
    }
  })

  const arrivalAfter = (env: Env, at: number): number => {
    while (env.changesAt < at) {
      env.isBusy = !env.isBusy
      env.changesAt += exponential(env.isBusy ? 25_000 : 70_000)
    }
    return at + exponential(1 / env.rates[env.isBusy ? 1 : 0])
  }
  /** Spans are searched from the newest that began; few overlap. */
  const endOf = (list: readonly Span[], at: number): number => {
    if (list.length === 0) return at
    const found = list[bisectLeft(list, at, startOf) - 1]
    return found !== undefined && found.end > at ? found.end : at
  }

  const takeCredits = (volume: Volume, at: number, amount: number): number => {
    volume.credits = Math.min(mostCredits, volume.credits + (at - volume.creditsAt) * creditsPerMs)
    volume.creditsAt = at
    volume.credits -= amount
    return volume.credits >= 0 ? 0 : -volume.credits / creditsPerMs
  }

  /** Bulk writes of each volume, and how long a small one waits in line while one is under way, ms. */
  const bulks = new Map<Volume, Span[]>()
  const queueMs = between(80, 250)
  /** Share of writes that take long for no reason. */
  const tails = 10 ** between(-3.5, -2)

  /** What delayed a write, ms by cause, and how far it is. */
  const delays = zeroByCause()
  let at = 0
  const wait = (until: number, cause: StallCause): void => {
    if (until <= at) return
    delays[cause] += until - at
    at = until
  }
  const write = (env: Env, start: number, bytes: number, isBulk: boolean): GeneratedEvent => {
    const { volume } = env
    for (const cause of STALL_CAUSES) delays[cause] = 0
    at = start
    wait(endOf(hostPauses, at), 'outside')
    wait(endOf(volume.pauses, at), 'unexplained')
    if (blocks && random() < needs) {
      const until = endOf(volume.commits, at)
      if (until > at) wait(random() < early ? between(at, until) : until + exponential(1.5), 'sync')
    }
    if (hasCredits) wait(at + takeCredits(volume, at, is('byte credits') ? bytes : 1), 'ceiling')
    let channel = 0
    for (let i = 1; i < volume.free.length; i++) if ((volume.free[i] ?? 0) < (volume.free[channel] ?? 0)) channel = i
    wait(volume.free[channel] ?? 0, volume.holds[channel] ?? 'unexplained')
    const isSlow = endOf(volume.slow, at) > at
    const factor = isSlow ? between(6, 30) : 1
    const base = logNormal(volume.baseMs, 0.3) * factor
    wait(at + base, 'unexplained')
    let transferMs = (bytes / volume.bytesPerMs) * Math.exp(0.1 * normal())
    if (is('bulk shares')) {
      // Each bulk write that is under way halves what is left, and its requests stand in line before the small ones.
      const bulkUntil = endOf(bulks.get(volume) ?? [], at)
      if (bulkUntil > at && !isBulk) wait(Math.min(bulkUntil, at + queueMs * between(0.5, 1.1)), 'neighbour')
    }
    if (isSlow) transferMs *= factor
    wait(at + transferMs, isSlow ? 'unexplained' : 'size')
    if (hasTails && random() < tails) wait(at + 30 * Math.pow(1 - random(), -1 / 1.6), 'unexplained')
    // A pause that begins meanwhile.
    const hostUntil = endOf(hostPauses, at)
    if (hostUntil > at) wait(hostUntil + exponential(0.5), 'outside')
    const volumeUntil = endOf(volume.pauses, at)
    if (volumeUntil > at) wait(volumeUntil + exponential(0.5), 'unexplained')
    volume.free[channel] = at
    if (isBulk) {
      const list = bulks.get(volume) ?? []
      list.push({ start, end: at })
      bulks.set(volume, list)
    }
    let truth: StallCause = 'unexplained'
    for (const cause of STALL_CAUSES) if (delays[cause] > delays[truth]) truth = cause
    volume.holds[channel] = truth === 'size' ? 'neighbour' : truth
    return { start, end: at, bytes, truth }
  }

  const sync = (env: Env, start: number): void => {
    const { volume } = env
    const isSlow = endOf(volume.slow, start) > start
    const flushMs = (env.dirty / volume.bytesPerMs) * between(1, 4) * (isSlow ? between(6, 20) : 1)
    const commitMs = logNormal(is('innocent syncs') ? 250 : 140, 0.6)
    let end = start + flushMs + commitMs
    for (const list of [hostPauses, volume.pauses]) end = Math.max(end, endOf(list, end))
    if (blocks) {
      const last = volume.commits.at(-1)
      volume.commits.push({ start: Math.max(start + flushMs, last?.end ?? 0), end: Math.max(end, last?.end ?? 0) })
    }
    env.lane.syncs.push({ start, end: end + exponential(1), bytes: env.dirty, truth: null })
    env.dirty = 0
    env.syncedAt = end
  }

  for (;;) {
    let env = envs[0] as Env
    for (const other of envs) if (other.nextAt < env.nextAt) env = other
    const start = env.nextAt
    if (start >= lasts) break
    const isBulk = env.isBulky && start >= env.nextBulkAt
    if (isBulk) env.nextBulkAt = start + exponential(20_000)
    const waiting = 1 + Math.floor((start - env.syncedAt > 0 ? env.rates[env.isBusy ? 1 : 0] : 0) * exponential(40))
    const bytes = isBulk ? logNormal(volumeBulk(env.volume), 0.4) : logNormal(env.bytesEach, 0.5) * waiting
    const event = write(env, start, Math.ceil(bytes / PAGE) * PAGE, isBulk)
    env.lane.writes.push(event)
    env.dirty += event.bytes
    if (
      (env.dirty > env.syncAfterBytes && start - env.syncedAt > 2500) ||
      (start - env.syncedAt > 60_000 && env.dirty > 0)
    )
      sync(env, event.end + exponential(50))
    env.nextAt = Math.max(event.end + exponential(0.4), arrivalAfter(env, event.end))
  }
  const lanes = envs.map(({ lane }) => lane)
  if (!is('sync commits, folded')) return lanes
  return lanes.map(({ environment, volume, writes, syncs }) => {
    const folded = spans(90_000, 20_000, 0.5)
    const left = writes.filter(({ start }) => endOf(folded, start) === start)
    return { environment, volume, writes: left, syncs }
  })
}

/** Takes some hundred ms. */
const volumeBulk = ({ bytesPerMs }: Volume): number => bytesPerMs * 300

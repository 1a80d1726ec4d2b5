import { seededRandom } from '../../base/random.ts'
import type { Span } from '../../base/spans.ts'
import type { Events, Lane } from '../../features/stalls/data/lanes.ts'
import type { Labelled, Truth } from './recordings.ts'

/** A simple server whose writes are held up for known reasons, to look for mistakes; recordings decide. `companions`: idle syncs begin with large writes; `tied`: standstills hold syncs and flushes, too. */
interface Scenario {
  readonly sync?: 'own' | 'volume' | 'idle'
  /** Flushes; with syncs, each before one. */
  readonly flush?: 'own' | 'volume' | 'idle'
  /** Bytes a ms of each write by itself. */
  readonly size?: number
  /** Bytes from which on a write holds up the others of its volume, and bytes a ms. */
  readonly large?: readonly [bytes: number, rate: number]
  /** Bucket of each volume: bytes in it, and the rate at which it is filled, in loads of clients that are not busy. */
  readonly bucket?: readonly [bytes: number, loads: number]
  readonly standstill?: 'each' | 'all' | 'tied'
  /** Spells of a volume in which this share of the writes is slow, whatever their size, as by pages that must be read from disk. */
  readonly spells?: number
  /** Share of the writes that are slow for no reason. */
  readonly random?: number
  /** The same while clients are busy. */
  readonly busyRandom?: number
  readonly companions?: boolean
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'idle syncs': { sync: 'idle' },
  random: { sync: 'idle', random: 0.01 },
  'random when busy': { sync: 'idle', busyRandom: 0.03 },
  'own syncs': { sync: 'own' },
  'syncs of the volume': { sync: 'volume' },
  'own flushes before idle syncs': { flush: 'own', sync: 'idle' },
  'flushes of the volume': { flush: 'volume', random: 0.002 },
  'flushes and syncs': { flush: 'own', sync: 'own' },
  'idle flushes before syncs': { flush: 'idle', sync: 'volume' },
  'random beside flushes': { flush: 'idle', random: 0.01, busyRandom: 0.03 },
  'syncs and random': { sync: 'volume', random: 0.002 },
  size: { sync: 'idle', size: 5000 },
  'size and random': { sync: 'idle', size: 8000, random: 0.003 },
  large: { sync: 'idle', large: [400_000, 3000] },
  'large with companions': { large: [400_000, 3000], companions: true },
  'large and syncs': { sync: 'volume', large: [600_000, 4000] },
  'size with companions': { size: 4000, companions: true },
  bucket: { sync: 'idle', bucket: [8_000_000, 1.6] },
  'bucket and random': { sync: 'idle', bucket: [4_000_000, 1.4], random: 0.002 },
  'slow spells': { sync: 'idle', spells: 0.12 },
  'standstill, each its time': { sync: 'idle', standstill: 'each' },
  standstill: { sync: 'idle', standstill: 'all' },
  'standstill of syncs, too': { sync: 'idle', standstill: 'tied' },
  'standstill of flushes, too': { flush: 'idle', standstill: 'tied' },
}

const VOLUMES = ['one', 'one', 'one', 'two', 'two', 'one']
const DRAIN_MS = 3
/** Mean size of a write, about. */
const MEAN_BYTES = 60_000

export function simulate(name: string, seed: number, minutes: number): Labelled {
  const scenario = SCENARIOS[name] as Scenario
  const random = seededRandom(seed * 7919 + name.length)
  const between = (low: number, high: number): number => low + (high - low) * random()
  const after = (mean: number): number => -mean * Math.log(1 - random())
  const totalMs = minutes * 60_000
  const volumes = VOLUMES.slice(0, 4 + Math.floor(random() * 3))
  const everyMs = volumes.map(() => between(15, 150))
  const spans = (mean: number, low: number, high: number): Span[] => {
    const found: Span[] = []
    for (let at = after(mean); at < totalMs;) {
      const end = at + between(low, high)
      found.push({ start: at, end })
      at = end + after(mean)
    }
    return found
  }
  const standstills = scenario.standstill === undefined ? [] : spans(between(6000, 14_000), 500, 2500)
  const slowSpells = new Map(
    scenario.spells === undefined ? [] : [...new Set(volumes)].map((volume) => [volume, spans(20_000, 3000, 9000)]),
  )
  const busyEvery = between(20_000, 60_000)
  const isBusy = (at: number): boolean => at % busyEvery < busyEvery * 0.4
  const longest = between(500, 1800)
  const syncs = volumes.map(() =>
    scenario.sync === undefined
      ? []
      : spans(between(6000, 12_000), 200, longest).map((sync) => stretched(sync, standstills, scenario)),
  )
  const flushes = volumes.map((_, lane) => {
    if (scenario.flush === undefined) return []
    if (scenario.sync === undefined)
      return spans(between(4000, 8000), 100, longest).map((flush) => stretched(flush, standstills, scenario))
    return (syncs[lane] as Span[]).map(({ start }) => ({ start: start - between(100, 700), end: start - 2 }))
  })
  const holds = (of: 'own' | 'volume' | 'idle' | undefined, holder: number, lane: number): boolean =>
    of === 'own' ? holder === lane : of === 'volume' && volumes[holder] === volumes[lane]
  const under = (all: readonly Span[], at: number): Span | undefined =>
    all.find(({ start, end }) => start <= at && at < end)
  const buckets = new Map(
    volumes.map((volume) => {
      const load = volumes.reduce(
        (sum, each, lane) => sum + (each === volume ? MEAN_BYTES / (everyMs[lane] as number) : 0),
        0,
      )
      return [volume, { left: scenario.bucket?.[0] ?? 0, at: 0, rate: load * (scenario.bucket?.[1] ?? 1) }]
    }),
  )
  const locked = new Map<string, number>()
  const next = volumes.map(() => after(100))
  const rows = volumes.map((): { start: number; end: number; bytes: number; truth: Truth | null }[] => [])
  for (;;) {
    const lane = next.indexOf(Math.min(...next))
    const start = next[lane] as number
    if (start >= totalMs) break
    const volume = volumes[lane] as string
    const isLarge = random() < (isBusy(start) ? 0.05 : 0.02)
    const bytes = 4096 * Math.ceil(isLarge ? 60 * Math.exp(between(0, 3)) : 3 * Math.exp(between(0, 2)))
    let [end, truth] = [start + 0.4 * Math.exp(between(-0.7, 1)) + bytes / 300_000, null as Truth | null]
    const hold = (until: number, cause: string): void => {
      if (until <= end) return
      if (until - end > (truth?.heldMs ?? 0)) truth = { cause, heldMs: until - end }
      end = until + random() * DRAIN_MS
    }
    for (const other of volumes.keys()) {
      if (holds(scenario.sync, other, lane)) hold(under(syncs[other] as Span[], start)?.end ?? 0, 'sync')
      if (holds(scenario.flush, other, lane)) hold(under(flushes[other] as Span[], start)?.end ?? 0, 'flush')
    }
    if (scenario.large !== undefined) {
      hold(locked.get(volume) ?? 0, 'neighbour')
      if (bytes >= scenario.large[0]) {
        hold(end + bytes / scenario.large[1], 'bytes')
        locked.set(volume, end)
      }
    }
    if (scenario.size !== undefined) hold(end + (bytes / scenario.size) * between(0.9, 1.1), 'bytes')
    if (scenario.bucket !== undefined) {
      const bucket = buckets.get(volume) as { left: number; at: number; rate: number }
      bucket.left = Math.min(scenario.bucket[0], bucket.left + (start - bucket.at) * bucket.rate) - bytes
      bucket.at = start
      hold(end + Math.max(0, -bucket.left / bucket.rate), 'bytes')
    }
    const still = under(standstills, start)
    if (still !== undefined && (scenario.standstill !== 'each' || random() < 0.8))
      hold(scenario.standstill === 'each' ? end + between(120, 500) : still.end, 'standstill')
    if (random() < (under(slowSpells.get(volume) ?? [], start) === undefined ? 0 : (scenario.spells ?? 0)))
      hold(end + 50 + after(220), 'random')
    if (random() < (scenario.random ?? 0) + (isBusy(start) ? (scenario.busyRandom ?? 0) : 0))
      hold(end + between(100, 700), 'random')
    ;(rows[lane] as (typeof rows)[number]).push({ start, end, bytes, truth })
    if (isLarge && scenario.companions === true && random() < 0.5)
      (syncs[lane] as Span[]).push({ start: start + between(0, 20), end: start + between(100, 900) })
    next[lane] = end + after((everyMs[lane] as number) / (isBusy(end) ? 3 : 1))
  }
  const lanes = volumes.map((volume, lane): Lane => ({
    environment: `/data/${String(lane)}`,
    volume,
    isVolumeKnown: true,
    writes: eventsOf(rows[lane] as (typeof rows)[number]),
    syncs: eventsOf(byStart(syncs[lane] as Span[])),
    flushes: eventsOf(byStart(flushes[lane] as Span[])),
  }))
  const truths = rows.map(
    (own) => new Map(own.flatMap(({ truth }, row) => (truth === null ? [] : [[row, truth] as const]))),
  )
  return { name, stallMs: 50, lanes, truths }
}

/** A sync or a flush that is under way when all stands still goes on until that ends. */
function stretched(sync: Span, standstills: readonly Span[], { standstill }: Scenario): Span {
  if (standstill !== 'tied') return sync
  const short = { ...sync, end: sync.start + (sync.end - sync.start) / 10 }
  const met = standstills.find(({ start, end }) => start < short.end && short.start < end)
  return met === undefined ? short : { ...short, end: met.end }
}

const byStart = (spans: readonly Span[]): (Span & { bytes: number })[] =>
  spans.map(({ start, end }) => ({ start, end, bytes: 0 })).toSorted((a, b) => a.start - b.start)

const eventsOf = (rows: readonly (Span & { readonly bytes: number })[]): Events => ({
  start: Float64Array.from(rows, ({ start }) => start),
  end: Float64Array.from(rows, ({ end }) => end),
  bytes: Float64Array.from(rows, ({ bytes }) => bytes),
})

import { seededRandom } from '../../base/random.ts'
import type { StallCause } from '../../features/stalls/contract.ts'
import type { Span } from '../../features/stalls/data/judging/spans.ts'
import type { GeneratedEvent, GeneratedLane } from './generated-stalls.ts'
import { spanAt } from './span-at.ts'

/**
 * Transactions that are compressed before their journal write, guilty and innocent of its stalls. The parameters of a capture are drawn
 * from wide ranges, evenly by their logarithms.
 */
export const COMPRESSED = [
  /** Writes of compressed transactions are held up, whatever their compression took. */
  'compressed: held',
  /** Only where the compression took long. */
  'compressed: slow to compress',
  /** They are larger, and take as long as their size. */
  'compressed: large',
  /** Busy times have more of them, and more stalls. */
  'compressed: busy',
  /** For a while everything is slow, compressing and writing alike. */
  'compressed: slow server',
  /** While a write is held up, what waits becomes one large transaction, which is compressed. */
  'compressed: gathered',
  /** Syncs hold up writes, compressed or not. */
  'compressed: beside syncs',
  /** Stalls and slow compressions come independently. */
  'compressed: independent',
] as const
export type Compressed = (typeof COMPRESSED)[number]

const PAGE = 4096

/** Times in ms. `lasts`: of the recording. */
export function stallsOfCompressed(scenario: Compressed, seed: number, lasts: number): GeneratedLane[] {
  const random = seededRandom(seed ^ 0x1b873593)
  const anywhere = (low: number, high: number): number => low * (high / low) ** random()
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const logNormal = (median: number, sigma: number): number => median * Math.exp(sigma * normal())
  const is = (name: string): boolean => scenario === `compressed: ${name}`

  const spans = (everyMs: number, lengthMs: () => number): Span[] => {
    const found: Span[] = []
    for (let start = exponential(everyMs); start < lasts;) {
      const end = start + lengthMs()
      found.push({ start, end })
      start = end + exponential(everyMs)
    }
    return found
  }
  const environments = 1 + Math.floor(3 * random())
  const bytesPerMs = is('large') ? anywhere(10_000, 60_000) : anywhere(100_000, 600_000)
  const latencyMs = anywhere(0.2, 4)
  const pauseMs = anywhere(20, 120)
  const medianBytes = anywhere(8000, 120_000)
  const compressedShare = anywhere(0.02, 0.4)
  const slowShare = anywhere(0.05, 0.3)
  const heldShare = 0.5 + 0.5 * random()
  const heldMs = anywhere(80, 800)
  const strayShare = anywhere(0.0005, 0.004)
  const compressedBytesPerMs = anywhere(200_000, 1_000_000)
  const busy = is('busy') ? spans(anywhere(20_000, 60_000), () => anywhere(5000, 40_000)) : []
  const slow = is('slow server') || is('gathered') ? spans(anywhere(5000, 20_000), () => logNormal(1000, 0.7)) : []

  return Array.from({ length: environments }, (_, id): GeneratedLane => {
    const syncs: GeneratedEvent[] = spans(anywhere(5000, 20_000), () => logNormal(500, 0.6)).map(({ start, end }) => ({
      start,
      end,
      bytes: Math.round(logNormal(3e7, 1)),
      truth: null,
    }))
    const [syncAt, slowAt, busyAt] = [spanAt(syncs), spanAt(slow), spanAt(busy)]
    const [writes, compressions]: [GeneratedEvent[], GeneratedEvent[]] = [[], []]
    let waited = 0
    for (let at = exponential(pauseMs); at < lasts;) {
      const isSlow = slowAt(at) !== null
      const isBusy = busyAt(at) !== null
      const isGathered = is('gathered') && waited > 4 * pauseMs
      const isCompressed = isGathered || random() < (isBusy ? 3 : 1) * compressedShare
      let bytes = logNormal(medianBytes, 0.7) * (isGathered ? Math.min(40, waited / pauseMs) : 1)
      if (isCompressed && is('large')) bytes = Math.max(bytes * 20, 80 * bytesPerMs * anywhere(1, 6))
      bytes = Math.ceil(bytes / PAGE) * PAGE
      let isSlowly = false
      if (isCompressed) {
        const original = Math.round(Math.max(600_000, bytes * anywhere(1.2, 8)))
        isSlowly = random() < slowShare || (isSlow && is('slow server'))
        const end = at + logNormal(original / compressedBytesPerMs, 0.3) * (isSlowly ? anywhere(15, 80) : 1)
        compressions.push({ start: at, end, bytes: original, truth: null })
        at = end + exponential(0.3)
      }
      const delays: [StallCause, number][] = [
        ['unexplained', logNormal(latencyMs, 0.4)],
        ['size', bytes / bytesPerMs],
      ]
      const isHeld = (is('held') && isCompressed) || (is('slow to compress') && isSlowly)
      if (isHeld && random() < heldShare) delays.push(['compression', logNormal(heldMs, 0.4)])
      if (random() < strayShare * (isBusy ? 20 : 1)) delays.push(['unexplained', logNormal(200, 0.5)])
      if (slowAt(at) !== null) delays.push(['unexplained', logNormal(150, 0.5)])
      const sync = is('beside syncs') ? syncAt(at) : null
      if (sync !== null) delays.push(['sync', sync.end - at + exponential(2)])
      const [truth] = delays.reduce((most, each) => (each[1] > most[1] ? each : most))
      const end = at + delays.reduce((sum, [, ms]) => sum + ms, 0)
      writes.push({ start: at, end, bytes, truth })
      waited = end - at
      at = end + exponential(isBusy ? pauseMs / 3 : pauseMs)
    }
    return { environment: `/data/${id}`, volume: 'volume', writes, syncs, compressions }
  })
}

import { bisectNumbers } from '../../../../base/columns/bisect.ts'
import { durationOf, type Events, type Lane } from './events.ts'
import { medianOf, quantileOf } from './statistics.ts'

/** Writes of about the same size, at least, the one in question included. */
const ENOUGH_PEERS = 5
/** Their duration for each byte must agree within this factor (median deviation), or it is not the size that decides. */
const AGREE = Math.log(1.5)
/** Beyond this factor, and beyond their own spread, the fastest of them show that the size does not decide. */
const FASTER = { share: 0.02, least: Math.log(2.2), deviations: 2.5 }
/** Writes that are so many times smaller, of which the fastest are compared: a larger share of few, whose extremes are chance. */
const SMALLER = { least: 2, most: 8, share: 0.02, shareOfFew: 0.1, few: 100 }
/** Far smaller ones may have a cost of their own: not some, but most of them are so many times as fast. */
const FAR_SMALLER = { most: 512, share: 0.5, least: Math.log(10) }
/** A write that took at most so many times as long as its peers was not held up by anything else. */
const TOLERATED = { least: Math.log(1.8), most: Math.log(3), deviations: 2.5 }
/** Median deviation → standard deviation, where durations are log-normal. */
const NORMAL = 1.4826
/** Small writes cost what any write costs; their size explains nothing. */
export const LEAST_BYTES = 64 * 1024
/** Peers that are looked at. */
const PEERS_MOST = 400
/** Sizes within this factor share their peers. */
const STEPS_PER_OCTAVE = 8
/** So many writes of a lane are taken of sizes that are common. */
const SAMPLE = 50_000
const LARGE_BYTES = 1 << 20
/** Larger ones have no order among each other; times the sampled writes it is an exact number. */
const LARGEST = 2 ** 32

/** How long writes of a size take. */
interface Peers {
  /** Logarithm of ms per byte. */
  readonly rate: number
  /** Logarithm of the factor within which a write took as long as its peers. */
  readonly tolerated: number
  /** Logarithm of the factor beyond which another is faster than its peers. */
  readonly faster: number
}

/** Rows of a lane. */
interface Sampled {
  readonly writes: Events
  readonly rows: readonly number[]
}

/** Journal writes by size. */
interface Sized {
  readonly bytes: Float64Array
  readonly durations: Float64Array
}

/** Journal writes of the lanes of a volume by size, to know how long a write of a size takes. */
export class SizePeers {
  readonly #lanes: readonly Lane[]
  readonly #ids: readonly number[]
  #all: Sized | null = null
  readonly #ofLane = new Map<number, Sized>()
  readonly #known = new Map<string, Peers | null>()

  constructor(lanes: readonly Lane[], ids: readonly number[]) {
    this.#lanes = lanes
    this.#ids = ids
  }

  /** Whether a write of the lane took about as long as its size explains; null: its peers are too few, or do not agree. */
  isUsual(lane: number, bytes: number, durationMs: number): boolean | null {
    const peers = this.#peersOf(lane, bytes)
    return peers === null ? null : Math.log(durationMs / bytes) <= peers.rate + peers.tolerated
  }

  /** Whether a write of this size would have taken about as long anyway, and its peers about as long as a stall. */
  explains(lane: number, bytes: number, durationMs: number, stallMs: number): boolean {
    const peers = this.#peersOf(lane, bytes)
    if (peers === null || this.isUsual(lane, bytes, durationMs) !== true) return false
    return Math.log(stallMs / bytes) <= peers.rate + TOLERATED.least
  }

  #peersOf(lane: number, bytes: number): Peers | null {
    if (bytes < LEAST_BYTES) return null
    const step = Math.round(Math.log2(bytes) * STEPS_PER_OCTAVE)
    const key = `${lane} ${step}`
    let peers = this.#known.get(key)
    if (peers === undefined) this.#known.set(key, (peers = this.#find(lane, 2 ** (step / STEPS_PER_OCTAVE))))
    return peers
  }

  #find(lane: number, bytes: number): Peers | null {
    this.#all ??= sizedOf(this.#ids.map((id) => sampleOf(this.#lanes[id] as Lane)))
    for (const factor of [1.5, 2, 4]) {
      const rates = ratesOf(this.#all, bytes / factor, bytes * factor + 1)
      if (rates === null) continue
      const peers = agreed(rates)
      return peers === null || this.#isSmallerFaster(lane, bytes, peers) ? null : peers
    }
    return null
  }

  /**
   * Whether smaller writes of the lane are far faster for each byte. By size alone none are: what a write costs beside its bytes
   * weighs more on them. So these sizes wait for something, as those do that were committed together while they waited.
   */
  #isSmallerFaster(lane: number, bytes: number, { rate, faster }: Peers): boolean {
    let own = this.#ofLane.get(lane)
    if (own === undefined) this.#ofLane.set(lane, (own = sizedOf([sampleOf(this.#lanes[lane] as Lane)])))
    const isFaster = (rates: readonly number[] | null, share: number, by: number): boolean =>
      rates !== null && quantileOf(rates, share) < rate - by
    const rates = ratesOf(own, bytes / SMALLER.most, bytes / SMALLER.least)
    const share = rates !== null && rates.length < SMALLER.few ? SMALLER.shareOfFew : SMALLER.share
    const far = ratesOf(own, Math.max(LEAST_BYTES, bytes / FAR_SMALLER.most), bytes / SMALLER.most)
    return isFaster(rates, share, faster) || isFaster(far, FAR_SMALLER.share, FAR_SMALLER.least)
  }
}

/** All large writes of a lane, as far as they are not too many, and some of the others. */
function sampleOf({ writes }: Lane): Sampled {
  const rows: number[] = []
  const large = writes.bytes.reduce((count, bytes) => count + (bytes >= LARGE_BYTES ? 1 : 0), 0)
  const steps = [Math.ceil((writes.start.length - large) / SAMPLE), Math.ceil(large / SAMPLE)]
  const seen = [0, 0]
  for (let row = 0; row < writes.start.length; row++) {
    const bytes = writes.bytes[row] as number
    if (bytes < LEAST_BYTES / 4) continue
    const which = bytes >= LARGE_BYTES ? 1 : 0
    const at = (seen[which] ?? 0) + 1
    seen[which] = at
    if (at % (steps[which] ?? 1) === 0) rows.push(row)
  }
  return { writes, rows }
}

function sizedOf(samples: readonly Sampled[]): Sized {
  const count = samples.reduce((sum, { rows }) => sum + rows.length, 0)
  // Sorted as numbers, which is ten times as fast as by a comparison: the size, and which it is.
  const keys = new Float64Array(count)
  const [bytes, durations] = [new Float64Array(count), new Float64Array(count)]
  let at = 0
  for (const { writes, rows } of samples)
    for (const row of rows) {
      bytes[at] = writes.bytes[row] as number
      durations[at] = durationOf(writes, row)
      keys[at] = Math.min(LARGEST, Math.round(bytes[at] as number)) * count + at
      at++
    }
  keys.sort()
  const sorted = keys.map((key) => key % count)
  return { bytes: sorted.map((i) => bytes[i] as number), durations: sorted.map((i) => durations[i] as number) }
}

/** Logarithms of ms per byte of some of the writes of these sizes; null: they are too few. */
function ratesOf({ bytes, durations }: Sized, least: number, most: number): number[] | null {
  const from = bisectNumbers(bytes, least)
  const to = bisectNumbers(bytes, most)
  if (to - from < ENOUGH_PEERS) return null
  const step = Math.max(1, Math.floor((to - from) / PEERS_MOST))
  const rates: number[] = []
  for (let i = from; i < to; i += step)
    rates.push(Math.log(Math.max(durations[i] as number, 0.001) / (bytes[i] as number)))
  return rates
}

/** Null: they do not agree. */
function agreed(rates: readonly number[]): Peers | null {
  const rate = medianOf(rates)
  const deviation = medianOf(rates.map((each) => Math.abs(each - rate)))
  if (deviation > AGREE) return null
  // Some that are much faster: the device can, and something else slows the others.
  const faster = Math.max(FASTER.least, FASTER.deviations * NORMAL * deviation)
  if (rate - quantileOf(rates, FASTER.share) > faster) return null
  const tolerated = Math.min(TOLERATED.most, TOLERATED.deviations * NORMAL * deviation)
  return { rate, tolerated: Math.max(TOLERATED.least, tolerated), faster }
}

import { TICKS_PER_SECOND, type TickSpan } from '../ticks.ts'

/** A resolution: `buckets` buckets of `seconds` each; a newer bucket replaces the oldest. */
export interface TierSpec {
  readonly seconds: number
  readonly buckets: number
  /** Buckets of a block, the unit of storage and (unless `atOnce`) of allocation; divides `buckets`. */
  readonly blockBuckets: number
  /** Allocates all blocks when the series is created, so that memory does not grow later. */
  readonly atOnce: boolean
}

/**
 * Each second for an hour, ten seconds for a day, a minute for thirty days. 32 bytes a bucket: 115 KB, 276 KB, and 7.7
 * KB for each four hours with data (1.4 MB for thirty days). A series takes 0.4 to 1.8 MB.
 */
export const TIERS: readonly TierSpec[] = [
  { seconds: 1, buckets: 3600, blockBuckets: 300, atOnce: true },
  { seconds: 10, buckets: 8640, blockBuckets: 180, atOnce: true },
  { seconds: 60, buckets: 43_200, blockBuckets: 240, atOnce: false },
]

/** Bytes of a bucket: its number, count, sum, smallest and largest. */
export const BUCKET_BYTES = 32

/** Buckets of a range in columns, ascending; see `SeriesTiers.rows`. */
export interface TierRows {
  readonly bucketTicks: TickSpan
  readonly tierSeconds: number
  readonly length: number
  readonly startTicks: Float64Array
  readonly sum: Float64Array
  readonly min: Float64Array
  readonly max: Float64Array
  readonly count: Float64Array
}

export interface StoredBlock {
  readonly tier: number
  readonly block: number
  readonly bytes: ArrayBuffer
}

/**
 * Samples of one figure over time, kept in tiers. An append changes one bucket of each tier: O(1). Time without samples
 * has no bucket, so that unknown stays unknown. Invariant: in each tier, sums, counts and extremes of a bucket are
 * those of the samples within it.
 */
export class SeriesTiers {
  readonly specs: readonly TierSpec[]
  readonly #tiers: readonly Tier[]

  constructor(specs: readonly TierSpec[] = TIERS) {
    this.specs = specs
    this.#tiers = specs.map((spec) => new Tier(spec))
  }

  /** Returns false if the value is not a number, before 2020, or older than the bucket in its slot in every tier. */
  append(atTicks: number, value: number): boolean {
    if (!Number.isFinite(value) || !(atTicks >= 0)) return false
    let taken = false
    for (const tier of this.#tiers) taken = tier.append(atTicks, value) || taken
    return taken
  }

  /** End of the newest bucket in the finest tier with data; NaN: no data. */
  get endTicks(): number {
    for (const tier of this.#tiers) if (tier.newest >= 0) return (tier.newest + 1) * tier.widthTicks
    return Number.NaN
  }

  /** Start of the oldest bucket in any tier; NaN: no data. */
  get startTicks(): number {
    const coarsest = this.#tiers.at(-1)
    return coarsest === undefined ? Number.NaN : coarsest.oldest * coarsest.widthTicks
  }

  get byteLength(): number {
    return this.#tiers.reduce((sum, tier) => sum + tier.byteLength, 0)
  }

  /**
   * Buckets that overlap [start, end), at most about `maxRows`, at the finest resolution available; adjacent buckets
   * are joined if there are too many. If more than `gapTicks` lie between two buckets with samples, a row with NaN and
   * count 0 stands between them. It begins at the end of the earlier bucket and does not count towards `maxRows`.
   */
  rows(startTicks: number, endTicks: number, maxRows: number, gapTicks: number): TierRows {
    const tier = this.#pick(startTicks, (endTicks - startTicks) / Math.max(1, maxRows))
    const perRow = Math.max(1, Math.ceil((endTicks - startTicks) / Math.max(1, maxRows) / tier.widthTicks))
    return tier.rows(startTicks, endTicks, perRow, gapTicks)
  }

  /** Removes everything at and after this moment, for a clock that had jumped ahead and was set back. */
  dropFrom(ticks: number): void {
    for (const tier of this.#tiers) tier.dropFrom(ticks)
  }

  /** Returns copies of the blocks that changed since the last call. */
  takeChanged(): StoredBlock[] {
    return this.#tiers.flatMap((tier, index) =>
      tier.takeChanged().map(({ block, bytes }) => ({ tier: index, block, bytes })),
    )
  }

  /**
   * Restores a stored block. Of two buckets the newer one is kept, of equal ones that with more samples. Returns false
   * if the block has another shape.
   */
  restore({ tier, block, bytes }: StoredBlock): boolean {
    return this.#tiers[tier]?.restore(block, bytes) ?? false
  }

  /** The coarsest tier fine enough for `widthTicks` that reaches back far enough; else the finest that does. */
  #pick(startTicks: number, widthTicks: number): Tier {
    const coarsest = this.#tiers.at(-1)
    const firstEndTicks = coarsest === undefined ? 0 : (coarsest.first + 1) * coarsest.widthTicks
    // A tier that has not overwritten a bucket reaches back to the first sample.
    const reaching = this.#tiers.filter(
      (tier) =>
        tier.reachesTicks <= startTicks ||
        (tier.reachesTicks <= tier.first * tier.widthTicks && tier.first * tier.widthTicks < firstEndTicks),
    )
    const enough = reaching.filter((tier) => tier.widthTicks <= widthTicks)
    return enough.at(-1) ?? reaching[0] ?? (this.#tiers.at(-1) as Tier)
  }
}

/** Columns of a block over one buffer, stored as it is. `numbers`: bucket number + 1; 0: an empty slot. */
interface Block {
  readonly bytes: ArrayBuffer
  readonly sums: Float64Array
  readonly mins: Float64Array
  readonly maxs: Float64Array
  readonly numbers: Uint32Array
  readonly counts: Uint32Array
  changed: boolean
}

/** Ring buffer: a bucket is stored at its number (time ÷ width) modulo the number of buckets. */
class Tier {
  readonly widthTicks: number
  readonly #spec: TierSpec
  readonly #blocks: (Block | null)[]
  /** Numbers of the first bucket that was ever filled, and of the newest one. */
  first = Number.POSITIVE_INFINITY
  newest = -1

  constructor(spec: TierSpec) {
    this.#spec = spec
    this.widthTicks = spec.seconds * TICKS_PER_SECOND
    const count = spec.buckets / spec.blockBuckets
    this.#blocks = Array.from({ length: count }, () => (spec.atOnce ? makeBlock(spec.blockBuckets) : null))
  }

  append(atTicks: number, value: number): boolean {
    const number = Math.floor(atTicks / this.widthTicks)
    if (number <= this.newest - this.#spec.buckets) return false
    const block = this.#blockFor(number)
    const at = number % this.#spec.blockBuckets
    const there = (block.numbers[at] as number) - 1
    if (there > number) return false
    if (there === number) {
      block.sums[at] = (block.sums[at] as number) + value
      block.mins[at] = Math.min(block.mins[at] as number, value)
      block.maxs[at] = Math.max(block.maxs[at] as number, value)
      block.counts[at] = (block.counts[at] as number) + 1
    } else {
      block.numbers[at] = number + 1
      block.sums[at] = value
      block.mins[at] = value
      block.maxs[at] = value
      block.counts[at] = 1
    }
    block.changed = true
    this.#note(number)
    return true
  }

  get byteLength(): number {
    let made = 0
    for (const block of this.#blocks) if (block !== null) made++
    return made * this.#spec.blockBuckets * BUCKET_BYTES
  }

  /** No bucket from this moment on was overwritten; −∞ while empty. */
  get reachesTicks(): number {
    return this.newest < 0 ? Number.NEGATIVE_INFINITY : (this.newest - this.#spec.buckets + 1) * this.widthTicks
  }

  /** Number of the oldest bucket that was not overwritten; NaN: no data. */
  get oldest(): number {
    return this.newest < 0 ? Number.NaN : Math.max(this.first, this.newest - this.#spec.buckets + 1)
  }

  rows(startTicks: number, endTicks: number, perRow: number, gapTicks: number): TierRows {
    const rowTicks = perRow * this.widthTicks
    const first = Math.max(0, Math.floor(startTicks / rowTicks) * perRow, this.newest - this.#spec.buckets + 1)
    const last = Math.min(this.newest, Math.ceil(endTicks / this.widthTicks) - 1)
    const out = new RowsWriter(rowTicks, gapTicks)
    for (let number = first; number <= last; number++) {
      const block = this.#blocks[this.#blockIndex(number)]
      const at = number % this.#spec.blockBuckets
      if (block === null || block === undefined || block.numbers[at] !== number + 1) continue
      out.add(
        Math.floor(number / perRow) * rowTicks,
        block.sums[at] as number,
        block.mins[at] as number,
        block.maxs[at] as number,
        block.counts[at] as number,
      )
    }
    return out.finish(this.#spec.seconds)
  }

  dropFrom(ticks: number): void {
    const from = Math.floor(ticks / this.widthTicks)
    this.newest = -1
    for (const block of this.#blocks) {
      if (block === null) continue
      for (let at = 0; at < block.numbers.length; at++) {
        const number = (block.numbers[at] as number) - 1
        if (number < from) {
          if (number > this.newest) this.newest = number
          continue
        }
        block.numbers[at] = 0
        block.changed = true
      }
    }
  }

  takeChanged(): { block: number; bytes: ArrayBuffer }[] {
    const changed: { block: number; bytes: ArrayBuffer }[] = []
    for (const [index, block] of this.#blocks.entries()) {
      if (block?.changed !== true) continue
      block.changed = false
      changed.push({ block: index, bytes: block.bytes.slice(0) })
    }
    return changed
  }

  restore(index: number, bytes: ArrayBuffer): boolean {
    if (!(index in this.#blocks) || bytes.byteLength !== this.#spec.blockBuckets * BUCKET_BYTES) return false
    const stored = viewBlock(bytes, this.#spec.blockBuckets)
    const mine = (this.#blocks[index] ??= makeBlock(this.#spec.blockBuckets))
    for (let at = 0; at < stored.numbers.length; at++) {
      const number = (stored.numbers[at] as number) - 1
      const there = (mine.numbers[at] as number) - 1
      const wins = number > there || (number === there && (stored.counts[at] as number) > (mine.counts[at] as number))
      if (number < 0 || !wins || this.#blockIndex(number) !== index) continue
      for (const column of ['numbers', 'sums', 'mins', 'maxs', 'counts'] as const)
        mine[column][at] = stored[column][at] as number
      this.#note(number)
    }
    return true
  }

  #note(number: number): void {
    if (number > this.newest) this.newest = number
    if (number < this.first) this.first = number
  }

  #blockIndex(number: number): number {
    return Math.floor((number % this.#spec.buckets) / this.#spec.blockBuckets)
  }

  #blockFor(number: number): Block {
    return (this.#blocks[this.#blockIndex(number)] ??= makeBlock(this.#spec.blockBuckets))
  }
}

const makeBlock = (buckets: number): Block => viewBlock(new ArrayBuffer(buckets * BUCKET_BYTES), buckets)

const viewBlock = (bytes: ArrayBuffer, buckets: number): Block => ({
  bytes,
  sums: new Float64Array(bytes, 0, buckets),
  mins: new Float64Array(bytes, buckets * 8, buckets),
  maxs: new Float64Array(bytes, buckets * 16, buckets),
  numbers: new Uint32Array(bytes, buckets * 24, buckets),
  counts: new Uint32Array(bytes, buckets * 28, buckets),
  changed: false,
})

/** Joins buckets that fall into one row, and inserts a row of NaN at gaps. */
export class RowsWriter {
  readonly #rowTicks: number
  readonly #gapTicks: number
  readonly #starts: number[] = []
  readonly #sums: number[] = []
  readonly #mins: number[] = []
  readonly #maxs: number[] = []
  readonly #counts: number[] = []

  constructor(rowTicks: number, gapTicks: number) {
    this.#rowTicks = rowTicks
    this.#gapTicks = gapTicks
  }

  add(startTicks: number, sum: number, min: number, max: number, count: number): void {
    const last = this.#starts.length - 1
    const lastStart = this.#starts[last]
    if (lastStart === startTicks) {
      this.#sums[last] = (this.#sums[last] as number) + sum
      this.#mins[last] = Math.min(this.#mins[last] as number, min)
      this.#maxs[last] = Math.max(this.#maxs[last] as number, max)
      this.#counts[last] = (this.#counts[last] as number) + count
      return
    }
    if (lastStart !== undefined && startTicks - lastStart - this.#rowTicks > this.#gapTicks)
      this.#push(lastStart + this.#rowTicks, Number.NaN, Number.NaN, Number.NaN, 0)
    this.#push(startTicks, sum, min, max, count)
  }

  finish(tierSeconds: number): TierRows {
    return {
      bucketTicks: this.#rowTicks as TickSpan,
      tierSeconds,
      length: this.#starts.length,
      startTicks: Float64Array.from(this.#starts),
      sum: Float64Array.from(this.#sums),
      min: Float64Array.from(this.#mins),
      max: Float64Array.from(this.#maxs),
      count: Float64Array.from(this.#counts),
    }
  }

  #push(startTicks: number, sum: number, min: number, max: number, count: number): void {
    this.#starts.push(startTicks)
    this.#sums.push(sum)
    this.#mins.push(min)
    this.#maxs.push(max)
    this.#counts.push(count)
  }
}

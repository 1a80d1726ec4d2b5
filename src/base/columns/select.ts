const HIGH_BINS = 1 << 16
const LOW_BINS = 1 << 16
/** Maximum number of values kept one by one. Bins take half a megabyte, and small groups are many. */
const FEW_VALUES = 4096

/**
 * Exact nearest-rank quantiles of whole numbers without sorting or copying them. Values below 65,536 (6.5 ms in ticks:
 * most of what a disk does) are counted one by one; larger ones by their high 16 bits, which finds the bin of a quantile,
 * and a second pass over that bin alone finds the value. O(n) per pass.
 */
export class Quantiles {
  #small = NO_BINS
  #high = NO_BINS
  /** The values, as long as there are few; null once they are counted in bins. */
  #few: number[] | null = []
  #count = 0
  #beyond: number[] = []

  /** `value` ≥ 0. Values of 2^32 ticks (429 s) and above are rare and kept one by one. */
  readonly add = (value: number): void => {
    if (this.#few !== null) {
      this.#few.push(value)
      this.#count++
      if (this.#few.length === FEW_VALUES) this.#toBins(this.#few)
    } else this.#addToBin(value)
  }

  #toBins(values: readonly number[]): void {
    this.#few = null
    this.#count = 0
    this.#small = new Uint32Array(LOW_BINS)
    this.#high = new Uint32Array(HIGH_BINS)
    for (const value of values) this.#addToBin(value)
  }

  #addToBin(value: number): void {
    this.#count++
    if (value < LOW_BINS) this.#small[value] = (this.#small[value] as number) + 1
    else if (value > 0xffff_ffff) this.#beyond.push(value)
    else this.#high[value >>> 16] = (this.#high[value >>> 16] as number) + 1
  }

  /** Adds the first `length` values. */
  addAll(values: Float64Array, length: number): void {
    let i = 0
    for (; i < length && this.#few !== null; i++) this.add(values[i] as number)
    const small = this.#small
    for (; i < length; i++) {
      const value = values[i] as number
      if (value < LOW_BINS) {
        small[value] = (small[value] as number) + 1
        this.#count++
      } else this.#addToBin(value)
    }
  }

  get count(): number {
    return this.#count
  }

  /**
   * Value at each share (0 < share ≤ 1) of the sorted values, rank ⌈share·n⌉; NaN without values. `again` must visit
   * the same values once more, at least those of `least` and above. It may be asynchronous, and is called only if
   * needed.
   */
  async resolve(
    shares: readonly number[],
    again: (visit: (value: number) => void, least: number) => Promise<void>,
  ): Promise<number[]> {
    if (this.#count === 0) return shares.map(() => Number.NaN)
    if (this.#few !== null) {
      const sorted = Float64Array.from(this.#few).toSorted()
      return shares.map((share) => sorted[rankOf(share, sorted.length) - 1] as number)
    }
    const beyond = this.#beyond.toSorted((a, b) => a - b)
    const within = this.#count - beyond.length
    const targets = shares.map((share) => {
      const rank = rankOf(share, this.#count)
      return rank > within ? { value: beyond[rank - within - 1] as number } : this.#binOf(rank)
    })
    const bins = new Map<number, Uint32Array>()
    for (const target of targets) if ('bin' in target) bins.set(target.bin, new Uint32Array(LOW_BINS))
    if (bins.size > 0)
      await again(
        (value) => {
          if (value > 0xffff_ffff) return
          const low = value < LOW_BINS ? undefined : bins.get(value >>> 16)
          if (low !== undefined) low[value & 0xffff] = (low[value & 0xffff] as number) + 1
        },
        Math.min(...bins.keys()) * LOW_BINS,
      )
    return targets.map((target) => {
      if ('value' in target) return target.value
      const low = bins.get(target.bin) as Uint32Array
      let left = target.rankInBin
      for (let i = 0; i < LOW_BINS; i++) {
        left -= low[i] as number
        if (left <= 0) return target.bin * LOW_BINS + i
      }
      return Number.NaN
    })
  }

  #binOf(rank: number): { readonly value: number } | { readonly bin: number; readonly rankInBin: number } {
    let left = rank
    for (let value = 0; value < LOW_BINS; value++) {
      left -= this.#small[value] as number
      if (left <= 0) return { value }
    }
    for (let bin = 1; bin < HIGH_BINS; bin++) {
      const count = this.#high[bin] as number
      if (left <= count) return { bin, rankInBin: left }
      left -= count
    }
    return { bin: HIGH_BINS - 1, rankInBin: left }
  }
}

const NO_BINS = new Uint32Array(0)

/** ⌈share·count⌉, 1 … count. */
const rankOf = (share: number, count: number): number => Math.min(count, Math.max(1, Math.ceil(share * count - 1e-9)))

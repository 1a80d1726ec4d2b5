const HIGH_BINS = 1 << 16
const LOW_BINS = 1 << 16

/**
 * Exact nearest-rank quantiles of whole numbers without sorting or copying them: a histogram of the high 16 bits of a
 * 32-bit value finds the bin of each quantile, a second pass over that bin alone finds the value. O(n) per pass.
 */
export class Quantiles {
  readonly #high = new Uint32Array(HIGH_BINS)
  #count = 0
  #beyond: number[] = []

  /** `value` ≥ 0; values of 2^32 and above are few (429 s in ticks) and kept as they are. */
  readonly add = (value: number): void => {
    this.#count++
    if (value > 0xffff_ffff) this.#beyond.push(value)
    else this.#high[value >>> 16] = (this.#high[value >>> 16] as number) + 1
  }

  get count(): number {
    return this.#count
  }

  /**
   * The value at each share (0 < share ≤ 1) of the sorted values, rank ⌈share·n⌉; NaN when there are none.
   * `again` must visit the same values once more; it may take its time.
   */
  async resolve(
    shares: readonly number[],
    again: (visit: (value: number) => void) => Promise<void>,
  ): Promise<number[]> {
    if (this.#count === 0) return shares.map(() => Number.NaN)
    const beyond = this.#beyond.toSorted((a, b) => a - b)
    const within = this.#count - beyond.length
    const targets = shares.map((share) => {
      const rank = Math.min(this.#count, Math.max(1, Math.ceil(share * this.#count - 1e-9)))
      return rank > within ? { value: beyond[rank - within - 1] as number } : this.#binOf(rank)
    })
    const bins = new Map<number, Uint32Array>()
    for (const target of targets) if ('bin' in target) bins.set(target.bin, new Uint32Array(LOW_BINS))
    if (bins.size > 0)
      await again((value) => {
        if (value > 0xffff_ffff) return
        const low = bins.get(value >>> 16)
        if (low !== undefined) low[value & 0xffff] = (low[value & 0xffff] as number) + 1
      })
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

  #binOf(rank: number): { bin: number; rankInBin: number } {
    let left = rank
    for (let bin = 0; bin < HIGH_BINS; bin++) {
      const count = this.#high[bin] as number
      if (left <= count) return { bin, rankInBin: left }
      left -= count
    }
    return { bin: HIGH_BINS - 1, rankInBin: left }
  }
}

import { bisectNumbers, bisectRight } from '../../../base/columns/bisect.ts'

/**
 * Maximum number of runs. When it is reached, the resolution of the older half is halved, so that a thread that changes
 * for hours needs limited memory.
 */
const MOST_RUNS = 20_000

/**
 * Samples of one figure over time, as runs of equal values, so that an idle thread needs almost no memory. Times
 * ascend; a run is valid from its start to its end, both included.
 */
export class Runs {
  #length = 0
  #from = new Float64Array(64)
  #to = new Float64Array(64)
  #value = new Float64Array(64)

  get length(): number {
    return this.#length
  }

  get byteLength(): number {
    return this.#from.byteLength * 3
  }

  /**
   * Adds a sample if it is newer than the last one. It extends the last run if the value is equal and the distance at
   * most `holdTicks`.
   */
  add(atTicks: number, value: number, holdTicks: number): void {
    const last = this.#length - 1
    if (last >= 0) {
      if (!(atTicks > (this.#to[last] as number))) return
      const near = atTicks - (this.#to[last] as number) <= holdTicks
      if (near && this.#value[last] === value) {
        this.#to[last] = atTicks
        return
      }
    }
    if (this.#length === MOST_RUNS) this.#thin()
    if (this.#length === this.#from.length) this.#grow()
    const at = this.#length++
    this.#from[at] = atTicks
    this.#to[at] = atTicks
    this.#value[at] = value
  }

  /** Largest value in [startTicks, endTicks), if each sample is valid for `holdTicks`; NaN: there is none. */
  most(startTicks: number, endTicks: number, holdTicks: number): number {
    let most = Number.NaN
    for (let at = this.#firstAfter(startTicks - holdTicks); at < this.#length; at++) {
      if ((this.#from[at] as number) >= endTicks) break
      const value = this.#value[at] as number
      if (!(most >= value)) most = value
    }
    return most
  }

  /** Newest value at or before `atTicks` that is not older than `holdTicks`; NaN: there is none. */
  at(atTicks: number, holdTicks: number): number {
    const run = bisectRight(this.#from, atTicks, this.#length) - 1
    if (run < 0 || atTicks - (this.#to[run] as number) > holdTicks) return Number.NaN
    return this.#value[run] as number
  }

  /** First run that ends at or after `ticks`. */
  #firstAfter(ticks: number): number {
    return bisectNumbers(this.#to, ticks, this.#length)
  }

  /** Merges pairs of runs in the older half; the larger of two values is kept. */
  #thin(): void {
    const half = MOST_RUNS / 2
    const pairs = half / 2
    for (let i = 0; i < pairs; i++) {
      this.#from[i] = this.#from[2 * i] as number
      this.#to[i] = this.#to[2 * i + 1] as number
      this.#value[i] = Math.max(this.#value[2 * i] as number, this.#value[2 * i + 1] as number)
    }
    for (const column of [this.#from, this.#to, this.#value]) column.copyWithin(pairs, half, this.#length)
    this.#length -= half - pairs
  }

  #grow(): void {
    const wider = (values: Float64Array): Float64Array<ArrayBuffer> => {
      const copy = new Float64Array(values.length * 2)
      copy.set(values)
      return copy
    }
    this.#from = wider(this.#from)
    this.#to = wider(this.#to)
    this.#value = wider(this.#value)
  }
}

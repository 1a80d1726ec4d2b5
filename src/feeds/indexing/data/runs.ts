import { bisectNumbers, bisectRight } from '../../../base/columns/bisect.ts'

/** Runs that are kept; then the oldest half is made half as fine, so that hours of a restless thread stay bounded. */
const MOST_RUNS = 20_000

/**
 * Samples of one figure over time, as runs of equal values: a thread that does nothing costs nothing.
 * Times ascend; each run holds from its start to its end, both included.
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

  /** A sample; one that is not newer than the last is left out. Runs whose samples lie within `holdTicks` are one. */
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

  /** Largest value held in [startTicks, endTicks), each sample holding for `holdTicks`; NaN: none. */
  most(startTicks: number, endTicks: number, holdTicks: number): number {
    let most = Number.NaN
    for (let at = this.#firstAfter(startTicks - holdTicks); at < this.#length; at++) {
      if ((this.#from[at] as number) >= endTicks) break
      const value = this.#value[at] as number
      if (!(most >= value)) most = value
    }
    return most
  }

  /** The newest value at or before `atTicks`, when it is not older than `holdTicks`; NaN: none. */
  at(atTicks: number, holdTicks: number): number {
    const run = bisectRight(this.#from, atTicks, this.#length) - 1
    if (run < 0 || atTicks - (this.#to[run] as number) > holdTicks) return Number.NaN
    return this.#value[run] as number
  }

  /** First run that ends at or after `ticks`. */
  #firstAfter(ticks: number): number {
    return bisectNumbers(this.#to, ticks, this.#length)
  }

  /** Joins pairs of the older half; of two values the larger stays. */
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

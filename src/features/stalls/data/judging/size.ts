import { durationOf, type Lane } from './events.ts'
import { medianOf, quantileOf } from './statistics.ts'

/** Writes of about the same size, at least. */
const ENOUGH_PEERS = 4
/** Their duration for each byte must agree within this factor (median deviation), or it is not the size that decides. */
const AGREE = Math.log(1.5)
/** Beyond this factor the fastest of them (a twentieth) show that the size does not decide. */
const FASTER = Math.log(2.2)
/** A write that took at most so many times as long as its peers was not held up by anything else. */
const TOLERATED = 1.8
/** Small writes cost what any write costs; their size explains nothing. */
const LEAST_BYTES = 64 * 1024
/** Peers that are looked at. */
const PEERS_MOST = 400
/** Of smaller writes so many of a lane are taken, evenly; of these and larger ones all. */
const SAMPLE = 50_000
const LARGE_BYTES = 1 << 20

/** Journal writes of lanes by size, to know how long a write of a size takes. */
export class SizePeers {
  readonly #bytes: Float64Array
  readonly #durations: Float64Array

  constructor(lanes: readonly Lane[]) {
    const rows: (readonly [bytes: number, durationMs: number])[] = []
    for (const { writes } of lanes) {
      const step = Math.max(1, Math.floor(writes.start.length / SAMPLE))
      for (let row = 0; row < writes.start.length; row++) {
        const bytes = writes.bytes[row] as number
        if (bytes >= LARGE_BYTES || (bytes >= LEAST_BYTES / 4 && row % step === 0))
          rows.push([bytes, durationOf(writes, row)])
      }
    }
    rows.sort((a, b) => a[0] - b[0])
    this.#bytes = Float64Array.from(rows, ([bytes]) => bytes)
    this.#durations = Float64Array.from(rows, ([, durationMs]) => durationMs)
  }

  /**
   * How long its peers took for as many bytes, ms: writes of half to twice its size, the write itself left out. Null:
   * too few of them, or they do not agree.
   */
  expectedMs(bytes: number, ownMs: number): number | null {
    if (bytes < LEAST_BYTES) return null
    for (const factor of [1.5, 2, 4]) {
      const expected = this.#expected(bytes, ownMs, factor)
      if (expected !== undefined) return expected
    }
    return null
  }

  #expected(bytes: number, ownMs: number, factor: number): number | null | undefined {
    const from = lowerBound(this.#bytes, bytes / factor)
    const to = lowerBound(this.#bytes, bytes * factor + 1)
    if (to - from < ENOUGH_PEERS + 1) return undefined
    const step = Math.max(1, Math.floor((to - from) / PEERS_MOST))
    const rates: number[] = []
    let isLeftOut = false
    for (let i = from; i < to; i += step) {
      const [size, ms] = [this.#bytes[i] as number, this.#durations[i] as number]
      if (!isLeftOut && size === bytes && ms === ownMs) {
        isLeftOut = true
        continue
      }
      rates.push(Math.log(Math.max(ms, 0.001) / size))
    }
    const middle = medianOf(rates)
    const deviation = medianOf(rates.map((rate) => Math.abs(rate - middle)))
    // Some that are much faster: the device can, and a limit slows the others.
    const isFaster = middle - quantileOf(rates, 0.05) > FASTER
    return deviation <= AGREE && !isFaster ? Math.exp(middle) * bytes : null
  }

  /** Whether a write of this size would have taken about as long anyway. */
  explains(bytes: number, durationMs: number, stallMs: number): boolean {
    const expected = this.expectedMs(bytes, durationMs)
    return expected !== null && expected >= stallMs / TOLERATED && durationMs <= TOLERATED * expected
  }
}

function lowerBound(values: Float64Array, at: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) < at) low = middle + 1
    else high = middle
  }
  return low
}

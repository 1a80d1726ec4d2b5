import { RowsWriter } from '../../../base/columns/series-tiers.ts'
import { TICKS_PER_MS, TICKS_PER_SECOND, type Ticks, type TimeRange } from '../../../base/ticks.ts'
import type { SeriesInfo, SeriesRows } from '../../../feeds/server/contract.ts'

/** Number of sample intervals without a sample after which there is a gap. */
const GAP_BEATS = 3.5

/** Samples of a figure. Hours may be added in any order. */
export class Samples {
  readonly info: SeriesInfo
  #ticks = new Float64Array()
  #values = new Float64Array()
  /** Times of samples that are not merged yet. */
  #newTicks: number[] = []
  #newValues: number[] = []

  constructor(info: SeriesInfo) {
    this.info = info
  }

  get byteLength(): number {
    return this.#ticks.byteLength + this.#values.byteLength + this.#newTicks.length * 16
  }

  /** Range from the first to the last sample; null: there are none. */
  get extent(): TimeRange | null {
    this.#settle()
    const [first] = this.#ticks
    const last = this.#ticks.at(-1)
    return first === undefined || last === undefined ? null : { startTicks: first as Ticks, endTicks: last as Ticks }
  }

  /** The last sample at or before a moment; null: there is none. */
  newest(untilTicks: Ticks): { readonly atTicks: Ticks; readonly value: number } | null {
    this.#settle()
    const at = lowerBound(this.#ticks, untilTicks + 1) - 1
    return at < 0 ? null : { atTicks: this.#ticks[at] as Ticks, value: this.#values[at] as number }
  }

  /** Samples ascending by time, in parts of at most `rows`. */
  *parts(rows: number): Generator<{ readonly ticks: readonly number[]; readonly values: readonly number[] }> {
    this.#settle()
    for (let from = 0; from < this.#ticks.length; from += rows)
      yield {
        ticks: [...this.#ticks.subarray(from, from + rows)],
        values: [...this.#values.subarray(from, from + rows)],
      }
  }

  add(atTicks: number, value: number): void {
    this.#newTicks.push(atTicks)
    this.#newValues.push(value)
  }

  /** Buckets of a range, as in `server.series`. */
  rows({ startTicks, endTicks }: TimeRange, maxPoints: number): SeriesRows {
    this.#settle()
    const beatTicks = this.info.everyMs * TICKS_PER_MS
    const seconds = Math.max(1, Math.ceil((endTicks - startTicks) / Math.max(1, maxPoints) / TICKS_PER_SECOND))
    const rowTicks = seconds * TICKS_PER_SECOND
    const writer = new RowsWriter(rowTicks, GAP_BEATS * beatTicks)
    const first = Math.floor(startTicks / rowTicks) * rowTicks
    for (let at = lowerBound(this.#ticks, first); at < this.#ticks.length; at++) {
      const ticks = this.#ticks[at] as number
      if (ticks >= endTicks) break
      const value = this.#values[at] as number
      writer.add(Math.floor(ticks / rowTicks) * rowTicks, value, value, value, 1)
    }
    const { sum, ...rest } = writer.finish(seconds)
    return { key: this.info.key, ...rest, mean: sum.map((value, row) => value / (rest.count[row] as number)) }
  }

  /** Merges new samples: ascending, one per moment, because an hour may be opened twice. */
  #settle(): void {
    if (this.#newTicks.length === 0) return
    const fresh = inOrder(this.#newTicks, this.#newValues)
    const length = this.#ticks.length + fresh.ticks.length
    const ticks = new Float64Array(length)
    const values = new Float64Array(length)
    let [old, own, to] = [0, 0, 0]
    while (old < this.#ticks.length || own < fresh.ticks.length) {
      const oldTicks = this.#ticks[old] ?? Number.POSITIVE_INFINITY
      const ownTicks = fresh.ticks[own] ?? Number.POSITIVE_INFINITY
      const isOld = oldTicks < ownTicks
      const next = isOld ? oldTicks : ownTicks
      // The sample that was added later replaces the earlier one.
      if (to > 0 && ticks[to - 1] === next) to--
      ticks[to] = next
      values[to++] = (isOld ? this.#values[old++] : fresh.values[own++]) as number
      if (oldTicks === ownTicks) old++
    }
    this.#ticks = ticks.slice(0, to)
    this.#values = values.slice(0, to)
    this.#newTicks = []
    this.#newValues = []
  }
}

/** Sorts samples by time. Stable. */
function inOrder(
  ticks: readonly number[],
  values: readonly number[],
): { readonly ticks: ArrayLike<number>; readonly values: ArrayLike<number> } {
  if (ticks.every((each, at) => at === 0 || (ticks[at - 1] as number) <= each)) return { ticks, values }
  const order = Uint32Array.from(ticks, (_, at) => at).toSorted(
    (a, b) => (ticks[a] as number) - (ticks[b] as number) || a - b,
  )
  return {
    ticks: Float64Array.from(order, (at) => ticks[at] as number),
    values: Float64Array.from(order, (at) => values[at] as number),
  }
}

/** Index of the first value that is at least `least`. */
function lowerBound(values: Float64Array, least: number): number {
  let [from, to] = [0, values.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((values[middle] as number) < least) from = middle + 1
    else to = middle
  }
  return from
}

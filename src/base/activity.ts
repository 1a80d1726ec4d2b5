import { TICKS_PER_SECOND } from './ticks.ts'

const SECONDS_PER_PAGE = 4096
/** Longest event whose every second is marked; of a longer one only the two ends are. */
const MAX_SECONDS = 3600

/** Records which seconds had any event: one bit a second, in pages, so that years without events take no memory. */
class Activity {
  readonly pages = new Map<number, Uint32Array>()
  /** Every second of [from, to) is already marked. Most events fall into the second of the one before. */
  #markedFromTicks = Number.NaN
  #markedToTicks = Number.NaN

  /** Marks every second that [startTicks, endTicks] touches. */
  add(startTicks: number, endTicks: number): void {
    if (startTicks >= this.#markedFromTicks && endTicks < this.#markedToTicks) return
    const first = Math.floor(startTicks / TICKS_PER_SECOND)
    const last = Math.max(first, Math.floor(endTicks / TICKS_PER_SECOND))
    if (last - first > MAX_SECONDS) {
      this.#mark(first)
      this.#mark(last)
      return
    }
    for (let second = first; second <= last; second++) this.#mark(second)
    this.#markedFromTicks = first * TICKS_PER_SECOND
    this.#markedToTicks = (last + 1) * TICKS_PER_SECOND
  }

  #mark(second: number): void {
    const page = Math.floor(second / SECONDS_PER_PAGE)
    let bits = this.pages.get(page)
    if (bits === undefined) this.pages.set(page, (bits = new Uint32Array(SECONDS_PER_PAGE / 32)))
    const at = second - page * SECONDS_PER_PAGE
    bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
  }

  get byteLength(): number {
    return this.pages.size * (SECONDS_PER_PAGE / 8)
  }
}

/** Which seconds had any event of each source. */
export class Activities {
  readonly #bySource = new Map<string, Activity>()

  of(source: string): Pick<Activity, 'add'> {
    let activity = this.#bySource.get(source)
    if (activity === undefined) this.#bySource.set(source, (activity = new Activity()))
    return activity
  }

  /**
   * Ranges of at least `minTicks` in which none of the sources had an event, between the first and last second of any:
   * start, end …, ascending.
   */
  idle(minTicks: number, sources: readonly string[]): Float64Array {
    const all = sources.flatMap((source) => this.#bySource.get(source) ?? [])
    const numbers = [...new Set(all.flatMap(({ pages }) => [...pages.keys()]))].toSorted((a, b) => a - b)
    const spans: number[] = []
    let lastActive: number | null = null
    for (const page of numbers) {
      const parts = all.flatMap(({ pages }) => pages.get(page) ?? [])
      for (let word = 0; word < SECONDS_PER_PAGE / 32; word++) {
        const value = parts.reduce((bits, part) => bits | (part[word] as number), 0)
        if (value === 0) continue
        for (let bit = 0; bit < 32; bit++) {
          if ((value & (1 << bit)) === 0) continue
          const second = page * SECONDS_PER_PAGE + word * 32 + bit
          if (
            lastActive !== null &&
            (second - lastActive - 1) * TICKS_PER_SECOND >= minTicks &&
            second > lastActive + 1
          )
            spans.push((lastActive + 1) * TICKS_PER_SECOND, second * TICKS_PER_SECOND)
          lastActive = second
        }
      }
    }
    return Float64Array.from(spans)
  }

  get byteLength(): number {
    let bytes = 0
    for (const activity of this.#bySource.values()) bytes += activity.byteLength
    return bytes
  }
}

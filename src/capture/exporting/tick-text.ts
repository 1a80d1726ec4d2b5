import { formatTicks, type Ticks, TICKS_PER_SECOND } from '../../base/ticks.ts'

/** `formatTicks` for rows in order of time: formats the second once for all rows within it. */
export class TickText {
  #secondTicks = Number.NaN
  #prefix = ''

  of(ticks: number): string {
    const fraction = ticks - this.#secondTicks
    if (!(fraction >= 0 && fraction < TICKS_PER_SECOND)) {
      this.#secondTicks = Math.floor(ticks / TICKS_PER_SECOND) * TICKS_PER_SECOND
      this.#prefix = formatTicks(this.#secondTicks as Ticks).slice(0, -'0000000Z'.length)
      return this.of(ticks)
    }
    return `${this.#prefix}${String(fraction).padStart(7, '0')}Z`
  }
}

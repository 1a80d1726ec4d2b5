import { type Ticks, TICKS_PER_SECOND } from '../base/ticks.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { FIGURES, FIGURES_OF_DETAILS } from '../capture/archive/tables.ts'
import type { ServerGap } from '../feeds/server/contract.ts'
import { figureCoverages, figureGapRecord } from '../feeds/server/data/archive-records.ts'
import type { ServerFeed } from '../feeds/server/data/feed.ts'
import { wordsOfLoss } from './taps.ts'

type Take = (record: ArchiveRecord) => void

/** Age from which the reason of a gap is final: evidence for it comes with the next response. */
const SETTLED_TICKS = 10 * TICKS_PER_SECOND
const ALL_TIME = { startTicks: Number.NEGATIVE_INFINITY as Ticks, endTicks: Number.POSITIVE_INFINITY as Ticks }

/** Takes each gap of the server's figures once, as soon as its reason is known. */
export class FigureGapTap {
  /** Ends of the last gaps taken, by lane. */
  readonly #untilTicks = new Map<string, number>()
  #model: ServerFeed['model'] | null = null
  #isFirst = true
  /** Start of the first gap in the figures that is not taken yet. */
  #openTicks: number | null = null

  /** `withOpen`: take gaps that have not ended as well, up to now. */
  take({ model }: Pick<ServerFeed, 'model'>, nowTicks: Ticks, take: Take, withOpen = false): void {
    if (this.#model !== null && this.#model !== model) this.#isFirst = false
    this.#model = model
    this.#openTicks = null
    for (const [lane, coverage] of figureCoverages(model)) {
      // If the clock was set back, times before the last end are new ones.
      if ((this.#untilTicks.get(lane) ?? nowTicks) > nowTicks) this.#untilTicks.delete(lane)
      const until = this.#untilTicks.get(lane) ?? Number.NEGATIVE_INFINITY
      const gaps = coverage.gaps(ALL_TIME, lane === FIGURES_OF_DETAILS, withOpen ? nowTicks : null)
      for (const gap of gaps.filter(({ endTicks }) => endTicks > until)) {
        if (!withOpen && gap.endTicks > nowTicks - SETTLED_TICKS) {
          if (lane === FIGURES) this.#openTicks = gap.startTicks
          break
        }
        this.#untilTicks.set(lane, gap.endTicks)
        take(figureGapRecord(lane, this.#inWords(gap)))
      }
    }
  }

  /** Time up to which figures of the model last taken are known, or are in a gap that was taken; null: there are none. */
  get knownTicks(): Ticks | null {
    const last = this.#model?.coverage.spans.at(-1)?.endTicks
    // A new model has nothing yet, and the last gap may have ended long before the figures of the model before it.
    if (last === undefined) return null
    return (this.#openTicks ?? Math.max(last, this.#untilTicks.get(FIGURES) ?? last)) as Ticks
  }

  #inWords({ startTicks, endTicks, reason, detail }: ServerGap) {
    if (reason !== 'worker-restarted') return { startTicks, endTicks, reason, detail }
    return { startTicks, endTicks, reason: 'not-watched' as const, detail: wordsOfLoss(this.#isFirst) }
  }
}

import { Observed } from '../../../base/observed.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { beginWork } from '../../../charts/timeline/settle.ts'

/** A drag moves charts at once, and the shared view (address, other panels) when it has rested for so long, ms. */
const COMMIT_MS = 150
/**
 * Interval at which all but charts follows a movement, ms: each time costs some 20 ms, most of it layout and painting.
 */
const CALM_MS = 500

/** A range that the shared view does not have yet. */
export interface Draft {
  readonly range: TimeRange
  /** Range of the shared view when the draft was made: once that moves on, the draft is history. */
  readonly base: TimeRange | null
}

/**
 * The range in view while it moves. Charts follow each move; the panel around them follows the first at once, later ones
 * every 500 ms, and the last always: rendering a panel for each frame costs several times what drawing its chart does.
 */
export class RangeMotion {
  readonly #draft = new Observed<Draft | null>(null)
  readonly #calm = new Observed<Draft | null>(null)
  #calmDueMs = Number.NEGATIVE_INFINITY
  #calmTimer: ReturnType<typeof setTimeout> | undefined
  #commitTimer: ReturnType<typeof setTimeout> | undefined
  #endWork: (() => void) | null = null

  /** The newest; null: nothing moves. */
  readonly draft = this.#draft.get
  readonly calmDraft = this.#calm.get

  readonly subscribe = this.#draft.subscribe
  readonly subscribeCalm = this.#calm.subscribe

  /** `commit` is called once it rests. */
  move(draft: Draft, commit: (range: TimeRange) => void): void {
    clearTimeout(this.#commitTimer)
    this.#commitTimer = setTimeout(() => {
      commit(draft.range)
      this.stop()
    }, COMMIT_MS)
    this.#endWork ??= beginWork()
    this.#draft.set(draft)
    const waitMs = this.#calmDueMs - performance.now()
    if (waitMs <= 0) this.#showCalm()
    else this.#calmTimer ??= setTimeout(() => this.#showCalm(), waitMs)
  }

  /** Drops the draft, also one that was not committed. */
  readonly stop = (): void => {
    clearTimeout(this.#commitTimer)
    this.#endWork?.()
    this.#endWork = null
    if (this.draft() === null) return
    this.#draft.set(null)
    this.#showCalm()
  }

  #showCalm(): void {
    clearTimeout(this.#calmTimer)
    this.#calmTimer = undefined
    this.#calmDueMs = performance.now() + CALM_MS
    this.#calm.set(this.draft())
  }
}

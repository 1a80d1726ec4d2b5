import { Observed } from '../../../base/observed.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { beginWork } from '../../../charts/timeline/settle.ts'

/** Time without movement, ms, after which a drag changes the shared view; charts follow at once. */
const COMMIT_MS = 150
/** Interval, ms, at which all but charts follows a movement; each update costs some 20 ms. */
const CALM_MS = 500

/** A range that the shared view does not have yet. */
export interface Draft {
  readonly range: TimeRange
  /** Range of the shared view when the draft was made; if that changes, the draft is outdated. */
  readonly base: TimeRange | null
}

/**
 * The range in view during a movement. Charts follow each step. The panel around them follows the first step at once,
 * later ones every 500 ms, and always the last one: rendering a panel in each frame costs several times as much as
 * drawing its chart.
 */
export class RangeMotion {
  readonly #draft = new Observed<Draft | null>(null)
  readonly #calm = new Observed<Draft | null>(null)
  #calmDueMs = Number.NEGATIVE_INFINITY
  #calmTimer: ReturnType<typeof setTimeout> | undefined
  #commitTimer: ReturnType<typeof setTimeout> | undefined
  #endWork: (() => void) | null = null

  /** The newest draft; null: no movement. */
  readonly draft = this.#draft.get
  readonly calmDraft = this.#calm.get

  readonly subscribe = this.#draft.subscribe
  readonly subscribeCalm = this.#calm.subscribe

  /** Calls `commit` when the movement has ended. */
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

  /** Drops the draft, even if it was not committed. */
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

import { Observed } from '../../base/observed.ts'
import type { ActionCall } from '../model.ts'

/** Several calls of which some are yet to be sent. */
export interface Queue {
  readonly title: string
  readonly begun: number
  readonly calls: readonly ActionCall[]
  /** Sends no more of them. */
  readonly stop: () => void
}

/** Queues of the page. */
export class Queues {
  readonly #all = new Observed<readonly Queue[]>([])

  readonly getSnapshot = this.#all.get
  readonly subscribe = this.#all.subscribe

  /** Puts it in the place of the one before; null: that is over. */
  replace(before: Queue | null, now: Queue | null): void {
    const others = this.getSnapshot().filter((each) => each !== before)
    this.#all.set(now === null ? others : [...others, now])
  }
}

import { Observed } from '../../base/observed.ts'
import type { ActionCall } from '../model.ts'

/** A group of calls that are not all sent yet. */
export interface Queue {
  readonly title: string
  readonly begun: number
  readonly calls: readonly ActionCall[]
  /** Stops before the next call. */
  readonly stop: () => void
}

/** All groups of the page. */
export class Queues {
  readonly #all = new Observed<readonly Queue[]>([])

  readonly getSnapshot = this.#all.get
  readonly subscribe = this.#all.subscribe

  /** Replaces a group by its next state; null: it has ended. */
  replace(before: Queue | null, now: Queue | null): void {
    const others = this.getSnapshot().filter((each) => each !== before)
    this.#all.set(now === null ? others : [...others, now])
  }
}

import type { JsonObject } from '../../../../base/json/check.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { isRunning, readOperationChanged, type Operation } from '../../../../ravendb/operations-wire.ts'

const MOST_OPERATIONS = 50

interface Kept {
  readonly frame: JsonObject
  readonly atTicks: Ticks
  /** Whether it was reported on the connection that is open, on which the server reports it until it ends. */
  readonly isFollowed: boolean
}

/** An operation of the server itself, as it was reported last. */
export interface ReportedOperation extends Pick<Kept, 'atTicks' | 'isFollowed'> {
  readonly operation: Operation
}

/** Operations of the server itself, by id: the newest frame of each, at most 50. A restart forgets them and counts from 1 again. */
export class ServerOperations {
  readonly #newest = new Map<number, Kept>()

  take(id: number, frame: JsonObject, atTicks: Ticks): void {
    this.#newest.delete(id)
    this.#newest.set(id, { frame, atTicks, isFollowed: true })
    const oldest = this.#newest.keys().next().value
    if (this.#newest.size > MOST_OPERATIONS && oldest !== undefined) this.#newest.delete(oldest)
  }

  /** The server begins with every operation that runs: one that it does not report again has ended unseen. */
  reconnected(): void {
    for (const [id, kept] of this.#newest) this.#newest.set(id, { ...kept, isFollowed: false })
  }

  restarted(): void {
    this.#newest.clear()
  }

  /** Oldest report first. */
  get frames(): readonly JsonObject[] {
    return Array.from(this.#newest.values(), ({ frame }) => frame)
  }

  /** Errors: `ParseError`. */
  get all(): readonly ReportedOperation[] {
    return Array.from(this.#newest.values(), ({ frame, atTicks, isFollowed }) => {
      const operation = readOperationChanged(frame)
      return { operation, atTicks, isFollowed: isFollowed && isRunning(operation) }
    })
  }
}

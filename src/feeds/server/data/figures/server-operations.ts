import type { JsonObject } from '../../../../base/json/check.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { isRunning, readOperationChanged, type Operation } from '../../../../ravendb/operations-wire.ts'

const MOST_OPERATIONS = 50

interface Kept {
  readonly frame: JsonObject
  readonly atTicks: Ticks
  /**
   * Whether it was reported on the connection that is open now; the server reports an operation there until it ends.
   */
  readonly isFollowed: boolean
}

/** Operation of the server itself, as last reported. */
export interface ReportedOperation extends Pick<Kept, 'atTicks' | 'isFollowed'> {
  readonly operation: Operation
}

/**
 * Operations of the server itself, by id: the newest frame of each, at most 50. After a restart the server forgets them
 * and counts from 1 again.
 */
export class ServerOperations {
  readonly #newest = new Map<number, Kept>()

  take(id: number, frame: JsonObject, atTicks: Ticks): void {
    this.#newest.delete(id)
    this.#newest.set(id, { frame, atTicks, isFollowed: true })
    const oldest = this.#newest.keys().next().value
    if (this.#newest.size > MOST_OPERATIONS && oldest !== undefined) this.#newest.delete(oldest)
  }

  /**
   * Called when the connection opens again. The server then reports all running operations; one that it does not report
   * has ended unseen.
   */
  reconnected(): void {
    for (const [id, kept] of this.#newest) this.#newest.set(id, { ...kept, isFollowed: false })
  }

  restarted(): void {
    this.#newest.clear()
  }

  /** Newest frame of each operation, the oldest report first. */
  get frames(): readonly JsonObject[] {
    return Array.from(this.#newest.values(), ({ frame }) => frame)
  }

  /** Newest report of each operation, the oldest first. Errors: `ParseError`. */
  get all(): readonly ReportedOperation[] {
    return Array.from(this.#newest.values(), ({ frame, atTicks, isFollowed }) => {
      const operation = readOperationChanged(frame)
      return { operation, atTicks, isFollowed: isFollowed && isRunning(operation) }
    })
  }
}

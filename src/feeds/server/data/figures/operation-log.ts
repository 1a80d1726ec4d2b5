import type { Ticks } from '../../../../base/ticks.ts'
import type { Operation } from '../../../../ravendb/operations-wire.ts'
import type { DatabaseWork } from '../wire/work-wire.ts'

/** Progress of an operation at one time. */
export interface OperationReading {
  readonly atTicks: Ticks
  readonly processed: number | null
  readonly batches: number | null
}

/** Operation of a database, with its progress while it ran, ascending. */
export interface LoggedOperation {
  /** Operation as last listed. */
  readonly newest: Operation & { readonly database: string; readonly startTicks: Ticks }
  readonly readTicks: Ticks
  /** Whether it was running at that time. */
  readonly isRunning: boolean
  readonly readings: readonly OperationReading[]
}

const MOST_OPERATIONS = 200
/** Maximum number of readings of an operation: four hours at one per 20 s. */
const MOST_READINGS = 720
/** Maximum number of merger times of a database: two per reading. */
const MOST_TIMES = 2 * MOST_READINGS
/** Operations of databases in which other clients write, and the times of their transaction mergers. Bounded. */
export class OperationLog {
  readonly #operations = new Map<string, LoggedOperation>()
  readonly #times = new Map<string, DatabaseWork['mergerTimes']>()

  /** Operations in the order in which they were first seen. */
  get all(): readonly LoggedOperation[] {
    return [...this.#operations.values()]
  }

  /** Times of the transaction merger of a database, ascending. */
  times(database: string): DatabaseWork['mergerTimes'] {
    return this.#times.get(database) ?? []
  }

  take(database: string, { operations, mergerTimes }: DatabaseWork): void {
    if (operations === null) return
    const { atTicks: readTicks, running, ended } = operations
    for (const operation of running) this.#note(database, operation, readTicks, true)
    for (const operation of ended) this.#note(database, operation, readTicks, false)
    if (running.length === 0 && !this.#times.has(database)) return
    const before = this.times(database)
    const last = before.at(-1)?.atTicks ?? Number.NEGATIVE_INFINITY
    this.#times.set(database, [...before, ...mergerTimes.filter(({ atTicks }) => atTicks > last)].slice(-MOST_TIMES))
  }

  #note(database: string, operation: Operation, atTicks: Ticks, isRunning: boolean): void {
    const { startTicks, processed, batches } = operation
    if (startTicks === null) return
    const key = `${String(startTicks)}|${String(operation.id)}|${database}`
    const before = this.#operations.get(key)?.readings ?? []
    const readings = isRunning ? [...before, { atTicks, processed, batches }] : before
    this.#operations.set(key, {
      newest: { ...operation, database, startTicks },
      readTicks: atTicks,
      isRunning,
      readings: readings.slice(-MOST_READINGS),
    })
    if (this.#operations.size > MOST_OPERATIONS) this.#dropOne()
  }

  /**
   * Drops the oldest operation that has ended; if all are running, the oldest one. A long operation thus keeps its
   * readings.
   */
  #dropOne(): void {
    const [dropped] = [...this.#operations].find(([, { isRunning }]) => !isRunning) ?? [...this.#operations][0] ?? []
    if (dropped === undefined) return
    const database = this.#operations.get(dropped)?.newest.database
    this.#operations.delete(dropped)
    if (database !== undefined && !this.all.some(({ newest }) => newest.database === database))
      this.#times.delete(database)
  }
}

import type { Ticks } from '../../../base/ticks.ts'

/** Result of a check that the user started. */
export interface ServerCheck {
  readonly atTicks: Ticks
  /** Number of responses received. */
  readonly responses: number
  /** Number of loaded databases that got requests, at most 50. */
  readonly databases: number
  /** Number of databases without requests: they are not loaded, or exceed that limit. */
  readonly skipped: number
  readonly failed: readonly { readonly entry: string; readonly message: string }[]
}

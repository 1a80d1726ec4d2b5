import type { Ticks } from '../../../base/ticks.ts'

/** Result of a check that the user began. */
export interface ServerCheck {
  readonly atTicks: Ticks
  /** Responses that came. */
  readonly responses: number
  /** Loaded databases that were requested, at most 50. */
  readonly databases: number
  /** Databases that were left alone: they are not loaded, or beyond that number. */
  readonly skipped: number
  readonly failed: readonly { readonly entry: string; readonly message: string }[]
}

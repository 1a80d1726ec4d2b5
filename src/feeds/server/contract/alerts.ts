import type { Ticks } from '../../../base/ticks.ts'

/**
 * Name, in `Lacking.what`, of the server's own alerts. Without the right for them the server omits them and reports no
 * error.
 */
export const SERVER_ALERTS = 'alerts of the server'

/** Alert in the server's own words: text, never markup. Lists have at most 500 alerts, newest first. */
export interface ServerAlert {
  readonly id: string
  readonly createdTicks: Ticks | null
  /** `AlertRaised`, `PerformanceHint`, … */
  readonly type: string
  /** Kind of the alert: `Reason` on 7.1, `AlertType` before; null: not reported. */
  readonly kind: string | null
  /** `Info`, `Success`, `Warning`, `Error`, or another value that the server reported. */
  readonly severity: string
  readonly title: string
  readonly message: string | null
  readonly database: string | null
  /** Set for an alert of the database itself, which is on its page and not among those of the server. */
  readonly isOfDatabase?: true
  /** Beginning of the .NET exception that caused it; null: none. */
  readonly exception: string | null
}

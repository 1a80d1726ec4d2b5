import type { Ticks } from '../../../base/ticks.ts'

/** `what` of the server's own alerts, which it leaves out without refusing. */
export const SERVER_ALERTS = 'alerts of the server'

/** Newest first, at most 500. As the server words them: text, never markup. */
export interface ServerAlert {
  readonly id: string
  readonly createdTicks: Ticks | null
  /** `AlertRaised`, `PerformanceHint`, … */
  readonly type: string
  /** The kind: `Reason` on 7.1, `AlertType` before; null: not reported. */
  readonly kind: string | null
  /** `Info`, `Success`, `Warning`, `Error`, or what the server reported. */
  readonly severity: string
  readonly title: string
  readonly message: string | null
  readonly database: string | null
  /** The beginning of the .NET exception behind it; null: none. */
  readonly exception: string | null
}

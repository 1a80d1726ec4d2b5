import type { Page } from '@playwright/test'
import type { Report } from './report.ts'
import type { HealthWatch } from './watch.ts'

/** Audit of one panel: its figures are read for so long, and compared with independent sources. */
export interface Visit {
  readonly page: Page
  readonly report: Report
  /** Everything, or what is quick and the same on all versions. */
  readonly isWhole: boolean
  readonly seconds: number
  /** Looks at each reading for what it says of the server's health. */
  readonly health: HealthWatch
}

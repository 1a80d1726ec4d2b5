import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { LinkParams, PanelId } from '../../../capture/client/panels.ts'

/** Finding as far as a log keeps it. */
export interface NotedFinding {
  /** Rule and what it is about: stable while the thing lasts. */
  readonly id: string
  readonly rule: string
  /** `critical`: users are affected or data is at risk. `warning`: will be, or performance suffers. */
  readonly level: 'critical' | 'warning' | 'info'
  /** Text in one plain sentence. */
  readonly title: string
  /** The text when it is over; absent: the title. */
  readonly past?: string
  /** When it began; `sinceIsBound`: at the latest, because it was so already when looking began. */
  readonly sinceTicks: Ticks | null
  readonly sinceIsBound: boolean
  /** Moment up to which it is known to hold; absent: now. */
  readonly held?: HeldUntil | undefined
  readonly link: FindingLink
}

export interface HeldUntil {
  readonly ticks: Ticks
  /** Whether the finding is made of what happened, the last of it at `ticks`; else it was requested then and may hold for longer. */
  readonly isEnd: boolean
}

/** The panel that shows more, and what it should show. `range` null: as it is now. */
export interface FindingLink {
  readonly panel: PanelId
  readonly params: LinkParams
  /** Source ids to be chosen; empty: as it is. */
  readonly sources: readonly string[]
  /** The database to take into scope; absent: as it is. */
  readonly database?: string
  readonly range: TimeRange | null
  /** Selection to pin, in the form of that panel; absent: it stays as it is. */
  readonly selection?: string
}

import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { LinkParams, PanelId } from '../../../capture/client/panels.ts'

/** The part of a finding that the log keeps. */
export interface NotedFinding {
  /** Rule and subject of the finding. Stable while the finding lasts. */
  readonly id: string
  readonly rule: string
  /** `critical`: users are affected or data is at risk. `warning`: will be, or performance suffers. */
  readonly level: 'critical' | 'warning' | 'info'
  /** Text, one plain sentence. */
  readonly title: string
  /** Text when the finding is over; absent: `title`. */
  readonly past?: string
  /** Start of the finding. With `sinceIsBound`, its latest possible start: it already existed when monitoring began. */
  readonly sinceTicks: Ticks | null
  readonly sinceIsBound: boolean
  /** Moment up to which the finding is known to last; absent: now. */
  readonly held?: HeldUntil | undefined
  readonly link: FindingLink
}

export interface HeldUntil {
  readonly ticks: Ticks
  /**
   * True: the finding consists of past events, the last of which was at `ticks`. False: its state was requested at
   * `ticks` and may last longer.
   */
  readonly isEnd: boolean
}

/** Panel that shows more about the finding, and the state to open it in. `range` null: the current range is kept. */
export interface FindingLink {
  readonly panel: PanelId
  readonly params: LinkParams
  /** Ids of the sources to select; empty: the selection is kept. */
  readonly sources: readonly string[]
  /** Database to add to the scope; absent: the scope is kept. */
  readonly database?: string
  readonly range: TimeRange | null
  /** Selection to pin, in the format of that panel; absent: the selection is kept. */
  readonly selection?: string
}

import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan, Ticks } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'

/** Kinds that Rookery knows. Others keep the server's name, are drawn as unknown, and are counted. */
export const KNOWN_KINDS = ['JournalWrite', 'DataFlush', 'DataSync', 'Compression'] as const

/** Id of a storage environment, which has one lane: `<source>|<path as reported by the server>`. */
export type LaneId = string

export interface IoKindTotals {
  readonly kind: string
  readonly known: boolean
  readonly count: number
  readonly bytes: Bytes
  readonly busyTicks: TickSpan
  readonly slowestTicks: TickSpan
  readonly firstTicks: Ticks
  readonly lastTicks: Ticks
  readonly rollUps: number
  /** Number of events that are known only from roll-ups; null: not known. */
  readonly rollUpEvents: number | null
  readonly rollUpBytes: Bytes
  readonly rollUpBusyTicks: TickSpan
}

export interface IoFileInfo {
  readonly id: number
  readonly name: string
  /** Status in the last whole document; null: reported only by live deltas, whose status is unreliable. */
  readonly status: string | null
  /** Size reported by the newest event that has one; null: not reported. */
  readonly sizeBytes: Bytes | null
  readonly kinds: readonly string[]
  readonly firstTicks: Ticks
  readonly lastTicks: Ticks
}

export interface IoLane {
  readonly id: LaneId
  readonly source: SourceId
  readonly path: string
  /** `Documents`, `Index`, `Configuration`, `System`, or another type that the server reported. */
  readonly type: string
  /** Real name of the index if known, else a name derived from the path. */
  readonly label: string
  /** Whether `label` is the real name; false for an index whose real name is not known, labelled by its folder. */
  readonly labelIsReal: boolean
  readonly kinds: readonly IoKindTotals[]
  /** Files of the expanded kinds: at most `FILES_OF_KIND` of each, newest first. */
  readonly files: readonly IoFileInfo[]
  /** Number of older files left out, by expanded kind; a kind without such files has no entry. */
  readonly filesLeft: Readonly<Record<string, number>>
}

/** Number of lanes on one page of the timeline. */
export const LANES_OF_PAGE = 500
/** Maximum number of files listed per lane and kind. */
export const FILES_OF_KIND = 300

export interface IoLanesParams {
  readonly sources: readonly SourceId[]
  /** As in `IoScope`. */
  readonly find: string
  /** Number of the page, from 0. */
  readonly page: number
  /** Lane kinds whose files are shown. */
  readonly openKinds: readonly { readonly lane: LaneId; readonly kind: string }[]
}

/** Page of the lanes of the sources, and totals over all their lanes. */
export interface IoLanesResponse {
  readonly version: number
  /** Lanes of the page, in the order of the timeline; the last page if the requested one does not exist. */
  readonly lanes: readonly IoLane[]
  readonly page: number
  /** Number of lanes that match `find`, and of all lanes. */
  readonly matching: number
  readonly all: number
  /** Counts over all lanes of the sources. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[]
  /** Sources that have lanes, in the order of the request. */
  readonly sources: readonly SourceId[]
  /** Start of the newest event or roll-up in any lane; NaN: there is none. */
  readonly lastTicks: Ticks
  /** Matching lanes whose path also exists in another source; at most 1,000. */
  readonly doubled: readonly Pick<IoLane, 'source' | 'path' | 'kinds'>[]
  readonly folded: IoFolded
}

/** Counts of what exceeds the limits and is stored together; its events are included in all figures. */
export interface IoFolded {
  readonly environments: number
  readonly kinds: number
  /** Whether some files have no name. */
  readonly files: boolean
  /** Number of roll-ups that are drawn as one per lane and kind. */
  readonly rollUps: number
}

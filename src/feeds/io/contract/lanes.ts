import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan, Ticks } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'

/** The kinds that we know. Others are kept by the server's own name, drawn as unknown and counted. */
export const KNOWN_KINDS = ['JournalWrite', 'DataFlush', 'DataSync', 'Compression'] as const

/** A storage environment: one lane. `<source>|<path as the server gives it>`. */
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
  /** Events that are known only from roll-ups; null: how many is not known. */
  readonly rollUpEvents: number | null
  readonly rollUpBytes: Bytes
  readonly rollUpBusyTicks: TickSpan
}

export interface IoFileInfo {
  readonly id: number
  readonly name: string
  /** Status by the last whole document; null: only live deltas reported it, whose status is unreliable. */
  readonly status: string | null
  /** Size that the newest event with a size reported; null: none did. */
  readonly sizeBytes: Bytes | null
  readonly kinds: readonly string[]
  readonly firstTicks: Ticks
  readonly lastTicks: Ticks
}

export interface IoLane {
  readonly id: LaneId
  readonly source: SourceId
  readonly path: string
  /** `Documents`, `Index`, `Configuration`, `System`, or what the server reported. */
  readonly type: string
  /** Real name of the index where known, else made from the path. */
  readonly label: string
  /** Whether `label` is the real name; false for an index whose real name is not known: its folder then. */
  readonly labelIsReal: boolean
  readonly kinds: readonly IoKindTotals[]
  /** Files of the kinds that are open: at most `FILES_OF_KIND` of each, newest first. */
  readonly files: readonly IoFileInfo[]
  /** Older files of those kinds that are left out; a kind of which none is has no entry. */
  readonly filesLeft: Readonly<Record<string, number>>
}

/** Lanes on one page of the timeline. */
export const LANES_OF_PAGE = 500
/** Files that are listed of one kind of one lane. */
export const FILES_OF_KIND = 300

export interface IoLanesParams {
  readonly sources: readonly SourceId[]
  /** As in `IoScope`. */
  readonly find: string
  /** Number of the page, from 0. */
  readonly page: number
  /** Kinds of lanes whose files are shown. */
  readonly openKinds: readonly { readonly lane: LaneId; readonly kind: string }[]
}

/** Page of the lanes of the sources, and totals over all of their lanes. */
export interface IoLanesResponse {
  readonly version: number
  /** Lanes of the page, in the order of the timeline; the last page where the requested one is beyond it. */
  readonly lanes: readonly IoLane[]
  readonly page: number
  /** Lanes that `find` matches, and of them all. */
  readonly matching: number
  readonly all: number
  /** Over all lanes of the sources. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[]
  /** Sources that have lanes, in the order of the request. */
  readonly sources: readonly SourceId[]
  /** When the newest event or roll-up of any lane began; NaN: there is none. */
  readonly lastTicks: Ticks
  /** Matching lanes that another source has as well, by path; at most 1,000. */
  readonly doubled: readonly Pick<IoLane, 'source' | 'path' | 'kinds'>[]
  readonly folded: IoFolded
}

/** Counts of what is not kept apart, since there is too much of it; its events are in all figures. */
export interface IoFolded {
  readonly environments: number
  readonly kinds: number
  /** Whether some files have no name. */
  readonly files: boolean
  /** Roll-ups that are drawn as one of their lane and kind. */
  readonly rollUps: number
}

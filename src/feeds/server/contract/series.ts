import type { FigureUnit } from '../../../base/text/format-unit.ts'
import type { TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { GapReason } from '../../../capture/client/state.ts'

/**
 * Names of series, with units. Those of a volume end in its mount point: `volume.free|/data`.
 * `server.series` with no keys shows which there are.
 */
export type SeriesKey = string

export type VolumeFigure = 'free' | 'reads' | 'writes' | 'readBytes' | 'writeBytes' | 'queue'
/** Key of a figure of the volume with that mount. */
export type VolumeSeriesKey = `volume.${VolumeFigure}|${string}`

export interface SeriesInfo {
  readonly key: SeriesKey
  /** `Process CPU`, for a legend. */
  readonly label: string
  readonly unit: Exclude<FigureUnit, 'ticks'>
  /** `cpu`, `memory`, `gc`, `traffic`, `writes`, `indexing`, `merger`, `network`, `credits`, `volume`. */
  readonly group: string
  /** Collected on every panel; the others only while a panel of the server is open. */
  readonly isVital: boolean
  /** How often the server reports it, ms. */
  readonly everyMs: number
  /** Mount of the volume; null for the others. */
  readonly mount: string | null
}

/** Keys that do not depend on the machine. Volume keys: `volume.free|…`, `.reads|`, `.writes|`, `.readBytes|`, `.writeBytes|`, `.queue|`. */
export type FixedSeriesKey =
  | 'cpu.process'
  | 'cpu.machine'
  | 'memory.resident'
  | 'memory.private'
  | 'memory.managed'
  | 'memory.unmanaged'
  | 'memory.scratch'
  | 'memory.available'
  | 'memory.free'
  | 'memory.unwritten'
  | 'memory.swap'
  | 'gc.perMinute'
  | 'gc.pausePercent'
  | 'gc.pauseMs'
  | 'gc.heap'
  | 'gc.gen0'
  | 'gc.gen1'
  | 'gc.gen2'
  | 'gc.loh'
  | 'gc.poh'
  | 'gc.fragmented'
  | 'traffic.requests'
  | 'traffic.averageMs'
  | 'traffic.concurrent'
  | 'writes.rate'
  | 'writes.byteRate'
  | 'indexing.indexedRate'
  | 'indexing.mappedRate'
  | 'indexing.reducedRate'
  | 'merger.waits'
  | 'merger.transactions'
  | 'merger.commits'
  | 'merger.writers'
  | 'network.received'
  | 'network.sent'
  | 'network.resent'
  | 'network.connections'
  | 'credits.remaining'
  | 'credits.used'
  | 'credits.gained'

export interface ServerSeriesParams extends TimeRange {
  /** At most 64; none: only `available` is answered. */
  readonly keys: readonly SeriesKey[]
  /** Buckets at most for each key, about the width in CSS pixels, 1–4000. Rows of gaps come on top. */
  readonly maxPoints: number
}

export interface ServerSeriesResponse {
  readonly available: readonly SeriesInfo[]
  /** In the order of the keys; an unknown key has no rows. */
  readonly series: readonly SeriesRows[]
  /** Spans of which nothing is known inside the range, with the reason; ascending. */
  readonly gaps: readonly ServerGap[]
}

/**
 * Buckets of one series in columns, ascending. Buckets without a sample between two samples of the ordinary beat are
 * left out; where something is really missing there is one row with NaN values and count 0, so that a line drawn
 * through the rows breaks there by itself.
 */
export interface SeriesRows {
  readonly key: SeriesKey
  /** Width of each bucket. */
  readonly bucketTicks: TickSpan
  /** Tier that it is read from: how long a bucket was when it was kept, s. */
  readonly tierSeconds: number
  readonly length: number
  readonly startTicks: Float64Array
  readonly mean: Float64Array
  readonly min: Float64Array
  readonly max: Float64Array
  /** Samples in it. */
  readonly count: Float64Array
}

export interface ServerGap extends TimeRange {
  readonly reason: GapReason
  readonly detail: string
  /** Whether only figures beside the vital signs are missing, while these are known. */
  readonly isOfDetails?: boolean
}

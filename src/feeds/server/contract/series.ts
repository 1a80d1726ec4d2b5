import type { FigureUnit } from '../../../base/text/format-unit.ts'
import type { TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { GapReason } from '../../../capture/client/state.ts'

/**
 * Names of series, with units. The key of a volume's series ends in its mount point: `volume.free|/data`. A request of
 * `server.series` without keys returns the list of available series.
 */
export type SeriesKey = string

export type VolumeFigure = 'free' | 'reads' | 'writes' | 'readBytes' | 'writeBytes' | 'queue'
/** Key of a series of the volume with that mount point. */
export type VolumeSeriesKey = `volume.${VolumeFigure}|${string}`

export interface SeriesInfo {
  readonly key: SeriesKey
  /** Text for a legend, for example `Process CPU`. */
  readonly label: string
  readonly unit: Exclude<FigureUnit, 'ticks'>
  /** `cpu`, `memory`, `gc`, `traffic`, `writes`, `indexing`, `merger`, `network`, `credits`, `volume`. */
  readonly group: string
  /** Whether it is collected on every panel; other series are collected only while a panel of the server is open. */
  readonly isVital: boolean
  /** Interval at which the server reports it, ms. */
  readonly everyMs: number
  /** Mount point of the volume; null: not a series of a volume. */
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
  /** At most 64; empty: only `available` is returned. */
  readonly keys: readonly SeriesKey[]
  /** Maximum number of buckets for each key, about the width in CSS pixels, 1–4000. Rows of gaps are added to these. */
  readonly maxPoints: number
}

export interface ServerSeriesResponse {
  readonly available: readonly SeriesInfo[]
  /** In the order of `keys`; an unknown key has no rows. */
  readonly series: readonly SeriesRows[]
  /** Intervals in the range without figures, with the reason; ascending. */
  readonly gaps: readonly ServerGap[]
}

/**
 * Buckets of one series in columns, ascending. An empty bucket between two samples at the usual interval is left out. A
 * real gap has one row with NaN values and count 0, so that a line drawn through the rows breaks there.
 */
export interface SeriesRows {
  readonly key: SeriesKey
  /** Width of each bucket. */
  readonly bucketTicks: TickSpan
  /** Bucket length, s, of the tier that the rows are read from. */
  readonly tierSeconds: number
  readonly length: number
  readonly startTicks: Float64Array
  readonly mean: Float64Array
  readonly min: Float64Array
  readonly max: Float64Array
  /** Number of samples in the bucket. */
  readonly count: Float64Array
}

export interface ServerGap extends TimeRange {
  readonly reason: GapReason
  readonly detail: string
  /** Whether only detail figures are missing, while the vital signs are known. */
  readonly isOfDetails?: boolean
}

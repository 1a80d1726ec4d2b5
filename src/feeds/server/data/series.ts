import type { TimeRange } from '../../../base/ticks.ts'
import { SeriesTiers, TIERS, type StoredBlock } from '../../../base/columns/series-tiers.ts'
import { type Ticks, TICKS_PER_MS } from '../../../base/ticks.ts'
import type {
  FixedSeriesKey,
  SeriesInfo,
  SeriesKey,
  SeriesRows,
  VolumeFigure,
  VolumeSeriesKey,
} from '../contract/series.ts'

type Reported = Pick<SeriesInfo, 'label' | 'unit' | 'everyMs' | 'isVital'>

const reported = (label: string, unit: SeriesInfo['unit'], everyMs: number): Reported => ({
  label,
  unit,
  everyMs,
  isVital: true,
})
/** Describes a series that is collected only while a panel of the server is open. */
const detail = (label: string, unit: SeriesInfo['unit'], everyMs: number): Reported => ({
  ...reported(label, unit, everyMs),
  isVital: false,
})

const FIXED: Readonly<Record<FixedSeriesKey, Reported>> = {
  'cpu.process': reported('CPU of the server', 'percent', 1000),
  'cpu.machine': reported('CPU of the machine', 'percent', 1000),
  'memory.resident': reported('Resident', 'bytes', 15_000),
  'memory.private': reported('Private', 'bytes', 15_000),
  'memory.managed': reported('Managed, as the server counts', 'bytes', 15_000),
  'memory.unmanaged': reported('Unmanaged, as the server counts', 'bytes', 15_000),
  'memory.scratch': reported('Scratch buffers in use', 'bytes', 15_000),
  'memory.available': reported('Available', 'bytes', 15_000),
  'memory.free': reported('Free', 'bytes', 15_000),
  'memory.unwritten': reported('Not written yet, whole machine', 'bytes', 15_000),
  'memory.swap': reported('Swap of the server', 'bytes', 15_000),
  'gc.perMinute': reported('Collections a minute', 'count', 15_000),
  'gc.pausePercent': reported('Time in GC pauses since start', 'percent', 15_000),
  'gc.pauseMs': reported('Pause of a collection', 'ms', 15_000),
  'gc.heap': reported('Managed heap', 'bytes', 15_000),
  'gc.gen0': reported('Generation 0', 'bytes', 15_000),
  'gc.gen1': reported('Generation 1', 'bytes', 15_000),
  'gc.gen2': reported('Generation 2', 'bytes', 15_000),
  'gc.loh': reported('Large objects', 'bytes', 15_000),
  'gc.poh': reported('Pinned objects', 'bytes', 15_000),
  'gc.fragmented': reported('Fragmented', 'bytes', 15_000),
  'traffic.requests': reported('Requests', 'perSecond', 10_000),
  'traffic.averageMs': reported('Recent mean duration', 'ms', 3000),
  'traffic.concurrent': reported('Requests at once', 'count', 10_000),
  'writes.rate': reported('Writes, about', 'perSecond', 3000),
  'writes.byteRate': reported('Written, about', 'bytesPerSecond', 3000),
  'indexing.indexedRate': detail('Indexed, about', 'perSecond', 3000),
  'indexing.mappedRate': detail('Mapped, about', 'perSecond', 3000),
  'indexing.reducedRate': detail('Reduced, about', 'perSecond', 3000),
  'merger.waits': detail('Waits for writes', 'percent', 10_000),
  'merger.transactions': detail('Executes a transaction', 'percent', 10_000),
  'merger.commits': detail('Commits', 'percent', 10_000),
  'merger.writers': detail('Writes merged into one transaction', 'count', 10_000),
  'network.received': detail('TCP segments in', 'perSecond', 10_000),
  'network.sent': detail('TCP segments out', 'perSecond', 10_000),
  'network.resent': detail('TCP segments sent again', 'perSecond', 10_000),
  'network.connections': detail('TCP connections', 'count', 10_000),
  'credits.remaining': reported('CPU credits left', 'credits', 5000),
  'credits.used': reported('CPU credits used', 'perSecond', 5000),
  'credits.gained': reported('CPU credits earned', 'perSecond', 5000),
}

const OF_VOLUME: Readonly<Record<string, Reported>> = {
  free: reported('Free', 'bytes', 60_000),
  reads: detail('Reads', 'perSecond', 1000),
  writes: detail('Writes', 'perSecond', 1000),
  readBytes: detail('Read', 'bytesPerSecond', 1000),
  writeBytes: detail('Written', 'bytesPerSecond', 1000),
  queue: detail('Waiting for the disk', 'count', 1000),
}

export const volumeKey = (figure: VolumeFigure, mount: string): VolumeSeriesKey => `volume.${figure}|${mount}`

/** Description of a key; null: not a key of this feed. */
export function seriesInfo(key: SeriesKey): SeriesInfo | null {
  const fixed = Object.hasOwn(FIXED, key) ? FIXED[key as FixedSeriesKey] : undefined
  if (fixed !== undefined) return { key, ...fixed, group: key.slice(0, key.indexOf('.')), mount: null }
  const bar = key.indexOf('|')
  const figure = key.startsWith('volume.') && bar > 0 ? key.slice('volume.'.length, bar) : ''
  const volume = Object.hasOwn(OF_VOLUME, figure) ? OF_VOLUME[figure] : undefined
  return volume === undefined ? null : { key, ...volume, group: 'volume', mount: key.slice(bar + 1) }
}

/** Tiers for a series. A figure that is reported once a minute needs no tiers of seconds. */
const tiersFor = (everyMs: number) => (everyMs >= 60_000 ? TIERS.slice(2) : everyMs >= 10_000 ? TIERS.slice(1) : TIERS)

/** Maximum number of series: the fixed ones, and six for each of 16 volumes. */
const MOST_SERIES = Object.keys(FIXED).length + 6 * 16
/** Number of report intervals between two samples above which samples are missing. */
const GAP_BEATS = 3.5

export interface StoredSeries extends StoredBlock {
  readonly key: SeriesKey
}

/** Combines the samples of all rows. Without samples, `count` is 0 and the other values are NaN. */
export function inOne({ length, mean, min, max, count }: SeriesRows): RecentFigures {
  let sum = 0
  let samples = 0
  let smallest = Number.NaN
  let largest = Number.NaN
  for (let row = 0; row < length; row++) {
    const here = count[row] as number
    if (here === 0) continue
    samples += here
    sum += (mean[row] as number) * here
    smallest = samples === here ? (min[row] as number) : Math.min(smallest, min[row] as number)
    largest = samples === here ? (max[row] as number) : Math.max(largest, max[row] as number)
  }
  return { mean: sum / samples, min: smallest, max: largest, count: samples }
}

interface SlopeOptions {
  readonly spanMs: number
  readonly leastMs: number
  readonly newest?: { readonly atTicks: number; readonly value: number } | null
}

export interface Slope {
  readonly perSecond: number
  /** Time between the two values, ms. */
  readonly overMs: number
}

/**
 * All series of one server. Each takes at most about 0.4 MB in the first hours, and 1.8 MB after thirty days
 * (base/series-tiers).
 */
export class SeriesStore {
  readonly #series = new Map<SeriesKey, { readonly info: SeriesInfo; readonly tiers: SeriesTiers }>()

  /** Receives each sample, to record it elsewhere as well; null: not used. */
  tap: ((key: SeriesKey, atTicks: number, value: number) => void) | null = null

  /** Adds a sample. Ignores NaN, null, keys that are not of this feed, and series beyond the maximum number. */
  append(key: SeriesKey, atTicks: number, value: number | null): void {
    if (value === null || !Number.isFinite(value)) return
    const series = this.#get(key)
    series?.tiers.append(atTicks, value)
    if (series !== null) this.tap?.(key, atTicks, value)
  }

  appendAll(atTicks: number, values: Readonly<Record<SeriesKey, number | null>>): void {
    for (const [key, value] of Object.entries(values)) this.append(key, atTicks, value)
  }

  get available(): SeriesInfo[] {
    return Array.from(this.#series.values(), ({ info }) => info)
  }

  get extent(): TimeRange | null {
    let start = Number.POSITIVE_INFINITY
    let end = Number.NEGATIVE_INFINITY
    for (const { tiers } of this.#series.values()) {
      if (Number.isNaN(tiers.startTicks)) continue
      start = Math.min(start, tiers.startTicks)
      end = Math.max(end, tiers.endTicks)
    }
    return end > start ? { startTicks: start as Ticks, endTicks: end as Ticks } : null
  }

  rows(key: SeriesKey, { startTicks, endTicks }: TimeRange, maxRows: number): SeriesRows {
    const found = this.#series.get(key)
    const gapTicks = GAP_BEATS * (found?.info.everyMs ?? 0) * TICKS_PER_MS
    const rows = (found?.tiers ?? new SeriesTiers([EMPTY])).rows(startTicks, endTicks, maxRows, gapTicks)
    const { sum, ...rest } = rows
    return { key, ...rest, mean: sum.map((value, row) => value / (rows.count[row] as number)) }
  }

  /**
   * Combines the samples of the last `spanMs` before `untilTicks`. Without samples, `count` is 0 and the other values
   * are NaN.
   */
  recent(key: SeriesKey, untilTicks: number, spanMs: number): RecentFigures {
    const startTicks = (untilTicks - spanMs * TICKS_PER_MS) as Ticks
    return inOne(this.rows(key, { startTicks, endTicks: (untilTicks + 1) as Ticks }, spanMs / 1000 + 1))
  }

  /**
   * Slope per second between the first and the last value in the last `spanMs`, where `newest` is one that is not in the
   * series yet. Null: they are less than `leastMs` apart.
   */
  slope(key: SeriesKey, untilTicks: number, { spanMs, leastMs, newest = null }: SlopeOptions): Slope | null {
    const startTicks = (untilTicks - spanMs * TICKS_PER_MS) as Ticks
    const rows = this.rows(key, { startTicks, endTicks: (untilTicks + 1) as Ticks }, 1000)
    const first = rows.mean.findIndex((value) => !Number.isNaN(value))
    const last = rows.mean.findLastIndex((value) => !Number.isNaN(value))
    if (first < 0) return null
    const lastTicks = newest?.atTicks ?? rows.startTicks[last] ?? Number.NaN
    const overMs = (lastTicks - (rows.startTicks[first] as number)) / TICKS_PER_MS
    if (!(overMs > 0) || overMs < leastMs) return null
    return {
      perSecond: (((newest?.value ?? rows.mean[last] ?? Number.NaN) - (rows.mean[first] as number)) * 1000) / overMs,
      overMs,
    }
  }

  dropFrom(ticks: number): void {
    for (const { tiers } of this.#series.values()) tiers.dropFrom(ticks)
  }

  takeChanged(): StoredSeries[] {
    return [...this.#series].flatMap(([key, { tiers }]) =>
      tiers.takeChanged().map(({ tier, block, bytes }) => ({ key, tier, block, bytes })),
    )
  }

  restore({ key, ...block }: StoredSeries): boolean {
    return this.#get(key)?.tiers.restore(block) ?? false
  }

  get byteLength(): number {
    let bytes = 0
    for (const { tiers } of this.#series.values()) bytes += tiers.byteLength
    return bytes
  }

  #get(key: SeriesKey): { readonly tiers: SeriesTiers } | null {
    const found = this.#series.get(key)
    if (found !== undefined) return found
    const info = seriesInfo(key)
    if (info === null || this.#series.size >= MOST_SERIES) return null
    const made = { info, tiers: new SeriesTiers(tiersFor(info.everyMs)) }
    this.#series.set(key, made)
    return made
  }
}

export interface RecentFigures {
  readonly mean: number
  readonly min: number
  readonly max: number
  readonly count: number
}

const EMPTY = { seconds: 1, buckets: 1, blockBuckets: 1, atOnce: false }

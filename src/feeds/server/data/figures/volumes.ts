import { SLOPE_LEAST_MS, SLOPE_MS } from '../../../../ravendb/limits.ts'
import type { Bytes } from '../../../../base/brand.ts'
import { TICKS_PER_MS, type Ticks } from '../../../../base/ticks.ts'
import type { DatabasesStore } from './databases/database-store.ts'
import type { Volume } from '../../contract/machine.ts'
import type { SeriesStore, Slope } from '../series.ts'
import { volumeKey } from '../series.ts'
import { VolumeGrowths } from './volume-growth.ts'
import { JUST_READ_MS, type IoFigures, type VolumeWidget } from '../wire/widgets.ts'

const MOST_ENVIRONMENTS = 50
/** Maximum number of volumes, each of which has six series. */
const MOST_VOLUMES = 16

/**
 * Time over which a volume that fills up quickly is judged, ms, and which must have been observed. Values come once a
 * minute, and data files grow in steps: over shorter times, here and below, the forecast would come and go.
 */
const QUICK_MS = 240_000
const QUICK_LEAST_MS = 100_000
/** Its newest part, ms, in which it must still shrink half as fast: a single large file is no trend. */
const LAST_MS = 150_000
/** Time in which a volume must be full at the quick rate, ms: else the last hour is decisive. */
const SOON_MS = 1_800_000

/** Value that may be older than its frame. */
interface KeptValue {
  readonly atTicks: Ticks
  readonly value: number
}

/** Rate at which values fall from the first one since then to the last, per second; null: there are not two. */
function slopeOf(values: readonly KeptValue[], sinceTicks: number): Slope | null {
  const [first, last] = [values.find(({ atTicks }) => atTicks >= sinceTicks), values.at(-1)]
  const overMs = first === undefined || last === undefined ? 0 : (last.atTicks - first.atTicks) / TICKS_PER_MS
  return overMs > 0 ? { perSecond: (((first?.value ?? 0) - (last?.value ?? 0)) * 1000) / overMs, overMs } : null
}

/** Rate at which free space shrinks, bytes per second, and the time that it is the mean of; null: not known. */
function shrinking(
  series: SeriesStore,
  mount: string,
  {
    freeBytes,
    newest,
    readings,
    nowTicks,
  }: {
    readonly readings: readonly KeptValue[]
    readonly freeBytes: number
    readonly newest: KeptValue | null
    readonly nowTicks: number
  },
): Slope | null {
  const over = (spanMs: number, leastMs: number): Slope | null => {
    const exact = slopeOf(newest === null ? readings : [...readings, newest], nowTicks - spanMs * TICKS_PER_MS)
    if (exact !== null && exact.overMs >= leastMs) return exact
    // Times of the series are rounded to a minute: too coarse for less than ten.
    if (leastMs < SLOPE_LEAST_MS) return null
    const slope = series.slope(volumeKey('free', mount), nowTicks, { spanMs, leastMs, newest })
    return slope && { ...slope, perSecond: -slope.perSecond }
  }
  const ofHour = over(SLOPE_MS, SLOPE_LEAST_MS)
  const quick = over(QUICK_MS, QUICK_LEAST_MS)
  const isQuick =
    quick !== null &&
    quick.perSecond > 0 &&
    (freeBytes / quick.perSecond) * 1000 < SOON_MS &&
    (over(LAST_MS, 0)?.perSecond ?? 0) >= quick.perSecond / 2
  return isQuick && !((ofHour?.perSecond ?? 0) > quick.perSecond) ? quick : ofHour
}

/** Volumes that have data of the server. */
export class Volumes {
  #volumes: readonly VolumeWidget[] = []
  /** Time of the newest frame, and whether it had what the server had kept from before. */
  #frame: { readonly atTicks: Ticks; readonly isKept: boolean } | null = null
  #io: readonly IoFigures[] = []
  /** Free space of the last hour by mount point, with exact times. */
  readonly #readings = new Map<string, readonly KeptValue[]>()
  readonly #growths = new VolumeGrowths()

  storage(volumes: readonly VolumeWidget[], atTicks: Ticks, series: SeriesStore, databases: DatabasesStore): void {
    const before = this.#frame
    // A kept frame that is followed by what was read since is no value of its time.
    const isKept = before === null || atTicks - before.atTicks > JUST_READ_MS * TICKS_PER_MS
    if (isKept && before?.isKept === true) this.#append(before.atTicks, series, databases)
    this.#frame = { atTicks, isKept }
    this.#volumes = volumes.slice(0, MOST_VOLUMES)
    this.#io = []
    this.#growths.keep(new Set(this.#volumes.map(({ mount }) => mount)))
    if (!isKept) this.#append(atTicks, series, databases)
  }

  #append(atTicks: Ticks, series: SeriesStore, databases: DatabasesStore): void {
    for (const { mount, freeBytes, ravenBytes, ravenTempBytes } of this.#volumes) {
      series.append(volumeKey('free', mount), atTicks, freeBytes)
      const before = this.#readings.get(mount) ?? []
      const kept = before.filter((each) => each.atTicks < atTicks && atTicks - each.atTicks <= SLOPE_MS * TICKS_PER_MS)
      this.#readings.set(mount, [...kept, { atTicks, value: freeBytes }])
      const all = databases.onVolume(mount, this.#volumes.length === 1)
      const [placed, others] = [all.slice(0, MOST_ENVIRONMENTS), all.slice(MOST_ENVIRONMENTS)]
      this.#growths.note(mount, {
        atTicks,
        freeBytes,
        ravenBytes: ravenBytes + ravenTempBytes,
        databases: new Map(placed.map(({ database, bytes, tempBytes }) => [database, bytes + tempBytes])),
        mostOfOthers: others.reduce((most, { bytes, tempBytes }) => Math.max(most, bytes + tempBytes), 0),
      })
    }
  }

  /**
   * Takes I/O figures, which come without names, in the order of the volumes. If their number differs, they cannot be
   * assigned and are dropped.
   */
  io(figures: readonly IoFigures[], atTicks: Ticks, series: SeriesStore): void {
    if (figures.length !== this.#volumes.length) return
    this.#io = figures
    for (const [row, { mount }] of this.#volumes.entries()) {
      const of = figures[row] as IoFigures
      series.append(volumeKey('reads', mount), atTicks, of.readsPerSecond)
      series.append(volumeKey('writes', mount), atTicks, of.writesPerSecond)
      series.append(volumeKey('readBytes', mount), atTicks, of.readBytesPerSecond)
      series.append(volumeKey('writeBytes', mount), atTicks, of.writeBytesPerSecond)
      series.append(volumeKey('queue', mount), atTicks, of.queueLength)
    }
  }

  /**
   * Mount point of the only volume with data of a database (`database` null: of the server itself); null: several
   * volumes, or not known.
   */
  only(database: string | null, databases: DatabasesStore): string | null {
    const [first, ...others] = this.#volumes
    if (first !== undefined && others.length === 0) return first.mount
    const mounts = database === null ? [] : databases.mountsOf(database)
    return mounts.length === 1 ? (mounts[0] ?? null) : null
  }

  /**
   * Free space of the fullest volume of a database; null: not known. If the server has only one volume, all data is on
   * it.
   */
  freeOf(database: string, databases: DatabasesStore): Bytes | null {
    const mounts = new Set(databases.mountsOf(database))
    const own = this.#volumes.length === 1 ? this.#volumes : this.#volumes.filter(({ mount }) => mounts.has(mount))
    return own.length === 0 ? null : (Math.min(...own.map(({ freeBytes }) => freeBytes)) as Bytes)
  }

  now(nowTicks: number, series: SeriesStore, databases: DatabasesStore): Volume[] {
    return this.#volumes.map(({ io, ...volume }, row) => {
      const { atTicks, isKept } = this.#frame ?? { atTicks: nowTicks as Ticks, isKept: false }
      const ageMs = Math.max(0, nowTicks - atTicks) / TICKS_PER_MS
      // The value that was read since is still to come, or does not come.
      const newest = isKept && ageMs > JUST_READ_MS ? { atTicks, value: volume.freeBytes } : null
      const readings = this.#readings.get(volume.mount) ?? []
      const slope = shrinking(series, volume.mount, { freeBytes: volume.freeBytes, newest, readings, nowTicks })
      const shrinks = slope?.perSecond ?? null
      const placed = databases.onVolume(volume.mount, this.#volumes.length === 1)
      return {
        ...volume,
        io: this.#io[row] ?? io,
        shrinksBytesPerSecond: shrinks,
        shrinksOverMs: slope?.overMs ?? 0,
        fullInMs: shrinks === null || shrinks <= 0 ? null : Math.max(0, (volume.freeBytes / shrinks) * 1000 - ageMs),
        growth: this.#growths.of(volume.mount, SLOPE_MS),
        environments: placed.slice(0, MOST_ENVIRONMENTS),
        moreEnvironments: Math.max(0, placed.length - MOST_ENVIRONMENTS),
      }
    })
  }
}

import { TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { SeriesRows } from '../../../../feeds/server/contract/series.ts'
import { readStored, writeStored } from '../../../../ui/storage.ts'

/** Load of a volume over a time range. MB are 10⁶ bytes, as vendors count them. */
export interface VolumeLoad {
  /** Means over one bucket: of the highest measured load, and of the newest bucket. */
  readonly peak: { readonly iops: number; readonly megabytes: number }
  readonly newest: { readonly iops: number; readonly megabytes: number }
  readonly bucketSeconds: number
  /** Number of buckets with enough samples to count. */
  readonly buckets: number
}

/** Limits of a volume, as the user typed them; null: not known. The price is in any currency, for any period. */
export interface VolumeLimits {
  readonly iops: number | null
  readonly megabytes: number | null
  readonly price: number | null
}

export const NO_LIMITS: VolumeLimits = { iops: null, megabytes: null, price: null }

/**
 * Minimum share of a bucket's samples (one per second) for it to count. With fewer than half of them its load is a
 * burst rather than sustained.
 */
const LEAST_SAMPLES = 0.5

export interface VolumeSeries {
  readonly reads: SeriesRows
  readonly writes: SeriesRows
  readonly readBytes: SeriesRows
  readonly writeBytes: SeriesRows
}

/** Load of reads and writes together, as vendors' limits apply to both. Null: no bucket has enough samples. */
export function loadOf({ reads, writes, readBytes, writeBytes }: VolumeSeries): VolumeLoad | null {
  const bucketSeconds = reads.bucketTicks / TICKS_PER_SECOND
  const byStart = [writes, readBytes, writeBytes].map(
    (rows) => new Map(Array.from(rows.startTicks, (start, row) => [start, rows.mean[row] as number])),
  )
  let [iops, megabytes, buckets] = [0, 0, 0]
  let newest: VolumeLoad['newest'] | null = null
  for (let row = 0; row < reads.length; row++) {
    const [write, readByte, writeByte] = byStart.map(
      (means) => means.get(reads.startTicks[row] as number) ?? Number.NaN,
    )
    const own = {
      iops: (reads.mean[row] as number) + (write as number),
      megabytes: ((readByte as number) + (writeByte as number)) / 1e6,
    }
    if ((reads.count[row] as number) < bucketSeconds * LEAST_SAMPLES || Number.isNaN(own.iops + own.megabytes)) continue
    iops = Math.max(iops, own.iops)
    megabytes = Math.max(megabytes, own.megabytes)
    newest = own
    buckets++
  }
  return newest === null ? null : { peak: { iops, megabytes }, newest, bucketSeconds, buckets }
}

export interface Headroom {
  readonly used: number
  readonly ceiling: number
  /** Share of `ceiling` in use, 0–1; above 1 if the load exceeds a typed limit. */
  readonly share: number
  readonly left: number
  readonly from: 'typed' | 'measured'
}

/**
 * Headroom below the typed limit, or without one below the highest measured load, which the volume may be able to
 * exceed. Null: nothing was measured yet.
 */
export function headroomOf(load: VolumeLoad, typed: VolumeLimits, of: 'iops' | 'megabytes'): Headroom | null {
  const ceiling = typed[of] ?? load.peak[of]
  if (!(ceiling > 0)) return null
  const used = load.newest[of]
  return {
    used,
    ceiling,
    share: used / ceiling,
    left: Math.max(0, ceiling - used),
    from: typed[of] === null ? 'measured' : 'typed',
  }
}

/** Share of the price that pays for the highest measured load, 0–1. Null: no limit is typed to compare with. */
export function neededShare({ peak }: VolumeLoad, { iops, megabytes }: VolumeLimits): number | null {
  const shares = [
    ...(iops === null ? [] : [peak.iops / iops]),
    ...(megabytes === null ? [] : [peak.megabytes / megabytes]),
  ]
  return shares.length === 0 ? null : Math.min(1, Math.max(...shares))
}

const keyOf = (serverId: string | null, mount: string): string => `volume.${serverId ?? ''}|${mount}`

/** Reads stored limits. Any page of this origin may have written them, so only positive finite numbers are used. */
export function readLimits(serverId: string | null, mount: string): VolumeLimits {
  try {
    const stored = JSON.parse(readStored(keyOf(serverId, mount)) ?? '{}') as Readonly<Record<string, unknown>> | null
    const number = (name: string): number | null => {
      const value = stored?.[name]
      return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : null
    }
    return { iops: number('iops'), megabytes: number('megabytes'), price: number('price') }
  } catch {
    return NO_LIMITS
  }
}

export function writeLimits(serverId: string | null, mount: string, limits: VolumeLimits): void {
  writeStored(keyOf(serverId, mount), JSON.stringify(limits))
}

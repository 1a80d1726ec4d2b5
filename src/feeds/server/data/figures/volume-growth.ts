import type { Bytes } from '../../../../base/brand.ts'
import { type Ticks, TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { VolumeGrowth } from '../../contract/machine.ts'

/** Maximum number of samples: an hour, since the server reports its volumes once a minute. */
const MOST_SAMPLES = 61
/** Minimum time over which growth is computed: two samples a minute apart show no trend. */
const LEAST_MS = 5 * 60_000
const MOST_NAMED = 3

export interface VolumeSample {
  readonly atTicks: Ticks
  readonly freeBytes: Bytes
  /**
   * Data and temporary files of RavenDB. Without journals that wait for a data sync, which the server does not report.
   */
  readonly ravenBytes: number
  /** Bytes by database; empty: not reported at that time. */
  readonly databases: ReadonlyMap<string, number>
  /** Maximum size of a database that is not among `databases`; 0: all are among them. */
  readonly mostOfOthers: number
}

/** Growth of files on each volume over the observed part of the last hour. */
export class VolumeGrowths {
  readonly #samples = new Map<string, VolumeSample[]>()

  note(mount: string, sample: VolumeSample): void {
    const samples = this.#samples.get(mount) ?? []
    samples.push(sample)
    this.#samples.set(mount, samples.slice(-MOST_SAMPLES))
  }

  /** Drops volumes that no longer exist. */
  keep(mounts: ReadonlySet<string>): void {
    for (const mount of this.#samples.keys()) if (!mounts.has(mount)) this.#samples.delete(mount)
  }

  /** Growth of a volume over the last `spanMs`; null: observed for too short a time. */
  of(mount: string, spanMs: number): VolumeGrowth | null {
    const all = this.#samples.get(mount) ?? []
    const last = all.at(-1)
    if (last === undefined) return null
    const within = all.filter(({ atTicks }) => last.atTicks - atTicks <= spanMs * TICKS_PER_MS)
    const overMsOf = ({ atTicks }: VolumeSample): number => (last.atTicks - atTicks) / TICKS_PER_MS
    const isLong = (sample: VolumeSample): boolean => overMsOf(sample) >= LEAST_MS
    // On a page that was just opened, databases are reported later than volumes. Naming the databases that grow is
    // preferred to a longer time.
    const first = within.find((sample) => sample.databases.size > 0 && isLong(sample)) ?? within.find(isLong)
    if (first === undefined) return null
    const isNamed = first.databases.size > 0 && last.databases.size > 0
    // A database that was added since counts from 0 bytes. If not all databases were listed, it may have existed before
    // with at most `mostOfOthers` bytes.
    const grown = [...last.databases]
      .map(([database, bytes]) => ({ database, bytes: bytes - (first.databases.get(database) ?? first.mostOfOthers) }))
      .filter(({ bytes }) => bytes > 0)
      .toSorted((a, b) => b.bytes - a.bytes)
    return {
      overMs: overMsOf(first),
      lostBytes: first.freeBytes - last.freeBytes,
      ravenBytes: last.ravenBytes - first.ravenBytes,
      databases: isNamed ? grown.slice(0, MOST_NAMED) : null,
    }
  }
}

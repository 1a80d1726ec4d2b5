import type { Bytes } from '../../../../base/brand.ts'
import { type Ticks, TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { VolumeGrowth } from '../../contract/machine.ts'

/** The server reports its volumes once a minute: more would be of longer than an hour. */
const MOST_SAMPLES = 61
/** Two samples a minute apart say nothing of what grows. */
const LEAST_MS = 5 * 60_000
const MOST_NAMED = 3

export interface VolumeSample {
  readonly atTicks: Ticks
  readonly freeBytes: Bytes
  /** Data and temporary files of RavenDB; the server leaves out journals that wait for a data sync. */
  readonly ravenBytes: number
  /** Bytes by database; empty: not reported then. */
  readonly databases: ReadonlyMap<string, number>
  /** Largest size that a database may have that is not among them; 0: all of them are. */
  readonly mostOfOthers: number
}

/** Whose files took the free space of each volume, over what was seen of the last hour. */
export class VolumeGrowths {
  readonly #samples = new Map<string, VolumeSample[]>()

  note(mount: string, sample: VolumeSample): void {
    const samples = this.#samples.get(mount) ?? []
    samples.push(sample)
    this.#samples.set(mount, samples.slice(-MOST_SAMPLES))
  }

  /** Volumes that are not there any more are dropped. */
  keep(mounts: ReadonlySet<string>): void {
    for (const mount of this.#samples.keys()) if (!mounts.has(mount)) this.#samples.delete(mount)
  }

  /** Growth of a volume over the last `spanMs`; null: too little was observed. */
  of(mount: string, spanMs: number): VolumeGrowth | null {
    const all = this.#samples.get(mount) ?? []
    const last = all.at(-1)
    if (last === undefined) return null
    const within = all.filter(({ atTicks }) => last.atTicks - atTicks <= spanMs * TICKS_PER_MS)
    const overMsOf = ({ atTicks }: VolumeSample): number => (last.atTicks - atTicks) / TICKS_PER_MS
    const isLong = (sample: VolumeSample): boolean => overMsOf(sample) >= LEAST_MS
    // Databases are reported later than volumes on a page that was just opened: who grows is worth more than a longer time.
    const first = within.find((sample) => sample.databases.size > 0 && isLong(sample)) ?? within.find(isLong)
    if (first === undefined) return null
    const isNamed = first.databases.size > 0 && last.databases.size > 0
    // Databases that were added since count from 0 bytes; where not all were listed, one may have been there before.
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

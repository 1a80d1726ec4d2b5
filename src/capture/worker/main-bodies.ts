import { joinExtents, type Extent } from '../../base/far-events.ts'
import type { mainBody, Rows } from '../../base/main-body.ts'
import { isSameRange, joinRanges, msFromTicks, type Ticks, type TimeRange } from '../../base/ticks.ts'
import type { SourceId } from '../client/state.ts'
import type { FeedSpan } from './feed.ts'

type Find = typeof mainBody

/** Not in the first load: null until it is there. */
let find: Find | null = null

/** Before it resolved, nothing is far. Resolves to whether that changed now. */
export async function loadMainBody(): Promise<boolean> {
  if (find !== null) return false
  const loaded = await import('../../base/main-body.ts')
  find = loaded.mainBody
  return true
}

/** All rows of a feed. */
interface RowsHost {
  /** Grows with each change. */
  readonly version: () => number
  /** From the first start to the latest end of each source; a source may be there several times. */
  readonly spans: () => Iterable<readonly [SourceId, { readonly firstTicks: number; readonly endTicks: number }]>
  readonly rowsOf: (source: SourceId) => readonly Rows[]
}

/** Where each source has nearly all of its rows. */
export class MainBodies {
  readonly #rows: RowsHost
  readonly #bodies = new Map<SourceId, { readonly version: number; readonly whole: TimeRange; readonly body: Extent }>()

  constructor(rows: RowsHost) {
    this.#rows = rows
  }

  /** Extent of all sources together; null: there are no rows. */
  extent(): Extent | null {
    return joinExtents([...this.#known().values()])
  }

  spans(): FeedSpan[] {
    return Array.from(this.#known(), ([source, { startTicks, endTicks }]) => ({
      source,
      firstMs: msFromTicks(startTicks),
      endMs: msFromTicks(endTicks),
    }))
  }

  #known(): ReadonlyMap<SourceId, Extent> {
    const version = this.#rows.version()
    const whole = new Map<SourceId, TimeRange>()
    for (const [source, { firstTicks, endTicks }] of this.#rows.spans())
      if (!Number.isNaN(firstTicks))
        whole.set(
          source,
          joinRanges(whole.get(source), {
            startTicks: firstTicks as Ticks,
            endTicks: Math.max(endTicks, firstTicks + 1) as Ticks,
          }),
        )
    return new Map(Array.from(whole, ([source, range]) => [source, this.#bodyOf(source, range, version)]))
  }

  #bodyOf(source: SourceId, whole: TimeRange, version: number): Extent {
    const known = this.#bodies.get(source)
    if (known !== undefined && known.version === version && isSameRange(known.whole, whole)) return known.body
    if (find === null) return whole
    const body = find(whole, () => this.#rows.rowsOf(source))
    this.#bodies.set(source, { version, whole, body })
    return body
  }
}

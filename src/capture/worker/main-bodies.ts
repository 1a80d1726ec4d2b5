import { joinExtents, type Extent } from '../../base/far-events.ts'
import type { mainBody, Rows } from '../../base/main-body.ts'
import { isSameRange, joinRanges, msFromTicks, type Ticks, type TimeRange } from '../../base/ticks.ts'
import type { SourceId } from '../client/state.ts'
import type { FeedSpan } from './feed.ts'

type Find = typeof mainBody

/** Loaded later; null until then. */
let find: Find | null = null

/** Until it resolves, no events count as far. Resolves to whether it was loaded now. */
export async function loadMainBody(): Promise<boolean> {
  if (find !== null) return false
  const loaded = await import('../../base/main-body.ts')
  find = loaded.mainBody
  return true
}

/** All rows of a feed. */
interface RowsHost {
  /** Increases with each change. */
  readonly version: () => number
  /** From the first start to the latest end of each source, which may occur several times. */
  readonly spans: () => Iterable<readonly [SourceId, { readonly firstTicks: number; readonly endTicks: number }]>
  readonly rowsOf: (source: SourceId) => readonly Rows[]
}

/** Range with nearly all rows of each source. */
export class MainBodies {
  readonly #rows: RowsHost
  readonly #bodies = new Map<SourceId, { readonly version: number; readonly whole: TimeRange; readonly body: Extent }>()

  constructor(rows: RowsHost) {
    this.#rows = rows
  }

  /** Extent of all sources together; null: no rows. */
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

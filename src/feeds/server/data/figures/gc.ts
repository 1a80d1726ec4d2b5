import type { Bytes } from '../../../../base/brand.ts'
import { asString } from '../../../../base/json/check.ts'
import { Fields } from '../../../../base/json/fields.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { parseTimeSpanMs } from '../../../../ravendb/timespan.ts'
import type { GcKind, ServerGc } from '../../contract/machine.ts'
import { bytes, readHeap, type GcWidget } from '../wire/widgets.ts'

/**
 * Response of `/admin/debug/memory/gc`: the newest collection of each kind, with figures that the dashboard does not
 * report.
 */
export interface GcResponse {
  readonly pauseTimePercent: number
  readonly kinds: readonly GcKind[]
  /** Figure of the newest collection of any kind. */
  readonly committedBytes: Bytes
  readonly pinnedObjects: number
}

const KINDS = ['Ephemeral', 'Background', 'FullBlocking'] as const
const HEAPS = ['gen0', 'gen1', 'gen2', 'loh', 'poh'] as const

/** Reads `/admin/debug/memory/gc`. Errors: `ParseError`. */
export function readMemoryGc(response: unknown): GcResponse {
  const body = new Fields(response)
  const any = body.in('Any')
  return {
    pauseTimePercent: any.number('PauseTimePercentage'),
    kinds: KINDS.map((kind) => readKind(kind, body.in(kind))),
    committedBytes: bytes(any, 'TotalCommittedBytes'),
    pinnedObjects: any.number('PinnedObjectsCount'),
  }
}

function readKind(kind: GcKind['kind'], body: Fields): GcKind {
  const generations = body.each('GenerationInfo')
  const pauses = body.list('PauseDurations', asString)
  return {
    kind,
    index: body.number('Index'),
    pauseMs: pauses.reduce((sum, pause) => sum + parseTimeSpanMs(pause), 0),
    heapAfterBytes: bytes(body, 'HeapSizeBytes'),
    heaps: HEAPS.map((heap, at) =>
      readHeap(heap, generations[at] ?? new Fields(undefined, () => `$.${kind}.GenerationInfo[${at}]`)),
    ),
  }
}

/**
 * Minimum time over which collections are counted. The actual time is longer by at most the interval between two
 * responses.
 */
const COUNTED_TICKS = 60 * TICKS_PER_SECOND
/** Time without a report after which the count restarts. */
const FORGOTTEN_TICKS = 300 * TICKS_PER_SECOND

/**
 * Garbage collections of the server, from the frames of the dashboard and from `memory/gc`, which is more detailed and
 * less frequent.
 */
export class GcLog {
  #kinds = new Map<GcKind['kind'], GcKind>()
  /** Highest collection number at different times; ascending. */
  #indexes: { readonly atTicks: Ticks; readonly index: number }[] = []
  #pauseTimePercent: number | null = null
  #atTicks: Ticks | null = null
  #detail: ServerGc['detail'] = null

  /**
   * Returns the pauses, ms, of collections that were not known before; none for the first frame, whose collections may
   * be old.
   */
  take(gc: Pick<GcWidget, 'pauseTimePercent' | 'kinds'>, atTicks: Ticks): number[] {
    const isFirst = this.#atTicks === null
    const before = this.index
    const pauses: number[] = []
    for (const kind of gc.kinds) {
      const known = this.#kinds.get(kind.kind)?.index ?? 0
      if (kind.index < known) continue
      if (!isFirst && kind.index > known) pauses.push(kind.pauseMs)
      this.#kinds.set(kind.kind, kind)
    }
    if (gc.pauseTimePercent !== null && (isFirst || this.index > before)) this.#pauseTimePercent = gc.pauseTimePercent
    if (this.#pauseTimePercent === null) return []
    this.#atTicks = atTicks
    this.#count(atTicks)
    return pauses
  }

  /** Takes a response of `memory/gc`. Returns its new pauses, as `take` does. */
  takeDetail(response: GcResponse, atTicks: Ticks): number[] {
    const pauses = this.take(response, atTicks)
    const { committedBytes, pinnedObjects } = response
    this.#detail = { atTicks, committedBytes, pinnedObjects }
    return pauses
  }

  /** Number of the newest collection, over all kinds, since the server started; 0: none. */
  get index(): number {
    return Math.max(0, ...Array.from(this.#kinds.values(), ({ index }) => index))
  }

  get newest(): GcKind | null {
    const { index } = this
    return index === 0 ? null : ([...this.#kinds.values()].find((kind) => kind.index === index) ?? null)
  }

  /** Collections per minute, of all kinds; null: not observed for long enough. */
  get perMinute(): number | null {
    const first = this.#indexes[0]
    const last = this.#indexes.at(-1)
    if (first === undefined || last === undefined || last.atTicks - first.atTicks < COUNTED_TICKS) return null
    return ((last.index - first.index) / (last.atTicks - first.atTicks)) * COUNTED_TICKS
  }

  now(recentPauseShare: number | null): ServerGc | null {
    if (this.#atTicks === null || this.#pauseTimePercent === null) return null
    const { newest, index, perMinute } = this
    return {
      atTicks: this.#atTicks,
      index,
      perMinute,
      newest,
      pauseTimePercent: this.#pauseTimePercent,
      recentPauseShare,
      detail: this.#detail,
      kinds: [...this.#kinds.values()],
    }
  }

  #count(atTicks: Ticks): void {
    const last = this.#indexes.at(-1)
    const { index } = this
    if (last !== undefined && (atTicks <= last.atTicks || index < last.index)) return
    if (last !== undefined && atTicks - last.atTicks > FORGOTTEN_TICKS) this.#indexes = []
    this.#indexes.push({ atTicks, index })
    // Counts from the newest entry that is old enough.
    const from = this.#indexes.findLastIndex((each) => atTicks - each.atTicks >= COUNTED_TICKS)
    if (from > 0) this.#indexes.splice(0, from)
  }
}

import type { Bytes } from '../../../base/brand.ts'
import { seededRandom } from '../../../base/random.ts'
import { spanFromMs, type Ticks, TICKS_PER_MS, type TickSpan, type TimeRange } from '../../../base/ticks.ts'
import { Pace } from '../../../capture/worker/turns.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IoColumnsParams, IoEventRef, IoLaneColumns } from '../../../feeds/io/contract.ts'
import {
  STALL_LIMIT,
  type EnvironmentName,
  type SlowStorage,
  type StallRow,
  type StallsParams,
  type StallsResponse,
  type WriteExample,
} from '../contract.ts'
import { judgeCircumstances, type CircumstanceSpans } from './circumstances.ts'
import { judgementsOf, type JudgedStall } from './evidence.ts'
import { findStalls, judgeStalls, medianWriteMs, stallMsOf, type Judged } from './judge.ts'
import { sharesOf } from './known-time.ts'
import { slowLanes } from './slow.ts'
import { lanesOf, reportedVolumes, type Stall, type WriteRef } from './lanes.ts'
import { bisectNumbers } from '../../../base/columns/bisect.ts'

/** Fixed seed of the random numbers, so that the same data give the same result. */
const SEED = 20_201_101
/** Growth of the number of writes after which they are judged again even without a new stall. */
const MORE_WRITES = 1.1

export interface StallSource {
  readonly version: () => number
  readonly columns: (params: IoColumnsParams) => Promise<readonly IoLaneColumns[]>
  /** Text by which a link selects an event. */
  readonly selectionOf: (event: IoEventRef) => string
  /** Volume of all data of a source, as the server reports it. Null: there are several, or it is not known. */
  readonly volumeOf: (source: SourceId) => string | null
  /** Circumstances of the watched server within a range, as far as they are known. */
  readonly circumstances: (within: TimeRange) => Promise<readonly CircumstanceSpans[]>
}

/** Newest judgement, with the judged stalls. */
interface Last extends Judged {
  readonly key: string
  readonly writes: number
  readonly found: readonly Stall[]
  readonly circumstances: readonly CircumstanceSpans[]
}

/** Whether the stalls are the same, in order of start, among about as many writes. */
const isSame = (last: Last, found: readonly Stall[], writes: number): boolean =>
  writes < MORE_WRITES * last.writes &&
  found.length === last.found.length &&
  found.every(({ lane, start, end }, i) => {
    const before = last.found[i]
    return before?.lane === lane && before.start === start && before.end === end
  })

/**
 * Finds and explains the stalls of the sources' journal writes. They are judged again only if there are new stalls or
 * considerably more writes.
 */
export class StallsJudge {
  readonly #io: StallSource
  /** Newest judgement by the limit of events, as coarse and complete responses alternate. */
  readonly #last = new Map<number, Last>()

  constructor(io: StallSource) {
    this.#io = io
  }

  /** Returns the judgement. Can be aborted. */
  async respond(params: StallsParams, signal: AbortSignal): Promise<StallsResponse> {
    const { sources, rule, volumes, most, range } = params
    const version = this.#io.version()
    const leastTicks = spanFromMs(rule.leastMs)
    const columns = await this.#io.columns({ sources, most, leastTicks, timesMedian: rule.timesMedian })
    const extent = extentOf(columns)
    const originTicks = extent.startTicks
    const volumeOf = (source: SourceId): string | null => this.#io.volumeOf(source)
    const lanes = lanesOf(columns, volumes, volumeOf, originTicks)
    const medians = lanes.map(medianWriteMs)
    const writes = lanes.reduce((all, lane) => all + lane.writes.start.length, 0)
    const found = findStalls(lanes, rule, medians)
    const key = JSON.stringify([
      [sources, rule, volumes, most, originTicks],
      columns.map(({ lane }, i) => [lane, lanes[i]?.volume]),
    ])
    let last = this.#last.get(most)
    if (last?.key !== key || !isSame(last, found, writes)) {
      const pace = new Pace(signal)
      const judged = await judgeStalls(lanes, found, seededRandom(SEED), () => pace.step())
      const circumstances = await this.#io.circumstances(extent)
      last = { ...judged, key, writes, found, circumstances }
      this.#last.set(most, last)
    }
    const isIn = ({ startTicks }: { readonly startTicks: number }): boolean =>
      range === null || (startTicks >= range.startTicks && startTicks < range.endTicks)
    const fromMs = range === null ? Number.NEGATIVE_INFINITY : (range.startTicks - originTicks) / TICKS_PER_MS
    const toMs = range === null ? Number.POSITIVE_INFINITY : (range.endTicks - originTicks) / TICKS_PER_MS
    const { claims, tried } = last
    const slow = await slowLanes(
      lanes,
      medians.map((ms) => stallMsOf(rule, ms)),
      { leastMs: rule.leastMs, fromMs, toMs },
      signal,
    )
    // Row numbers may have changed since the judgement, if older writes arrived.
    const stalls = found.flatMap((stall, i): JudgedStall[] =>
      stall.start >= fromMs && stall.start < toMs ? [{ ...stall, ...(claims[i] as JudgedStall) }] : [],
    )
    const selectionOf = ({ lane }: IoLaneColumns, kind: string, { bytes, ...event }: Timed): string =>
      this.#io.selectionOf({ lane, kind, ...event, sizeBytes: bytes as Bytes })
    const writeOf = ({ lane, row }: WriteRef): WriteExample => {
      const of = columns[lane] as IoLaneColumns
      const [startTicks, durationTicks] = [of.writes.startTicks[row] as Ticks, of.writes.durationTicks[row] as TickSpan]
      const event = { startTicks, durationTicks, bytes: of.writes.bytes[row] as number }
      return { ...event, ...nameOf(of), selection: selectionOf(of, 'JournalWrite', event) }
    }
    const rowOf = (stall: JudgedStall): StallRow => ({
      ...unjudged(columns[stall.lane] as IoLaneColumns, 'JournalWrite', writeOf(stall), null),
      selection: writeOf(stall).selection,
      cause: stall.cause,
      confidence: stall.confidence,
      blamed: stall.blamed === null ? null : nameOf(columns[stall.blamed] as IoLaneColumns),
      of: 'write',
    })
    const sums = columns.flatMap((lane, i) => {
      const leastSum = spanFromMs(stallMsOf(rule, medians[i] ?? 0))
      return lane.sums
        .filter((sum) => sum.maxTicks >= leastSum && isIn(sum))
        .map(({ startTicks, maxTicks }) => ({ lane, startTicks, durationTicks: maxTicks, bytes: Number.NaN }))
    })
    const others = columns.flatMap((lane) =>
      lane.slowOthers.filter(isIn).map((event) => Object.assign({ lane }, event)),
    )
    const rows = [
      ...longest(stalls, ({ start, end }) => end - start).map(rowOf),
      ...longest(sums, ({ durationTicks }) => durationTicks).map((sum) =>
        unjudged(sum.lane, 'JournalWrite', sum, null),
      ),
      ...longest(others, ({ durationTicks }) => durationTicks).map((event) =>
        unjudged(event.lane, event.kind, event, selectionOf(event.lane, event.kind, event)),
      ),
    ]
    const isUntold = stalls.length === 0 && sums.length > 0
    return {
      version,
      stalls: longest(rows, ({ durationMs }) => durationMs),
      total: stalls.length,
      totalOfAll: found.length,
      sums: sums.length,
      others: others.length,
      judgements: judgementsOf({ lanes, stalls, tried, fromMs, toMs, isUntold, writeOf }),
      circumstances: judgeCircumstances(last.circumstances, columns, stalls, originTicks),
      writes: lanes.reduce(
        (all, { writes: { start } }) => all + bisectNumbers(start, toMs) - bisectNumbers(start, fromMs),
        0,
      ),
      rolledUp: columns.reduce<number | null>(
        (sum, { summedWrites }) => (sum === null || summedWrites === null ? null : sum + summedWrites),
        0,
      ),
      slow: slow.map(({ lane, firstMs, lastMs, ...figures }): SlowStorage =>
        Object.assign(figures, nameOf(columns[lane] as IoLaneColumns), {
          sinceTicks: (originTicks + spanFromMs(firstMs)) as Ticks,
          untilTicks: (originTicks + spanFromMs(lastMs)) as Ticks,
        }),
      ),
      isComplete: !columns.some(({ isCut }) => isCut),
      unknownVolumes: lanes.filter(({ isVolumeKnown }) => !isVolumeKnown).length,
      reportedVolumes: reportedVolumes(columns, volumes, volumeOf),
      lanes: sharesOf(columns, stalls, params.unknown, range),
    }
  }
}

const nameOf = ({ source, label, path }: IoLaneColumns): EnvironmentName => ({ source, label, environment: path })

/** Range from the first write of any lane to the end of the last one. */
function extentOf(columns: readonly IoLaneColumns[]): TimeRange {
  const known = columns.filter(({ writes }) => writes.startTicks.length > 0)
  const firsts = known.map(({ writes }) => writes.startTicks[0] as number)
  const ends = known.map(({ writes }) => (writes.startTicks.at(-1) ?? 0) + (writes.durationTicks.at(-1) ?? 0))
  return {
    startTicks: (firsts.length === 0 ? 0 : Math.min(...firsts)) as Ticks,
    endTicks: Math.max(0, ...ends) as Ticks,
  }
}

const longest = <T>(items: readonly T[], durationOf: (item: T) => number): T[] =>
  items.toSorted((a, b) => durationOf(b) - durationOf(a)).slice(0, STALL_LIMIT)

interface Timed {
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  readonly bytes: number
}

const unjudged = (
  lane: IoLaneColumns,
  kind: string,
  { startTicks, durationTicks, bytes }: Timed,
  selection: string | null,
): StallRow => ({
  ...nameOf(lane),
  kind,
  startTicks,
  durationMs: durationTicks / TICKS_PER_MS,
  bytes,
  cause: 'unexplained',
  confidence: 0,
  blamed: null,
  of: selection === null ? 'sum' : 'other',
  selection,
})

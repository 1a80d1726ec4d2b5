import type { Bytes } from '../../../base/brand.ts'
import { seededRandom } from '../../../base/random.ts'
import { spanFromMs, type Ticks, TICKS_PER_MS, type TickSpan, type TimeRange } from '../../../base/ticks.ts'
import { Pace } from '../../../capture/worker/turns.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IoColumnsParams, IoEventRef, IoLaneColumns } from '../../io/contract.ts'
import {
  STALL_LIMIT,
  type CauseJudgement,
  type CircumstanceJudgement,
  type EnvironmentName,
  type StallRow,
  type StallsParams,
  type StallsResponse,
  type WriteExample,
} from '../contract.ts'
import { judgeCircumstances, type CircumstanceSpans } from './circumstances.ts'
import { findStalls, medianWriteMs, stallMsOf } from './judging/baseline.ts'
import type { JudgedStall, Stall, WriteRef } from './judging/events.ts'
import { judgeStalls } from './judging/judge.ts'
import { sharesOf } from './known-time.ts'
import { lanesOf, originOf, reportedVolumes } from './lanes.ts'

/** Chance is drawn from a fixed seed: the same data give the same result. */
const SEED = 20_201_101
/** Without a further stall it is judged again when there are so many times as many writes. */
const MORE_WRITES = 1.1

export interface StallSource {
  readonly version: () => number
  readonly columns: (params: IoColumnsParams) => Promise<readonly IoLaneColumns[]>
  /** Text by which a link selects an event. */
  readonly selectionOf: (event: IoEventRef) => string
  /** The one volume of all data of a source, as the server reports it; null: several, or not known. */
  readonly volumeOf: (source: SourceId) => string | null
  /** Of the server that is watched, as far as known, in this time. */
  readonly circumstances: (within: TimeRange) => Promise<readonly CircumstanceSpans[]>
}

/** What was judged last, and of what. */
interface Last {
  readonly key: string
  readonly writes: number
  readonly stalls: readonly JudgedStall[]
  readonly judgements: readonly CauseJudgement[]
  readonly circumstances: readonly CircumstanceJudgement[]
}

/** The same stalls, by start, among about as many writes. */
const isSame = (last: Last, found: readonly Stall[], writes: number): boolean =>
  writes < MORE_WRITES * last.writes &&
  found.length === last.stalls.length &&
  found.every(({ lane, start, end }, i) => {
    const before = last.stalls[i]
    return before?.lane === lane && before.start === start && before.end === end
  })

/** Finds and explains the stalls of the sources' journal writes. Judges again only when there are more of them. */
export class StallsJudge {
  readonly #io: StallSource
  /** By how many writes were to be judged: a coarse response and a whole one take turns. */
  readonly #last = new Map<number, Last>()

  constructor(io: StallSource) {
    this.#io = io
  }

  /** Aborting stops the work. */
  async respond(params: StallsParams, signal: AbortSignal): Promise<StallsResponse> {
    const { sources, rule, volumes, most } = params
    const version = this.#io.version()
    const leastTicks = spanFromMs(rule.leastMs)
    const columns = await this.#io.columns({ sources, most, leastTicks, timesMedian: rule.timesMedian })
    const originTicks = originOf(columns)
    const lanes = lanesOf(columns, volumes, (source) => this.#io.volumeOf(source), originTicks)
    const medians = lanes.map(medianWriteMs)
    const sums = columns.flatMap((lane, i) => {
      const leastSum = spanFromMs(stallMsOf(rule, medians[i] ?? 0))
      return lane.sums.filter(({ maxTicks }) => maxTicks >= leastSum).map((sum) => ({ lane, sum }))
    })
    const writes = lanes.reduce((all, lane) => all + lane.writes.start.length, 0)
    const found = findStalls(lanes, rule, medians)
    const key = JSON.stringify([
      sources,
      rule,
      volumes,
      most,
      originTicks,
      sums.length,
      columns.map(({ lane }) => lane),
      lanes.map(({ volume }) => volume),
    ])
    const refOf = ({ lane, row }: WriteRef): WriteExample => {
      const { writes: own, lane: id } = columns[lane] as IoLaneColumns
      const event = {
        startTicks: own.startTicks[row] as Ticks,
        durationTicks: own.durationTicks[row] as TickSpan,
        bytes: own.bytes[row] as number,
      }
      const sizeBytes = event.bytes as Bytes
      const selection = this.#io.selectionOf({ ...event, lane: id, kind: 'JournalWrite', sizeBytes })
      return { ...event, ...nameOf(columns[lane] as IoLaneColumns), selection }
    }
    const judge = async (): Promise<Last> => {
      const pace = new Pace(signal)
      const input = { lanes, medians, rule, summed: sums.length }
      const judged = await judgeStalls(input, seededRandom(SEED), () => pace.step())
      const judgements = judged.judgements.map((judgement): CauseJudgement => ({
        ...judgement,
        counterExamples: judgement.counterExamples.map(refOf),
      }))
      await pace.step()
      const spans = await this.#io.circumstances(extentOf(columns))
      const circumstances = judgeCircumstances(spans, columns, judged.stalls, originTicks)
      return { key, writes, stalls: judged.stalls, judgements, circumstances }
    }
    const before = this.#last.get(most)
    const last = before?.key === key && isSame(before, found, writes) ? before : await judge()
    this.#last.set(most, last)
    // Rows may have moved since, where older ones arrived.
    const stalls = last.stalls.map((stall, i): JudgedStall => ({ ...stall, row: found[i]?.row ?? stall.row }))
    const rowOf = (stall: JudgedStall): StallRow => ({
      ...refOf(stall),
      kind: 'JournalWrite',
      durationMs: stall.end - stall.start,
      cause: stall.cause,
      confidence: stall.confidence,
      blamed: stall.blamed === null ? null : nameOf(columns[stall.blamed] as IoLaneColumns),
      of: 'write',
    })
    const others = columns.flatMap((lane) => lane.slowOthers.map((event) => ({ lane, event })))
    const rows = [
      ...longest(stalls, ({ start, end }) => end - start).map(rowOf),
      ...longest(sums, ({ sum }) => sum.maxTicks).map(({ lane, sum }) =>
        unjudged(lane, 'JournalWrite', { ...sum, durationTicks: sum.maxTicks, bytes: Number.NaN }, null),
      ),
      ...longest(others, ({ event }) => event.durationTicks).map(({ lane, event }) =>
        unjudged(lane, event.kind, event, this.#io.selectionOf(eventRef(lane, event))),
      ),
    ]
    return {
      version,
      stalls: longest(rows, ({ durationMs }) => durationMs),
      total: stalls.length,
      sums: sums.length,
      others: others.length,
      judgements: last.judgements,
      circumstances: last.circumstances,
      writes,
      rolledUp: columns.reduce<number | null>(
        (sum, { summedWrites }) => (sum === null || summedWrites === null ? null : sum + summedWrites),
        0,
      ),
      slowMedians: medians.filter((ms) => ms >= rule.leastMs),
      isComplete: !columns.some(({ isCut }) => isCut),
      unknownVolumes: lanes.filter(({ isVolumeKnown }) => !isVolumeKnown).length,
      reportedVolumes: reportedVolumes(columns, volumes, (source) => this.#io.volumeOf(source)),
      lanes: sharesOf(columns, stalls, params.unknown),
    }
  }
}

const nameOf = ({ source, label, path }: IoLaneColumns): EnvironmentName => ({ source, label, environment: path })

/** From the first write of any lane to the end of the last. */
function extentOf(columns: readonly IoLaneColumns[]): TimeRange {
  const firsts = columns.flatMap(({ writes }) => writes.startTicks[0] ?? [])
  const ends = columns.flatMap(({ writes: { startTicks, durationTicks } }) => {
    const last = startTicks.at(-1)
    return last === undefined ? [] : last + (durationTicks.at(-1) ?? 0)
  })
  const [startTicks, endTicks] = firsts.length === 0 ? [0, 0] : [Math.min(...firsts), Math.max(...ends)]
  return { startTicks: startTicks as Ticks, endTicks: endTicks as Ticks }
}

const longest = <T>(items: readonly T[], durationOf: (item: T) => number): T[] =>
  items.toSorted((a, b) => durationOf(b) - durationOf(a)).slice(0, STALL_LIMIT)

interface Timed {
  readonly startTicks: number
  readonly durationTicks: number
  readonly bytes: number
}

const eventRef = ({ lane }: IoLaneColumns, { kind, ...event }: Timed & { readonly kind: string }): IoEventRef => ({
  lane,
  kind,
  startTicks: event.startTicks as Ticks,
  durationTicks: event.durationTicks as TickSpan,
  sizeBytes: event.bytes as Bytes,
})

const unjudged = (
  lane: IoLaneColumns,
  kind: string,
  { startTicks, durationTicks, bytes }: Timed,
  selection: string | null,
): StallRow => ({
  ...nameOf(lane),
  kind,
  startTicks: startTicks as Ticks,
  durationMs: durationTicks / TICKS_PER_MS,
  bytes,
  cause: 'unexplained',
  confidence: 0,
  blamed: null,
  of: selection === null ? 'sum' : 'other',
  selection,
})

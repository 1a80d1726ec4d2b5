import type { Ticks } from '../../../base/brand.ts'
import { Pace } from '../../../capture/worker/turns.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IoLaneColumns } from '../../io/contract.ts'
import { STALL_LIMIT, type StallRow, type StallsParams, type StallsResponse } from '../contract.ts'
import type { Lane } from './judging/events.ts'
import { judgeStalls, type JudgedStall } from './judging/judge.ts'
import { lanesOf, originOf } from './lanes.ts'

/** Newest events of a lane and kind that are judged. */
const MOST_EVENTS = 2_000_000
/** Chance is drawn from a fixed seed: the same data give the same answer. */
const SEED = 20_201_101

export interface StallSource {
  readonly version: () => number
  readonly columns: (sources: readonly SourceId[], most: number) => Promise<readonly IoLaneColumns[]>
}

/** Finds and explains the stalls of the sources' journal writes. Aborting stops the work. */
export async function respondStalls(
  io: StallSource,
  params: StallsParams,
  signal: AbortSignal,
): Promise<StallsResponse> {
  const version = io.version()
  const columns = await io.columns(params.sources, MOST_EVENTS)
  const originTicks = originOf(columns)
  const lanes = lanesOf(columns, params.volumes, originTicks)
  const pace = new Pace(signal)
  const { stalls, judgements } = await judgeStalls(lanes, params.rule, seeded(SEED), () => pace.step())
  const rowOf = (stall: JudgedStall): StallRow => ({
    source: (columns[stall.lane] as IoLaneColumns).source,
    environment: (columns[stall.lane] as IoLaneColumns).path,
    kind: 'JournalWrite',
    startTicks: (columns[stall.lane] as IoLaneColumns).writes.startTicks[stall.row] as Ticks,
    durationMs: stall.end - stall.start,
    bytes: stall.bytes,
    cause: stall.cause,
    confidence: stall.confidence,
    blamed: stall.blamed === null ? null : (columns[stall.blamed] as IoLaneColumns).path,
  })
  const longest = stalls.toSorted((a, b) => b.end - b.start - (a.end - a.start)).slice(0, STALL_LIMIT)
  return {
    version,
    stalls: longest.map(rowOf),
    total: stalls.length,
    judgements,
    writes: lanes.reduce((sum, { writes }) => sum + writes.start.length, 0),
    rolledUp: columns.reduce((sum, { rolledUpWrites }) => sum + rolledUpWrites, 0),
    unknownVolumes: lanes.filter(({ isVolumeKnown }) => !isVolumeKnown).length,
    lanes: sharesOf(lanes, stalls),
  }
}

function sharesOf(lanes: readonly Lane[], stalls: readonly JudgedStall[]): StallsResponse['lanes'] {
  const found = lanes.map(({ environment, writes }, lane) => {
    const own = stalls.filter((stall) => stall.lane === lane)
    const seenMs = (writes.end.at(-1) ?? 0) - (writes.start[0] ?? 0)
    const stalledMs = own.reduce((sum, { start, end }) => sum + end - start, 0)
    return { environment, stalls: own.length, stalledShare: seenMs > 0 ? Math.min(1, stalledMs / seenMs) : 0 }
  })
  return found.filter(({ stalls: count }) => count > 0).toSorted((a, b) => b.stalledShare - a.stalledShare)
}

/** Mulberry32. Returns numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

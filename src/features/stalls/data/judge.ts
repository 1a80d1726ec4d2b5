import { groupBy } from '../../../base/columns/group-by.ts'
import type { StallCause, StallRule, SteadyRate } from '../contract.ts'
import { durationOf, durationsIn, type Lane, type Stall } from './lanes.ts'
import { limitOf, ownRates } from './rate.ts'
import { standstills } from './standstill.ts'
import { medianOf } from '../../../base/statistics/quantile.ts'
import { waitsFor, type Interval, type Waiting } from './waits.ts'

/** Median duration of a lane's journal writes, from an even sample, ms. NaN: there are none. */
export const medianWriteMs = ({ writes }: Lane): number => medianOf(durationsIn(writes))

/** Minimum duration of a stall in a lane with this median, ms. */
export const stallMsOf = (rule: StallRule, medianMs: number): number =>
  Number.isNaN(medianMs) ? rule.leastMs : Math.max(rule.leastMs, rule.timesMedian * medianMs)

/** Stalls of all lanes, by start. */
export function findStalls(lanes: readonly Lane[], rule: StallRule, medians: readonly number[]): Stall[] {
  const stalls: Stall[] = []
  for (const [lane, { writes }] of lanes.entries()) {
    const leastMs = stallMsOf(rule, medians[lane] ?? 0)
    for (let row = 0; row < writes.start.length; row++) {
      if (durationOf(writes, row) < leastMs) continue
      const [start, end, bytes] = [writes.start[row], writes.end[row], writes.bytes[row]] as [number, number, number]
      stalls.push({ lane, row, start, end, bytes })
    }
  }
  return stalls.toSorted((a, b) => a.start - b.start)
}

/** Possible cause of a stall, with its evidence. */
export interface Claim {
  readonly cause: StallCause
  /** Share of the evidence for this cause that neither chance nor usual writes explain, 0 to 1. */
  readonly confidence: number
  /** Lane that the stall waited for. Null: its own, or none. */
  readonly blamed: number | null
  /** Steady rate of the bytes. Null: another cause. */
  readonly rate: SteadyRate | null
}

const UNEXPLAINED: Claim = { cause: 'unexplained', confidence: 0, blamed: null, rate: null }

/** Causes that are another I/O on the volume, in the order in which they are tested. */
type WaitedFor = 'sync' | 'flush' | 'neighbour'

/** Possible cause of waiting that was tested on one volume, confirmed or not. */
export interface Tried extends Pick<Waiting, 'ids' | 'intervals' | 'concerns'> {
  readonly cause: WaitedFor
}

export interface Judged {
  /** Claim with the highest score for each stall. */
  readonly claims: readonly Claim[]
  readonly tried: readonly Tried[]
}

/**
 * Puts each stall down to what explains it best. Each mechanism scores each stall once, in this order:
 * 1. bytes at a steady rate: of a write by itself (`ownRates`), or of its volume (`limitOf`);
 * 2. it waited for another I/O of its volume (`waitsFor`): a sync, a flush, or a write that is as long as its own bytes take;
 * 3. of what neither explains: everything paused at once (`standstills`).
 * The highest score wins; what has none is unexplained. `stalls`: by start.
 */
export async function judgeStalls(
  lanes: readonly Lane[],
  stalls: readonly Stall[],
  random: () => number,
  step: () => Promise<void>,
): Promise<Judged> {
  const claims = stalls.map((): Claim[] => [])
  const claim = (stall: number, made: Partial<Claim> & Pick<Claim, 'cause' | 'confidence'>): void => {
    claims[stall]?.push({ blamed: null, rate: null, ...made })
  }
  const pick = (indices: readonly number[]): Stall[] => indices.map((i) => stalls[i] as Stall)
  const own = await ownRates(lanes, stalls, step)
  for (const [i, { start, end, bytes }] of stalls.entries()) {
    const confidence = own[i] as number
    const rate = { bytesPerSecond: (bytes / (end - start)) * 1000, of: 'write' } as const
    if (confidence > 0) claim(i, { cause: 'bytes', confidence, rate })
  }
  const tried: Tried[] = []
  for (const [, volume] of groupBy([...lanes.entries()], ([, lane]) => lane.volume)) {
    const ids = volume.map(([id]) => id)
    const isOfVolume = new Set(ids)
    const indices = [...stalls.keys()].filter((i) => isOfVolume.has((stalls[i] as Stall).lane))
    const ofVolume = volume.map(([, lane]) => lane)
    const limit = limitOf(ofVolume, pick(indices.filter((i) => own[i] === 0)))
    for (const i of limit === null ? [] : indices.filter((i) => limit.isWithin(stalls[i] as Stall)))
      claim(i, { cause: 'bytes', confidence: limit?.share ?? 0, rate: limit?.rate ?? null })

    const intervalsOf = (kind: 'syncs' | 'flushes'): Interval[] =>
      volume
        .flatMap(
          ([
            id,
            {
              [kind]: { start, end },
            },
          ]) => Array.from(start, (from, row) => ({ start: from, end: end[row] as number, lane: id })),
        )
        .toSorted((a, b) => a.start - b.start)
    const [syncs, flushes] = [intervalsOf('syncs'), intervalsOf('flushes')]
    const large: Interval[] = pick(indices.filter((i) => (own[i] as number) > 0))
    const ofOwn: Waiting['concerns'] = (holder, lane) => holder === lane
    const ofOthers: Waiting['concerns'] = (holder, lane) => holder !== lane
    for (const [cause, intervals, concerns] of [
      ['sync', syncs, ofOwn],
      ['sync', syncs, ofOthers],
      ['flush', flushes, ofOwn],
      ['flush', flushes, ofOthers],
      ['neighbour', large, ofOthers],
    ] as const) {
      await step()
      // Stalls that their own bytes or a sync explain are no evidence for flushes and other writes.
      const isOpen = (i: number): boolean =>
        cause === 'sync' || claims[i]?.every((each) => each.rate?.of === 'volume') === true
      const open = indices.filter(isOpen)
      const waiting = { lanes, ids, stalls: pick(open), intervals, concerns, isAlone: cause === 'neighbour' }
      const waits = await waitsFor(waiting, random, step)
      tried.push({ cause, ids, intervals, concerns })
      for (const [at, { lane: blamed }] of waits?.waited ?? [])
        claim(open[at] as number, { cause, confidence: 1 - (waits?.chance ?? 0), blamed })
    }
  }
  const left = [...stalls.keys()].filter((i) => claims[i]?.length === 0)
  const still = await standstills(lanes, pick(left), random, step)
  for (const at of still?.together ?? [])
    claim(left[at] as number, { cause: 'standstill', confidence: 1 - (still?.chance ?? 0) })
  const best = (all: readonly Claim[]): Claim => all.toSorted((a, b) => b.confidence - a.confidence)[0] ?? UNEXPLAINED
  return { claims: claims.map(best), tried }
}

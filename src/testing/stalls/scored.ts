import { seededRandom } from '../../base/random.ts'
import { DEFAULT_RULE, type StallCause } from '../../features/stalls/contract.ts'
import { findStalls, judgeStalls, medianWriteMs } from '../../features/stalls/data/judge.ts'
import type { Lane } from '../../features/stalls/data/lanes.ts'
import type { Labelled } from './recordings.ts'

/** Cause that the judgement is to name, by that of the label; what is not here was not injected, and is not scored. */
const EXPECTED: Readonly<Record<string, StallCause>> = {
  'sync-blocks-journal': 'sync',
  'big-write': 'bytes',
  throttle: 'bytes',
  'neighbour-index': 'neighbour',
  'other-process': 'standstill',
  'slow-alone': 'unexplained',
  coincidence: 'unexplained',
  sync: 'sync',
  flush: 'flush',
  bytes: 'bytes',
  neighbour: 'neighbour',
  standstill: 'standstill',
  operations: 'unexplained',
  random: 'unexplained',
}

export interface Score {
  /** By expected cause: how many stalls have it, and how many of them were judged so. */
  readonly of: Partial<Record<StallCause, { all: number; right: number }>>
  /** Stalls that got a cause, and those of them that got another than expected. */
  readonly claims: number
  readonly wrong: number
  readonly judged: Readonly<Record<string, number>>
}

/** Compares the judgement with the labels. */
export async function scoreOf({ lanes, truths, stallMs }: Labelled): Promise<Score> {
  const stalls = findStalls(lanes, DEFAULT_RULE, lanes.map(medianWriteMs))
  const { claims: made } = await judgeStalls(lanes, stalls, seededRandom(1), () => Promise.resolve())
  const judgedOf = new Map(stalls.map(({ lane, row }, i) => [`${String(lane)} ${String(row)}`, made[i]?.cause]))
  const of: Partial<Record<StallCause, { all: number; right: number }>> = {}
  const judged: Record<string, number> = {}
  let [claims, wrong] = [0, 0]
  for (const [lane, truth] of truths.entries())
    for (const [row, { cause, heldMs }] of truth) {
      const expected = EXPECTED[cause]
      const { start, end } = (lanes[lane] as Lane).writes
      const ms = (end[row] as number) - (start[row] as number)
      if (expected === undefined || heldMs < stallMs || heldMs < ms / 2) continue
      const got = judgedOf.get(`${String(lane)} ${String(row)}`) ?? 'unexplained'
      const score = (of[expected] ??= { all: 0, right: 0 })
      score.all++
      if (got === expected) score.right++
      if (got !== 'unexplained') claims++
      if (got !== 'unexplained' && got !== expected) wrong++
      judged[`${cause} → ${got}`] = (judged[`${cause} → ${got}`] ?? 0) + 1
    }
  return { of, claims, wrong, judged }
}

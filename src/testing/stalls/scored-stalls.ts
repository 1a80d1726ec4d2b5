import { expect, it } from 'vitest'
import { seededRandom } from '../../base/random.ts'
import { DEFAULT_RULE, STALL_CAUSES, type StallCause } from '../../features/stalls/contract.ts'
import { medianWriteMs } from '../../features/stalls/data/judging/baseline.ts'
import type { Events, Lane } from '../../features/stalls/data/judging/events.ts'
import { judgeStalls, type Judged } from '../../features/stalls/data/judging/judge.ts'
import { zeroByCause } from './by-cause.ts'
import type { GeneratedEvent, GeneratedLane } from './generated-stalls.ts'

/** `npm run verify:stats` takes many, and prints what it finds. */
const SEEDS = Number(process.env['STALL_SEEDS'] ?? 2)
const FIRST_SEED = Number(process.env['STALL_FIRST_SEED'] ?? 1)
const MINUTES = Number(process.env['STALL_MINUTES'] ?? 20)
const PRINTS = process.env['STALL_SEEDS'] !== undefined

function eventsOf(events: readonly GeneratedEvent[]): Events {
  const { length } = events
  const found = { start: new Float64Array(length), end: new Float64Array(length), bytes: new Float64Array(length) }
  for (const [row, { start, end, bytes }] of events.entries()) {
    found.start[row] = start
    found.end[row] = end
    found.bytes[row] = bytes
  }
  return found
}

export function judged(
  generated: readonly GeneratedLane[],
  seed: number,
  isVolumeKnown = true,
  summed = 0,
): Promise<Judged> {
  const lanes = generated.map(({ environment, volume, writes, syncs, compressions = [] }): Lane => ({
    environment,
    volume,
    isVolumeKnown,
    writes: eventsOf(writes),
    syncs: eventsOf(syncs.toSorted((a, b) => a.start - b.start)),
    compressions: eventsOf(compressions),
  }))
  return judgeStalls({ lanes, medians: lanes.map(medianWriteMs), rule: DEFAULT_RULE, summed }, seededRandom(seed))
}

interface Score {
  stalls: number
  claims: number
  falseClaims: number
  /** By cause: how many stalls have it, and how many of these are found. */
  readonly due: Record<StallCause, number>
  readonly found: Record<StallCause, number>
  /** Captures in which a cause has a verdict that no stall of it deserves. */
  falseVerdicts: number
}

async function scoreOf(generate: (seed: number) => GeneratedLane[], isVolumeKnown: boolean): Promise<Score> {
  const score: Score = {
    stalls: 0,
    claims: 0,
    falseClaims: 0,
    due: zeroByCause(),
    found: zeroByCause(),
    falseVerdicts: 0,
  }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const generated = generate(seed * 7919)
    const { stalls, judgements } = await judged(generated, seed, isVolumeKnown)
    const truths = new Set<StallCause>()
    for (const { lane, row, cause } of stalls) {
      const truth = generated[lane]?.writes[row]?.truth ?? 'unexplained'
      truths.add(truth)
      score.stalls++
      score.due[truth]++
      if (cause === truth) score.found[truth]++
      if (cause !== 'unexplained') score.claims++
      if (cause !== 'unexplained' && cause !== truth) score.falseClaims++
    }
    const claimed = judgements.filter(
      ({ cause, verdict }) => cause !== 'unexplained' && (verdict === 'explains' || verdict === 'contributes'),
    )
    if (claimed.some(({ cause }) => !truths.has(cause))) score.falseVerdicts++
  }
  return score
}

const CAUSES = STALL_CAUSES.filter((cause) => cause !== 'unexplained')
/** Of a scenario. Those that are released early cannot be distinguished from others; a few short captures may have many of them. */
const RECALL = PRINTS && MINUTES >= 120 ? 0.9 : 0.7
/** Of each of these causes, over all scenarios together. */
const RECALL_OF_ALL = PRINTS && MINUTES >= 120 ? 0.95 : 0.75
const TOLD_WELL = ['sync', 'size', 'neighbour', 'ceiling'] as const

/** Tests that each scenario is judged by its mechanism. */
export function testScenarios<Name extends string>(
  scenarios: readonly Name[],
  generate: (scenario: Name, seed: number, lasts: number) => GeneratedLane[],
): void {
  const [allDue, allFound] = [zeroByCause(), zeroByCause()]
  it.each(scenarios)('%s: is judged by its mechanism', { timeout: SEEDS * 60_000 }, async (scenario) => {
    const isVolumeKnown = !scenario.startsWith('unknown')
    const score = await scoreOf((seed) => generate(scenario, seed, MINUTES * 60_000), isVolumeKnown)
    const { stalls, claims, falseClaims, due, found, falseVerdicts } = score
    const present = CAUSES.filter((cause) => due[cause] >= Math.max(20, 0.02 * stalls))
    // Where there is nothing to find, of the stalls.
    const precision = 1 - falseClaims / Math.max(1, present.length === 0 ? stalls : claims)
    const recalls = present.map((cause) => `${cause} ${(found[cause] / due[cause]).toFixed(3)}`)
    if (PRINTS)
      process.stdout.write(
        `| ${scenario} | ${stalls} | ${claims} | ${falseClaims} | ${precision.toFixed(4)} | ${recalls.join(', ') || '–'} | ${falseVerdicts} of ${SEEDS} |\n`,
      )
    for (const cause of CAUSES) {
      allDue[cause] += due[cause]
      allFound[cause] += found[cause]
    }
    // Without a cause a heavy tail may stall once in an hour.
    if (scenario !== 'nothing') expect(stalls > 0).toBe(scenario !== 'quiet')
    expect(precision).toBeGreaterThanOrEqual(0.98)
    expect(falseVerdicts).toBeLessThanOrEqual(Math.ceil(0.005 * SEEDS) - (SEEDS < 200 ? 1 : 0))
    expect(present.filter((cause) => found[cause] / due[cause] < RECALL)).toEqual([])
  })

  it('finds the causes that much data tells well', () => {
    const recalls = TOLD_WELL.filter((cause) => allDue[cause] >= 20).map(
      (cause) => [cause, allFound[cause] / allDue[cause]] as const,
    )
    if (PRINTS)
      process.stdout.write(
        `| together | ${recalls.map(([cause, recall]) => `${cause} ${recall.toFixed(3)}`).join(', ')} |\n`,
      )
    expect(recalls.filter(([, recall]) => recall < RECALL_OF_ALL)).toEqual([])
  })
}

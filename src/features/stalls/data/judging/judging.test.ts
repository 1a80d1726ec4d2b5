import { describe, expect, it } from 'vitest'
import {
  generateStalls,
  STALL_SCENARIOS,
  type GeneratedEvent,
  type GeneratedLane,
  type StallScenario,
} from '../../../../testing/generated-stalls.ts'
import { seededRandom } from '../../../../testing/random.ts'
import { DEFAULT_RULE, type StallCause } from '../../contract.ts'
import type { Events, Lane } from './events.ts'
import { judgeStalls, type Judged } from './judge.ts'

/** `npm run verify:stats` takes many, and prints what it finds. */
const SEEDS = Number(process.env['STALL_SEEDS'] ?? 2)
const MINUTES = Number(process.env['STALL_MINUTES'] ?? 30)
const PRINTS = process.env['STALL_SEEDS'] !== undefined

const eventsOf = (events: readonly GeneratedEvent[]): Events => ({
  start: Float64Array.from(events, ({ start }) => start),
  end: Float64Array.from(events, ({ end }) => end),
  bytes: Float64Array.from(events, ({ bytes }) => bytes),
})

const judged = (generated: readonly GeneratedLane[], seed: number): Promise<Judged> =>
  judgeStalls(
    generated.map(({ environment, volume, writes, syncs }): Lane => ({
      environment,
      volume,
      isVolumeKnown: true,
      writes: eventsOf(writes),
      syncs: eventsOf(syncs.toSorted((a, b) => a.start - b.start)),
    })),
    DEFAULT_RULE,
    seededRandom(seed),
  )

interface Score {
  stalls: number
  claims: number
  falseClaims: number
  due: number
  found: number
  /** Captures in which a cause has a verdict that no stall of it deserves. */
  falseVerdicts: number
}

async function scoreOf(scenario: StallScenario): Promise<Score> {
  const score: Score = { stalls: 0, claims: 0, falseClaims: 0, due: 0, found: 0, falseVerdicts: 0 }
  for (let seed = 1; seed <= SEEDS; seed++) {
    const generated = generateStalls(scenario, seed * 7919, MINUTES * 60_000)
    const { stalls, judgements } = await judged(generated, seed)
    const truths = new Set<StallCause>()
    for (const { lane, row, cause } of stalls) {
      const truth = generated[lane]?.writes[row]?.truth ?? 'unexplained'
      truths.add(truth)
      score.stalls++
      if (truth !== 'unexplained') score.due++
      if (truth !== 'unexplained' && cause === truth) score.found++
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

/** Of stalls that have a cause, the share that gets it; where others stall at the same time, some cannot be told apart. */
const RECALL: Partial<Record<StallScenario, number>> = { 'sync among others': 0.7, ceiling: 0.85, outside: 0.9 }

describe.each(STALL_SCENARIOS)('%s', (scenario) => {
  it('is judged by its mechanism', { timeout: SEEDS * 60_000 }, async () => {
    const { stalls, claims, falseClaims, due, found, falseVerdicts } = await scoreOf(scenario)
    const precision = 1 - falseClaims / Math.max(1, claims)
    const recall = found / Math.max(1, due)
    if (PRINTS)
      process.stdout.write(
        `| ${scenario} | ${stalls} | ${precision.toFixed(3)} | ${due === 0 ? '–' : recall.toFixed(3)} | ${falseVerdicts} of ${SEEDS} |\n`,
      )
    expect(stalls > 0).toBe(scenario !== 'quiet')
    expect(precision).toBeGreaterThanOrEqual(0.98)
    expect(falseVerdicts).toBeLessThanOrEqual(Math.ceil(0.005 * SEEDS))
    if (due > 0) expect(recall).toBeGreaterThanOrEqual(RECALL[scenario] ?? 0.95)
  })
})

describe('the judgement', () => {
  it('says that a few writes are too few to tell', async () => {
    const [lane] = generateStalls('sync', 7, 30_000)
    const { judgements } = await judged([{ ...(lane as GeneratedLane), syncs: [] }], 1)
    expect(judgements.find(({ cause }) => cause === 'sync')?.verdict).toBe('too-few')
  })

  it('counts writes that a guilty sync did not hold up', async () => {
    const { judgements } = await judged(generateStalls('sync', 23, 60 * 60_000), 1)
    const sync = judgements.find(({ cause }) => cause === 'sync')
    expect(sync?.verdict).toBe('explains')
    expect(sync?.exposed).toBeGreaterThan(sync?.exposedStalls ?? 0)
    expect(sync?.endedWith).toBeGreaterThan(0.6 * (sync?.exposedStalls ?? 0))
    expect(sync?.effectMs?.[0]).toBeGreaterThan(5)
  })
})

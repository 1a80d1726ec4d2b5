import { describe, expect, it } from 'vitest'
import { isGate } from '../../../testing/gate.ts'
import { scoreOf } from '../../../testing/stalls/scored.ts'
import { SCENARIOS, simulate } from '../../../testing/stalls/simulated.ts'

/** `npm run verify:stats` tries many. */
const SEEDS = Number(process.env['STALL_SEEDS'] ?? 1)
const MINUTES = Number(process.env['STALL_MINUTES'] ?? 4)
const MOST_WRONG = 0.05

/** Combinations of causes: the gate takes one in three. */
const names = Object.keys(SCENARIOS).filter((_, i) => !isGate || i % 3 === 1)

describe.each(names)('simulated: %s', (name) => {
  it(
    'few claims are false',
    async () => {
      let [claims, wrong] = [0, 0]
      const judged: Record<string, number> = {}
      for (let seed = 1; seed <= SEEDS; seed++) {
        const score = await scoreOf(simulate(name, seed, MINUTES))
        claims += score.claims
        wrong += score.wrong
        for (const [pair, count] of Object.entries(score.judged)) judged[pair] = (judged[pair] ?? 0) + count
      }
      if (SEEDS > 1)
        process.stdout.write(`${name} · ${String(claims)} · ${String(wrong)} · ${JSON.stringify(judged)}\n`)
      expect(wrong).toBeLessThanOrEqual(MOST_WRONG * claims)
    },
    60_000 + 5000 * SEEDS * MINUTES,
  )
})

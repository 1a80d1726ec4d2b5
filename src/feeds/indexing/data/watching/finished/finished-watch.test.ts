import { describe, expect, test } from 'vitest'
import {
  FAULTY_FAMILIES,
  faultyStory,
  HEALTHY_FAMILIES,
  healthyStory,
  memoryOfStory,
} from '../../../../../testing/budget-families.ts'
import { inGate } from '../../../../../testing/gate.ts'
import type { MachineMemory } from './batch-memory.ts'
import { judgeFinished } from './finished-watch.ts'

const SEEDS = Array.from({ length: inGate(6, 100) }, (_, i) => i + 1)
const NO_MEMORY: MachineMemory = {
  length: 0,
  atTicks: new Float64Array(),
  physicalBytes: new Float64Array(),
  availableBytes: new Float64Array(),
}
const nameOf = (key: string): string => key.slice(key.indexOf('|') + 1)

describe(`healthy: no finding in ${SEEDS.length} seeds each`, () => {
  test.each(HEALTHY_FAMILIES)(
    '%s',
    (family) => {
      const found = SEEDS.flatMap((seed) => {
        const verdict = judgeFinished(memoryOfStory(healthyStory(family, seed)), NO_MEMORY)
        return verdict.findings.map(({ words }) => `${seed}: ${words}`)
      })
      expect(found).toEqual([])
    },
    60_000,
  )
})

describe(`budgets that are kept: found in ${SEEDS.length} seeds each, with the indexes, the beginning and the size`, () => {
  test.each(FAULTY_FAMILIES)(
    '%s',
    (family) => {
      for (const seed of SEEDS) {
        const story = faultyStory(family, seed)
        const { findings } = judgeFinished(memoryOfStory(story), NO_MEMORY)
        const named = new Set(findings.flatMap(({ indexes }) => indexes.map(nameOf)))
        expect([seed, [...named].toSorted()]).toEqual([seed, story.holders.map(({ name }) => name).toSorted()])
        expect(new Set(findings.map(({ kind }) => kind))).toEqual(
          new Set([family === 'not asked at all' ? 'grew-unasked' : 'budget-held']),
        )
        const first = story.holders.toSorted((a, b) => a.sinceTicks - b.sinceTicks)[0]!
        const early = Math.min(...findings.map(({ atTicks }) => atTicks))
        expect([seed, Math.abs(early - first.sinceTicks) <= 2 * first.betweenTicks]).toEqual([seed, true])
        const size = findings.reduce((sum, { excessBytes }) => sum + excessBytes, 0)
        const truth = story.holders.reduce((sum, { unusedBytes }) => sum + unusedBytes, 0)
        expect([seed, Math.abs(size / truth - 1) < 0.1]).toEqual([seed, true])
      }
    },
    60_000,
  )
})

describe('what the machine has', () => {
  const memory = (physicalBytes: number, availableBytes: number): MachineMemory => ({
    length: 1,
    atTicks: Float64Array.of(faultyStory('flat', 1).holders[0]!.sinceTicks + 1e9),
    physicalBytes: Float64Array.of(physicalBytes),
    availableBytes: Float64Array.of(availableBytes),
  })
  const judge = (of: MachineMemory) => judgeFinished(memoryOfStory(faultyStory('flat', 1)), of).findings

  test('less available than is kept: memory is overcommitted', () => {
    expect(judge(memory(2 ** 40, 2 ** 39)).map(({ kind }) => kind)).toEqual(['budget-held'])
    const [found] = judge(memory(2 ** 40, 2 ** 20))
    expect(found).toMatchObject({ kind: 'over-promised' })
    expect(found?.words).toContain('Only 1.00 MiB were available.')
  })

  test('budgets of batches that run at once are held against it', () => {
    const story = memoryOfStory(healthyStory('asks for what it needs', 3))
    const { peakBytes } = judgeFinished(story, NO_MEMORY)
    expect(judgeFinished(story, memory(peakBytes, peakBytes)).findings).toEqual([])
    const [found] = judgeFinished(story, memory(peakBytes / 2, peakBytes)).findings
    expect(found).toMatchObject({ kind: 'over-promised', excessBytes: peakBytes / 2 })
  })
})

test('one that never used more of its budget is not judged, and is named as such', () => {
  const kept = HEALTHY_FAMILIES.find((family) => family.endsWith('in whole steps') && family.startsWith('reports'))!
  const verdicts = SEEDS.slice(0, 20).map((seed) => judgeFinished(memoryOfStory(healthyStory(kept, seed)), NO_MEMORY))
  expect(verdicts.flatMap(({ unclear }) => unclear.map(nameOf))).toContain('Subject')
})

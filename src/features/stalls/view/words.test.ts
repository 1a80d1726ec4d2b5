import { expect, it } from 'vitest'
import type { CauseJudgement } from '../contract.ts'
import { describeCircumstance, describeEvidence } from './words.ts'

it('says of what is reported late how near a stall began to the report', () => {
  const judgement = { verdict: 'no-evidence', episodes: 4, episodesDuring: 3, stalls: 9, writesShare: 0.5 } as const
  const of = (circumstance: 'cpu' | 'gc' | 'database-load'): string =>
    describeCircumstance({ ...judgement, circumstance })
  expect(of('cpu')).toBe('3 of 4 episodes of unexplained stalls began during it; so did 50.0 % of the writes.')
  expect(of('gc')).toContain('began in the 18.0 s before one was reported; so did 50.0 % of the writes.')
  expect(of('database-load')).toContain('began within 10.0 s of one; so did')
})

it('says of compressions which count, and what there would be by chance, as far as it can be compared', () => {
  const judgement: CauseJudgement = {
    cause: 'compression',
    verdict: 'explains',
    stalls: 12,
    allStalls: 14,
    exposed: 30,
    exposedStalls: 12,
    expected: 0.4,
    endedWith: null,
    expectedEndedWith: null,
    effectMs: [80, 60, 100],
    limit: null,
    compressions: 'any',
    counterExamples: [],
  }
  expect(describeEvidence(judgement)).toBe(
    '12 of 30 writes that followed one stalled; 0.4 by chance; 18 were not held up. Such a write takes 80.0 ms more on average (95 %: 60.0 ms to 100 ms).',
  )
  expect(describeEvidence({ ...judgement, compressions: 'slow', expected: null, effectMs: null })).toBe(
    '12 of 30 writes that followed one that took unusually long stalled; 18 were not held up.',
  )
})

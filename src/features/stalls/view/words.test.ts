import { expect, it } from 'vitest'
import { DEFAULT_RULE, type CauseJudgement, type StallsResponse } from '../contract.ts'
import { describeCircumstance, describeEvidence, describeStalls } from './words.ts'

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

it('says where writes are slow as a whole, so that hardly any stands out', () => {
  const response: StallsResponse = {
    version: 1,
    stalls: [],
    total: 0,
    sums: 0,
    others: 0,
    judgements: [],
    circumstances: [],
    writes: 700,
    rolledUp: 0,
    slowMedians: [180, 254],
    isComplete: true,
    unknownVolumes: 0,
    reportedVolumes: [],
    lanes: [],
  }
  const stalls = 'No stalls among 700 journal writes (at least 50.0 ms and 4 times the median of its environment).'
  expect(describeStalls(response, DEFAULT_RULE)).toBe(
    `${stalls} In 2 environments the median write takes 180 ms to 254 ms: they are slow as a whole, which this rule does not count.`,
  )
  expect(describeStalls({ ...response, slowMedians: [] }, DEFAULT_RULE)).toBe(stalls)
})

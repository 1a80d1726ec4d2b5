import { expect, it } from 'vitest'
import { describeCircumstance } from './words.ts'

it('says of what is reported late how near a stall began to the report', () => {
  const judgement = { verdict: 'no-evidence', episodes: 4, episodesDuring: 3, stalls: 9, writesShare: 0.5 } as const
  const of = (circumstance: 'cpu' | 'gc' | 'database-load'): string =>
    describeCircumstance({ ...judgement, circumstance })
  expect(of('cpu')).toBe('3 of 4 episodes of unexplained stalls began during it; so did 50.0 % of the writes.')
  expect(of('gc')).toContain('began in the 18.0 s before one was reported; so did 50.0 % of the writes.')
  expect(of('database-load')).toContain('began within 10.0 s of one; so did')
})

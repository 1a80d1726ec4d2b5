import { expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import type {
  CauseJudgement,
  Circumstance,
  CircumstanceVerdict,
  StallRow,
  SlowStorage,
  StallsResponse,
} from '../contract.ts'
import { describeCircumstance, describeEvidence, describeStalls } from './words.ts'

it('says of what is reported late how near a stall began to the report', () => {
  const judgement = { verdict: 'no-evidence', episodes: 4, episodesDuring: 3, stalls: 9, writesShare: 0.5 } as const
  const of = (circumstance: 'cpu' | 'gc' | 'database-load'): string =>
    describeCircumstance({ ...judgement, circumstance })
  expect(of('cpu')).toBe(
    '3 of 4 episodes of stalls without another cause began during it; so did 50.0 % of the writes.',
  )
  expect(of('gc')).toContain('began in the 18.0 s before one was reported; so did 50.0 % of the writes.')
  expect(of('database-load')).toContain('began within 10.0 s of one; so did')
})

const SYNC: CauseJudgement = {
  cause: 'sync',
  verdict: 'explains',
  stalls: 42,
  allStalls: 58,
  expected: 3.2,
  exposed: 60,
  exposedStalls: 43,
  rates: [],
  counterExamples: [],
}

it('says what waited, what would by chance, and what was not held up', () => {
  expect(describeEvidence(SYNC)).toBe(
    '42 of 58 stalls waited for a data sync of the same volume; by chance 3 would have. 43 of 60 writes that started during one stalled.',
  )
  expect(describeEvidence({ ...SYNC, expected: 0.2 })).toContain('by chance less than 1 would have.')
  expect(describeEvidence({ ...SYNC, stalls: 0, exposed: 0 })).toBe('There was none of it during these writes.')
})

it('says the rate of bytes, and whether a write or the volume has it', () => {
  const bytes = { ...SYNC, cause: 'bytes', expected: null, exposed: null, exposedStalls: null } as const
  const write = { of: 'write', stalls: 30, bytesPerSecond: [7_900_000, 8_000_000, 8_100_000] } as const
  const volume = { of: 'volume', stalls: 12, bytesPerSecond: [3_000_000, 3_000_000, 3_000_000] } as const
  expect(describeEvidence({ ...bytes, rates: [write] })).toBe(
    '30 of 58 stalls took as long as their bytes at 7.63 MiB/s (half of them 7.53 MiB to 7.72 MiB), as other writes of their size did.',
  )
  expect(describeEvidence({ ...bytes, rates: [volume] })).toContain('it looks like a limit of the volume.')
})

const response: StallsResponse = {
  version: 1,
  stalls: [],
  total: 0,
  totalOfAll: 0,
  sums: 0,
  others: 0,
  judgements: [],
  circumstances: [],
  writes: 700,
  rolledUp: 0,
  slow: [],
  isComplete: true,
  unknownVolumes: 0,
  reportedVolumes: [],
  lanes: [],
}

it('says where writes are slow as a whole, and where stalls lie outside of the range', () => {
  const slow: SlowStorage = {
    source: 'db:shop',
    label: 'Documents',
    environment: '/data',
    writes: 600,
    slow: 420,
    medianMs: 38,
    quickMs: 0.6,
    sinceTicks: 0 as Ticks,
    untilTicks: 1 as Ticks,
    mostPerSecond: 221,
    pace: null,
  }
  expect(describeStalls({ ...response, slow: [slow, { ...slow, label: 'ByName' }] })).toBe(
    'No stalls among 700 journal writes. Documents and 1 other are slow as a whole, which this rule does not count: 420 of 600 writes took long; half of all took 38.0 ms or more, the quickest tenth at most 600 µs. The volume completed at most 221 writes in a second.',
  )
  expect(describeStalls({ ...response, totalOfAll: 12 }, 'in this range')).toBe(
    'No stalls among 700 journal writes in this range; 12 in everything that was seen.',
  )
})

it('names what came with stalls that have no cause, and a state that nearly all writes came with', () => {
  const stalled = { ...response, total: 9, totalOfAll: 9 }
  const sentence = (verdict: CircumstanceVerdict, circumstance: Circumstance): string =>
    describeStalls({
      ...stalled,
      circumstances: [{ circumstance, verdict, episodes: 9, episodesDuring: 9, stalls: 9, writesShare: 1 }],
    })
  expect(sentence('may-contribute', 'gc')).toBe(
    '9 of 700 journal writes stalled. No cause has evidence, but they came with GC pauses more often than by chance.',
  )
  expect(sentence('always', 'cpu')).toBe(
    '9 of 700 journal writes stalled. No cause has evidence. Nearly all writes came with CPU saturation: whether it delays them is unknown.',
  )
  // A collection is reported about every 18 s on a busy server: one is in reach of every write.
  expect(sentence('always', 'gc')).toBe('9 of 700 journal writes stalled. No cause has evidence.')
})

it('calls no cause the main one while more stalls have none', () => {
  const judged = (sync: number, unexplained: number): string =>
    describeStalls({
      ...response,
      total: sync + unexplained,
      judgements: [
        { ...SYNC, stalls: sync },
        { ...SYNC, cause: 'unexplained', stalls: unexplained },
      ],
    })
  expect(judged(8, 88)).toBe('96 of 700 journal writes stalled. 8 by data syncs; for 88 no cause has evidence.')
  expect(judged(48, 48)).toBe('96 of 700 journal writes stalled. Main cause: data syncs.')
})

it('names the longest stall and its cause; the longest of a roll-up has none', () => {
  const row: StallRow = {
    source: 'db:shop',
    label: 'Documents',
    environment: '/data',
    kind: 'JournalWrite',
    startTicks: 0 as Ticks,
    durationMs: 1230,
    bytes: 4096,
    cause: 'sync',
    confidence: 1,
    blamed: null,
    of: 'write',
    selection: null,
  }
  const stalls = [{ ...row, durationMs: 2000, of: 'sum' as const }, row]
  const judged = { ...response, total: 3, judgements: [{ ...SYNC, stalls: 3 }] }
  expect(describeStalls({ ...judged, stalls })).toBe(
    '3 of 700 journal writes stalled, the longest 1.23 s (data sync). Main cause: data syncs.',
  )
})

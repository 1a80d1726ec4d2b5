import { expect, it } from 'vitest'
import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import { commitLines, describeSums, describeWriters } from './commit-lines.ts'

const ms = (value: number): TickSpan => (value * 10_000) as TickSpan
const COMMIT = {
  startTicks: 0 as Ticks,
  waitTicks: null,
  transactionTicks: ms(2),
  writers: 3,
  commands: 42,
  compressionTicks: null,
  otherTicks: ms(1),
  journalTicks: ms(200),
  journalStartTicks: 5 as Ticks,
  nextStartTicks: null,
}
const SUMS = {
  commits: 4,
  leftOut: 0,
  firstTicks: 0 as Ticks,
  lastTicks: 9 as Ticks,
  waitTicks: ms(50),
  transactionTicks: ms(20),
  otherTicks: ms(5),
  compressionTicks: ms(5),
  journalTicks: ms(120),
  writers: 10,
  mostWriters: 5,
}

it('lists the steps of a commit in order, with mean and share of all commits in view', () => {
  expect(commitLines(COMMIT, SUMS).map(({ step, own, all }) => [step, own, all])).toEqual([
    ['Waiting for work', '—', '12.5 ms (25.0 %)'],
    ['Transaction', '2.00 ms', '5.00 ms (10.0 %)'],
    ['Compression', 'none', '1.25 ms (2.50 %)'],
    ['Other', '1.00 ms', '1.25 ms (2.50 %)'],
    ['Journal write', '200 ms', '30.0 ms (60.0 %)'],
  ])
  expect(commitLines(null, null).every(({ own, all }) => own === '—' && all === '—')).toBe(true)
  expect(describeWriters(COMMIT)).toBe('3 operations of clients waited for this commit, with 42 commands.')
  expect(describeSums(SUMS, 'A', 'B')).toBe(
    'Mean of 4 commits from A to B, with their share of the time; 2.5 operations each, at most 5.',
  )
  expect(describeSums({ ...SUMS, leftOut: 2 }, 'A', 'B')).toMatch(
    / 2 more commits are left out: not every step is known\.$/,
  )
})

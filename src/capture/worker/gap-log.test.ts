import { expect, test } from 'vitest'
import type { Bytes, Ticks } from '../../base/brand.ts'
import type { NewGap } from './gap-log.ts'
import { Ledger, uncovered } from './gap-log.ts'

const gap = (startTicks: number, parts: Partial<NewGap> = {}): NewGap => ({
  source: 'db:a',
  lane: null,
  kind: null,
  reason: 'ring-lapped',
  startTicks: startTicks as Ticks,
  endTicks: (startTicks + 5) as Ticks,
  missingCount: 3,
  missingBytes: 4096 as Bytes,
  detail: '',
  ...parts,
})

test('an open gap lasts until now, then ends where it is said', () => {
  const ledger = new Ledger()
  const id = ledger.open('db:a', 'socket-closed', 100 as Ticks, 'closed')
  expect(ledger.snapshot(250 as Ticks)).toMatchObject([{ startTicks: 100, endTicks: 250, missingCount: null }])
  ledger.close(id, { endTicks: 300 as Ticks, reason: 'database-restarted' })
  expect(ledger.snapshot(900 as Ticks)).toMatchObject([{ endTicks: 300, reason: 'database-restarted' }])
  expect(ledger.hasOpen).toBe(false)
})

test('a gap in which nothing was lost goes away', () => {
  const ledger = new Ledger()
  const id = ledger.open('db:a', 'tab-hidden', 1 as Ticks, '')
  ledger.add(gap(7))
  ledger.remove(id)
  expect(ledger.snapshot(null).map(({ reason }) => reason)).toEqual(['ring-lapped'])
})

test('is bounded: the oldest are joined, what is missing is kept, unknown stays unknown', () => {
  const ledger = new Ledger()
  ledger.add(gap(0, { source: 'db:b', missingCount: null }))
  ledger.add(gap(1, { source: 'db:b' }))
  for (let i = 0; i < 3000; i++) ledger.add(gap(10 + i))
  const gaps = ledger.snapshot(null)
  expect(gaps.length).toBe(2000)
  expect(gaps.find(({ source }) => source === 'db:b')).toMatchObject({
    startTicks: 0,
    endTicks: 6,
    missingCount: null,
    missingBytes: 8192,
  })
  const known = gaps.filter(({ source }) => source === 'db:a')
  expect(known.reduce((sum, { missingCount }) => sum + (missingCount ?? 0), 0)).toBe(9000)
})

test.each([
  ['nothing where none is', [], [10, 20]],
  ['what lies before, between and behind', [[12, 18]], [10, 20]],
  ['from the end of one on', [[5, 12]], [12, 20]],
  [
    'what two that touch leave',
    [
      [12, 15],
      [5, 12],
    ],
    [15, 20],
  ],
  ['up to the beginning of one', [[18, 30]], [10, 18]],
  [
    'nothing at all',
    [
      [5, 14],
      [13, 30],
    ],
    null,
  ],
])('what gaps leave uncovered: %s', (_, gaps, left) => {
  const range = ([startTicks, endTicks]: readonly number[]) => ({
    startTicks: startTicks as Ticks,
    endTicks: endTicks as Ticks,
  })
  expect(uncovered(range([10, 20]), gaps.map(range))).toEqual(left === null ? null : range(left))
})

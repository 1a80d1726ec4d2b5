import { expect, test } from 'vitest'
import type { Bytes } from '../../base/brand.ts'
import type { Ticks } from '../../base/ticks.ts'
import type { NewGap } from './gap-log.ts'
import { GapLog } from './gap-log.ts'

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
  const gapLog = new GapLog()
  const id = gapLog.open('db:a', 'socket-closed', 100 as Ticks, 'closed')
  expect(gapLog.snapshot(250 as Ticks)).toMatchObject([{ startTicks: 100, endTicks: 250, missingCount: null }])
  gapLog.close(id, { endTicks: 300 as Ticks, reason: 'database-restarted' })
  expect(gapLog.snapshot(900 as Ticks)).toMatchObject([{ endTicks: 300, reason: 'database-restarted' }])
  expect(gapLog.hasOpen).toBe(false)
})

test('a gap in which nothing was lost goes away', () => {
  const gapLog = new GapLog()
  const id = gapLog.open('db:a', 'tab-hidden', 1 as Ticks, '')
  gapLog.add(gap(7))
  gapLog.remove(id)
  expect(gapLog.snapshot(null).map(({ reason }) => reason)).toEqual(['ring-lapped'])
})

test('is bounded: the oldest are joined, what is missing is kept, unknown stays unknown', () => {
  const gapLog = new GapLog()
  gapLog.add(gap(0, { source: 'db:b', missingCount: null }))
  gapLog.add(gap(1, { source: 'db:b' }))
  for (let i = 0; i < 3000; i++) gapLog.add(gap(10 + i))
  const gaps = gapLog.snapshot(null)
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

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import { RangeMotion } from './range-motion.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const from = (start: number): TimeRange => ({ startTicks: start as Ticks, endTicks: (start + 100) as Ticks })

function moved() {
  const motion = new RangeMotion()
  const committed: TimeRange[] = []
  const seen = { each: [] as (number | null)[], calm: [] as (number | null)[] }
  motion.subscribe(() => seen.each.push(motion.draft()?.range.startTicks ?? null))
  motion.subscribeCalm(() => seen.calm.push(motion.calmDraft()?.range.startTicks ?? null))
  const move = (start: number): void =>
    motion.move({ range: from(start), base: null }, (range) => void committed.push(range))
  return { motion, committed, seen, move }
}

it('tells charts of each move, and the rest of the first, of every 500 ms and of the last', () => {
  const { committed, seen, move } = moved()
  for (let at = 1; at <= 40; at++) {
    move(at)
    vi.advanceTimersByTime(16)
  }
  expect(seen.each).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
  expect(seen.calm).toEqual([1, 32])
  expect(committed).toEqual([])
  vi.advanceTimersByTime(200)
  expect(committed).toEqual([from(40)])
  expect(seen.each.at(-1)).toBeNull()
  expect(seen.calm.at(-1)).toBeNull()
})

it('shows the rest where a movement of more than 500 ms has come to, before it is committed', () => {
  const { seen, move } = moved()
  move(1)
  for (let at = 2; at <= 5; at++) {
    vi.advanceTimersByTime(120)
    move(at)
  }
  vi.advanceTimersByTime(30)
  expect(seen.calm).toEqual([1, 5])
})

it('drops a draft that is stopped', () => {
  const { motion, committed, seen, move } = moved()
  move(1)
  motion.stop()
  vi.advanceTimersByTime(1000)
  expect(committed).toEqual([])
  expect(seen.each).toEqual([1, null])
  expect(motion.calmDraft()).toBeNull()
})

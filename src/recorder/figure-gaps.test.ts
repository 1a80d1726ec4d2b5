import { expect, test } from 'vitest'
import { parseTicks, TICKS_PER_SECOND, type Ticks } from '../base/ticks.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { ServerModel } from '../feeds/server/data/model.ts'
import { FigureGapTap } from './figure-gaps.ts'

const NOON = parseTicks('2026-11-27T12:00:00.0000000Z')
const at = (seconds: number): Ticks => (NOON + seconds * TICKS_PER_SECOND) as Ticks

function watched() {
  const model = new ServerModel()
  const taken: string[] = []
  const take = (record: ArchiveRecord): void => {
    if (record.t !== 'gap') throw new Error('It is no gap.')
    const { lane, startTicks, endTicks, reason, detail } = record.gap
    taken.push(
      `${String(lane)} ${String((startTicks - NOON) / TICKS_PER_SECOND)}–${String((endTicks - NOON) / TICKS_PER_SECOND)} ${reason}: ${detail}`,
    )
  }
  const seen = (from: number, to: number): void => {
    for (let second = from; second <= to; second++) model.coverage.received(at(second))
  }
  return { model, taken, take, seen, tap: new FigureGapTap() }
}

test('a gap of figures is written once, with the reason that is known some time after it', () => {
  const { model, taken, take, seen, tap } = watched()
  seen(0, 20)
  tap.take({ model }, at(20), take)
  seen(60, 62)
  tap.take({ model }, at(62), take)
  expect(taken).toEqual([])
  model.coverage.unresponsive({ startTicks: at(25), endTicks: at(59) }, false)
  seen(62, 75)
  for (const now of [75, 79]) tap.take({ model }, at(now), take)
  expect(taken).toEqual([
    'figures 20–60 server-unresponsive: The server sent nothing, and a request to it was not answered.',
  ])
})

test('a gap that goes on is written at the end, up to then', () => {
  const { model, taken, take, seen, tap } = watched()
  seen(0, 3)
  model.coverage.ended('server-stopped', 'It is gone.')
  tap.take({ model }, at(100), take)
  expect(taken).toEqual([])
  tap.take({ model }, at(101), take, true)
  expect(taken).toEqual(['figures 3–101 server-stopped: It is gone.'])
})

test('the time in which no recorder ran is one, and a recorder that begins with empty tables says so', () => {
  const { model, taken, take, seen, tap } = watched()
  model.coverage.lost(at(-600), true)
  seen(0, 20)
  tap.take({ model }, at(20), take)
  const next = new ServerModel()
  next.coverage.lost(at(21), true)
  for (let second = 23; second < 50; second++) next.coverage.received(at(second))
  tap.take({ model: next }, at(50), take)
  expect(taken).toEqual([
    'figures -600–0 not-watched: The recorder was not running.',
    'figures 21–23 not-watched: The recorder began again with empty tables.',
  ])
})

test('the known time does not go back where a model begins that has no figures yet', () => {
  const { model, taken, take, seen, tap } = watched()
  seen(0, 20)
  model.coverage.ended('server-stopped', 'It is gone.')
  seen(60, 200)
  tap.take({ model }, at(200), take)
  expect(taken).toHaveLength(1)
  expect(tap.knownTicks).toBe(at(200))
  const next = new ServerModel()
  tap.take({ model: next }, at(201), take)
  expect(tap.knownTicks).toBeNull()
  next.coverage.lost(at(200), true)
  tap.take({ model: next }, at(201), take)
  expect(tap.knownTicks).toBe(at(200))
})

test('the known time is not in the future after the clock was set back', () => {
  const { model, take, seen, tap } = watched()
  seen(0, 20)
  model.coverage.ended('server-stopped', 'It is gone.')
  seen(60, 80)
  tap.take({ model }, at(80), take)
  model.coverage.dropFrom(at(10))
  seen(10, 15)
  tap.take({ model }, at(15), take)
  expect(tap.knownTicks).toBe(at(15))
})

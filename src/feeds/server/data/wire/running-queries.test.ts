import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import { queryKey } from '../../../../ravendb/query-key.ts'
import { QueryLog, type RunningQuery } from './running-queries.ts'

const query = (id: number, runningMs: number): RunningQuery => ({
  database: 'orders',
  index: 'Orders/ByTotal',
  id,
  query: `from index 'Orders/ByTotal' where Total > ${String(id)}`,
  startTicks: null,
  runningMs,
  isStreaming: false,
  waitsForIndex: false,
  start: 0,
  pageSize: null,
})
const at = (second: number): Ticks => (second * 10_000_000) as Ticks

describe('queries that are over', () => {
  it('are remembered as they were last seen, from 5 s on, newest first', () => {
    const log = new QueryLog()
    log.note([query(1, 4000), query(2, 900), query(3, 30_000)], at(1))
    log.note([query(1, 6000), query(3, 31_000)], at(2))
    expect(log.ended).toEqual([])
    log.note([query(3, 32_000)], at(3))
    log.note([], at(4))
    expect(log.ended.map(({ id, runningMs, lastTicks }) => [id, runningMs, lastTicks])).toEqual([
      [3, 32_000, at(3)],
      [1, 6000, at(2)],
    ])
  })

  it('of earlier visits come after those of this one', () => {
    const log = new QueryLog()
    log.note([query(3, 8000)], at(30))
    log.note([], at(31))
    log.restore([
      { ...query(3, 7000), lastTicks: at(2) },
      { ...query(1, 6000), lastTicks: at(1) },
    ])
    expect(log.ended.map(({ id, lastTicks }) => [id, lastTicks])).toEqual([
      [3, at(30)],
      [3, at(2)],
      [1, at(1)],
    ])
    const next = new QueryLog()
    next.restore(log.kept)
    expect(next.ended).toEqual(log.ended)
  })

  it('are the newest 50, and the key distinguishes those of two databases', () => {
    const log = new QueryLog()
    for (let id = 0; id < 60; id++) log.note([query(id, 5000)], at(id))
    log.note([], at(60))
    expect(log.ended).toHaveLength(50)
    expect(log.ended[0]!.id).toBe(59)
    expect(log.ended.at(-1)!.id).toBe(10)
    expect(queryKey({ ...query(1, 0), database: 'a' })).not.toBe(queryKey({ ...query(1, 0), database: 'b' }))
  })
})

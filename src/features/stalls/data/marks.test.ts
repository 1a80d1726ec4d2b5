import { describe, expect, it } from 'vitest'
import { TICKS_PER_MS } from '../../../base/ticks.ts'
import type { IoColumns, IoLaneColumns } from '../../io/contract.ts'
import { generateStalls } from '../../../testing/stalls/generated-stalls.ts'
import { DEFAULT_RULE, MARK_LIMIT, MOST_EVENTS } from '../contract.ts'
import { stallMarks } from './marks.ts'
import { StallsJudge } from './responses.ts'

const { signal } = new AbortController()

const columnsOf = (
  events: readonly { readonly start: number; readonly end: number; readonly bytes: number }[],
): IoColumns => {
  const sorted = events.toSorted((a, b) => a.start - b.start)
  return {
    startTicks: Float64Array.from(sorted, ({ start }) => Math.round(start * TICKS_PER_MS)),
    durationTicks: Float64Array.from(sorted, ({ start, end }) => Math.round((end - start) * TICKS_PER_MS)),
    bytes: Float64Array.from(sorted, ({ bytes }) => bytes),
  }
}

function judgeOf(lanes: readonly IoLaneColumns[]): StallsJudge {
  return new StallsJudge({
    version: () => 7,
    columns: () => Promise.resolve(lanes),
    selectionOf: ({ lane, kind, startTicks, durationTicks }) => `${kind} ${startTicks} ${durationTicks} ${lane}`,
    volumeOf: () => null,
    circumstances: () => Promise.resolve([]),
  })
}

const laneOf = (path: string, writes: IoColumns, syncs: IoColumns): IoLaneColumns => ({
  lane: `db:shop|${path}`,
  source: 'db:shop',
  path,
  label: path,
  writes,
  syncs,
  compressions: columnsOf([]),
  isCut: false,
  sums: [],
  summedWrites: 0,
  slowOthers: [{ kind: 'DataFlush', startTicks: 0, durationTicks: 9_000_000, bytes: 1 }],
})

const generated = generateStalls('sync', 11, 20 * 60_000).map(({ environment, writes, syncs }) =>
  laneOf(environment, columnsOf(writes), columnsOf(syncs)),
)
const ASK = { sources: ['db:shop'], settings: {}, isWhole: true }

describe('marks of stalls', () => {
  it('are the journal writes that Stalls lists, with cause and link, ascending', async () => {
    const judge = judgeOf(generated)
    const { marks, total, causes, isComplete } = await stallMarks(judge, ASK, signal)
    const listed = await judge.respond(
      { sources: ['db:shop'], rule: DEFAULT_RULE, volumes: [], unknown: [], most: MOST_EVENTS },
      signal,
    )
    const writes = listed.stalls.filter(({ of }) => of === 'write')
    expect(marks).toHaveLength(writes.length)
    expect(new Set(marks.map(({ selection }) => selection))).toEqual(new Set(writes.map(({ selection }) => selection)))
    expect(marks.map(({ startTicks }) => startTicks)).toEqual(
      marks.map(({ startTicks }) => startTicks).toSorted((a, b) => a - b),
    )
    for (const { lane, selection, startTicks, durationTicks } of marks)
      expect(selection).toBe(`JournalWrite ${startTicks} ${durationTicks} ${lane}`)
    expect(causes).toEqual([{ cause: 'sync', title: 'Data sync', stalls: total }])
    expect(isComplete).toBe(true)
  })

  it('follow the rule that the view has for Stalls', async () => {
    const { total } = await stallMarks(judgeOf(generated), ASK, signal)
    const strict = await stallMarks(judgeOf(generated), { ...ASK, settings: { least: '1000000' } }, signal)
    expect(total).toBeGreaterThan(20)
    expect(strict).toMatchObject({ total: 0, marks: [], causes: [] })
  })

  it('are at most so many, the longest', async () => {
    const count = 3 * MARK_LIMIT
    const writes = Array.from({ length: 10 * count }, (_, i) => ({
      start: i * 1000,
      end: i * 1000 + (i % 10 === 0 ? 100 + i / 1000 : 1),
      bytes: 4096,
    }))
    const { marks, total } = await stallMarks(judgeOf([laneOf('/data', columnsOf(writes), columnsOf([]))]), ASK, signal)
    expect(total).toBe(count)
    expect(marks).toHaveLength(MARK_LIMIT)
    const shortest = Math.min(...marks.map(({ durationTicks }) => durationTicks))
    expect(shortest).toBeGreaterThan((100 + (10 * (count - MARK_LIMIT - 1)) / 1000) * TICKS_PER_MS)
  })
})

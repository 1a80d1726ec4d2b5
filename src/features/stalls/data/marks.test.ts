import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_MS, type TickSpan } from '../../../base/ticks.ts'
import { readRecording } from '../../../testing/stalls/recordings.ts'
import type { IoColumns, IoLaneColumns } from '../../../feeds/io/contract.ts'
import { DEFAULT_RULE, MARK_LIMIT, MOST_EVENTS, type StallsParams } from '../contract.ts'
import type { Events } from './lanes.ts'
import { stallMarks } from './marks.ts'
import { StallsJudge } from './responses.ts'

const { signal } = new AbortController()

const columnsOf = ({ start, end, bytes }: Events): IoColumns => ({
  startTicks: start.map((ms) => Math.round(ms * TICKS_PER_MS)),
  durationTicks: start.map((ms, row) => Math.round(((end[row] ?? 0) - ms) * TICKS_PER_MS)),
  bytes,
})

const judgeOf = (lanes: readonly IoLaneColumns[]): StallsJudge =>
  new StallsJudge({
    version: () => 7,
    columns: () => Promise.resolve(lanes),
    selectionOf: ({ lane, kind, startTicks, durationTicks }) => `${kind} ${startTicks} ${durationTicks} ${lane}`,
    volumeOf: () => null,
    circumstances: () => Promise.resolve([]),
  })

const laneOf = (path: string, writes: Events, syncs: Events): IoLaneColumns => ({
  lane: `db:shop|${path}`,
  source: 'db:shop',
  path,
  label: path,
  writes: columnsOf(writes),
  syncs: columnsOf(syncs),
  flushes: columnsOf({ start: new Float64Array(), end: new Float64Array(), bytes: new Float64Array() }),
  isCut: false,
  sums: [],
  summedWrites: 0,
  slowOthers: [{ kind: 'DataFlush', startTicks: 0 as Ticks, durationTicks: 9_000_000 as TickSpan, bytes: 1 }],
})

const recorded = readRecording('sync-blocks-journal', false).lanes.map(({ environment, writes, syncs }) =>
  laneOf(environment, writes, syncs),
)
const NONE = { start: new Float64Array(), end: new Float64Array(), bytes: new Float64Array() }
const MARKS = { sources: ['db:shop'], settings: {}, isWhole: true }
const ALL: StallsParams = {
  sources: ['db:shop'],
  rule: DEFAULT_RULE,
  volumes: [],
  unknown: [],
  range: null,
  most: MOST_EVENTS,
}

describe('marks of stalls', () => {
  it('are the journal writes that Stalls lists, with cause and link, ascending', async () => {
    const judge = judgeOf(recorded)
    const { marks, total, causes, isComplete } = await stallMarks(judge, MARKS, signal)
    const listed = await judge.respond(ALL, signal)
    const writes = listed.stalls.filter(({ of }) => of === 'write')
    expect(marks).toHaveLength(writes.length)
    expect(new Set(marks.map(({ selection }) => selection))).toEqual(new Set(writes.map(({ selection }) => selection)))
    expect(marks.map(({ startTicks }) => startTicks)).toEqual(
      marks.map(({ startTicks }) => startTicks).toSorted((a, b) => a - b),
    )
    for (const { lane, selection, startTicks, durationTicks } of marks)
      expect(selection).toBe(`JournalWrite ${startTicks} ${durationTicks} ${lane}`)
    expect(causes[0]).toEqual({ cause: 'sync', title: 'Data sync', stalls: expect.any(Number) as number })
    expect(causes.reduce((sum, { stalls }) => sum + stalls, 0)).toBe(total)
    expect(isComplete).toBe(true)
  })

  it('follow the rule that the view has for Stalls', async () => {
    const { total } = await stallMarks(judgeOf(recorded), MARKS, signal)
    const strict = await stallMarks(judgeOf(recorded), { ...MARKS, settings: { least: '1000000' } }, signal)
    expect(total).toBeGreaterThan(20)
    expect(strict).toMatchObject({ total: 0, marks: [], causes: [] })
  })

  it('are at most so many, the longest', async () => {
    const count = 3 * MARK_LIMIT
    const start = Float64Array.from({ length: 10 * count }, (_, i) => i * 1000)
    const end = start.map((ms, i) => ms + (i % 10 === 0 ? 100 + i / 1000 : 1))
    const writes = { start, end, bytes: start.map(() => 4096) }
    const { marks, total } = await stallMarks(judgeOf([laneOf('/data', writes, NONE)]), MARKS, signal)
    expect(total).toBe(count)
    expect(marks).toHaveLength(MARK_LIMIT)
    const shortest = Math.min(...marks.map(({ durationTicks }) => durationTicks))
    expect(shortest).toBeGreaterThan((100 + (10 * (count - MARK_LIMIT - 1)) / 1000) * TICKS_PER_MS)
  })
})

describe('a range', () => {
  it('says what is counted; the causes are those of the whole', async () => {
    const judge = judgeOf(recorded)
    const all = await judge.respond(ALL, signal)
    const own = all.stalls.filter(({ of }) => of === 'write')
    const middle = own.map(({ startTicks }) => startTicks).toSorted((a, b) => a - b)[all.total >> 1] as Ticks
    const [before, after] = await Promise.all(
      [
        { startTicks: 0 as Ticks, endTicks: middle },
        { startTicks: middle, endTicks: Number.MAX_SAFE_INTEGER as Ticks },
      ].map((range) => judge.respond({ ...ALL, range }, signal)),
    )
    expect(before?.total).toBe(all.total >> 1)
    expect(before?.totalOfAll).toBe(all.total)
    for (const of of ['total', 'writes'] as const) expect((before?.[of] ?? 0) + (after?.[of] ?? 0)).toBe(all[of])
    for (const [i, { stalls, exposedStalls }] of all.judgements.entries()) {
      const [first, second] = [before?.judgements[i], after?.judgements[i]]
      expect((first?.stalls ?? 0) + (second?.stalls ?? 0)).toBe(stalls)
      if (exposedStalls !== null) expect((first?.exposedStalls ?? 0) + (second?.exposedStalls ?? 0)).toBe(exposedStalls)
    }
  })
})

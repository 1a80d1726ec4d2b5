import { describe, expect, it } from 'vitest'
import { EventTable } from '../../../base/columns/event-table.ts'
import { seededRandom } from '../../../base/random.ts'
import { BLOCKS } from '../../../base/statistics/block-error.ts'
import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import { Pace } from '../../../capture/worker/turns.ts'
import { SHARES, type CompareSideParams, type FeedLines, type LineEvents, type SideFigures } from '../contract.ts'
import { compareSides } from './compare-sides.ts'
import { knownBlocks } from './known-blocks.ts'
import { loadsOf } from './loads.ts'
import { sideFigures } from './side.ts'

const range = (startSeconds: number, endSeconds: number): TimeRange => ({
  startTicks: (startSeconds * TICKS_PER_SECOND) as Ticks,
  endTicks: (endSeconds * TICKS_PER_SECOND) as Ticks,
})
const ALL = range(0, 1280)
const SEED = 7

/** Line with an event of 1 KiB each 100 ms, as long as `durationOf` says (ms). */
function lineOf(lane: string, durationOf: (row: number) => number, endSeconds = 1280): LineEvents {
  const events = new EventTable({ columnCount: 3, identity: [1, 2], fillable: [] })
  const length = endSeconds * 10
  const columns = [
    Float64Array.from({ length }, (_, i) => i * 100 * TICKS_PER_MS),
    Float64Array.from({ length }, (_, i) => Math.round(durationOf(i) * TICKS_PER_MS)),
    new Float64Array(length).fill(1024),
  ]
  events.merge({ columns, length })
  const parts = [{ events, from: 0, to: length }]
  return { source: 'db:a', lane, path: lane, name: lane, kind: 'JournalWrite', parts, per: null, rollUps: 0 }
}

const request = (parts: Partial<CompareSideParams> = {}): CompareSideParams => ({
  feed: 'io',
  sources: ['db:a'],
  lane: null,
  unknown: [],
  ...ALL,
  ...parts,
})
const linesOf = (lines: readonly LineEvents[]): FeedLines => ({ version: 1, lines, spans: new Map([['db:a', ALL]]) })
const { signal } = new AbortController()

describe('one side of a comparison', () => {
  it('has exact quantiles within their intervals, counts, bytes and rate', async () => {
    const random = seededRandom(SEED)
    const durations = Float64Array.from({ length: 12_800 }, () => 1 + Math.floor(random() * 1e5) / 1e4)
    const { lines } = await sideFigures(linesOf([lineOf('a', (row) => durations[row] as number)]), request(), signal)
    const sorted = durations.toSorted()
    const [line] = lines
    expect(line).toMatchObject({ count: 12_800, bytes: 12_800 * 1024, knownTicks: 1280 * TICKS_PER_SECOND })
    expect(line?.rate?.value).toBeCloseTo(10)
    // They arrive evenly: independent arrivals would vary by 1.7 %.
    expect((line?.rate?.high ?? Number.NaN) / (line?.rate?.low ?? Number.NaN)).toBeLessThan(1.001)
    for (const [i, share] of [0.5, 0.9, 0.99].entries()) {
      const found = line?.quantiles?.[i]
      expect(found?.value).toBe(Math.round((sorted[Math.ceil(share * 12_800) - 1] as number) * TICKS_PER_MS))
      expect(found?.lowest).toBeLessThanOrEqual(found?.low ?? 0)
      expect(found?.low).toBeLessThan(found?.value ?? 0)
      expect(found?.high).toBeGreaterThan(found?.value ?? 0)
      expect(found?.highest).toBeGreaterThanOrEqual(found?.high ?? 0)
    }
  })

  it('keeps the journal writes of which stalls are counted', async () => {
    const slow = (row: number): number => (row === 30 ? 80 : row === 40 ? 50 : row === 50 ? 49 : 2)
    const { lines } = await sideFigures(linesOf([lineOf('a', slow)]), request(), signal)
    expect(lines[0]?.slow).toEqual({
      count: 2,
      sinceTicks: [3 * TICKS_PER_SECOND, 4 * TICKS_PER_SECOND],
      durationTicks: [80 * TICKS_PER_MS, 50 * TICKS_PER_MS],
    })
  })

  it('is surer of independent events than of those that are alike in stretches of time', async () => {
    const random = seededRandom(SEED)
    const stretches = Float64Array.from({ length: 64 }, random)
    const alike = lineOf('alike', (row) => 1 + (stretches[Math.floor(row / 200)] as number))
    const apart = lineOf('apart', () => 1 + random())
    const { lines } = await sideFigures(linesOf([alike, apart]), request(), signal)
    const width = (name: string): number => {
      const median = lines.find((line) => line.name === name)?.quantiles?.[0]
      return (median?.high ?? Number.NaN) - (median?.low ?? Number.NaN)
    }
    expect(width('alike')).toBeGreaterThan(5 * width('apart'))
  })

  it('has durations by document, their rate, and none of batches without documents', async () => {
    const random = seededRandom(SEED)
    const documents = Float64Array.from({ length: 12_800 }, (_, row) =>
      row % 10 === 0 ? -1 : 1 + Math.floor(random() * 50),
    )
    const batches = lineOf('Orders', (row) => 2 + 0.25 * Math.max(0, documents[row] as number))
    const [part] = batches.parts
    const { events } = part as (typeof batches.parts)[number]
    const columns = [0, 1, 2].map((column) =>
      Float64Array.from({ length: 12_800 }, (_, row) => events.read(column, row)),
    )
    const withDocuments = new EventTable({ columnCount: 4, identity: [1], fillable: [] })
    withDocuments.merge({ columns: [...columns, documents], length: 12_800 })
    const line = {
      ...batches,
      kind: 'time per document',
      per: 3,
      parts: [{ events: withDocuments, from: 0, to: 12_800 }],
    }
    const { lines } = await sideFigures(linesOf([line]), request(), signal)
    const told = documents.filter((count) => count > 0)
    const each = told.map((count) => (Math.round((2 + 0.25 * count) * TICKS_PER_MS) * 1000) / count).toSorted()
    expect(lines[0]?.count).toBe(told.length)
    expect(lines[0]?.rate?.value).toBeCloseTo(told.reduce((sum, count) => sum + count, 0) / 1280, 6)
    expect(lines[0]?.max).toBeCloseTo((each.at(-1) as number) / 1000, 2)
    for (const [i, share] of [0.5, 0.9, 0.99].entries())
      expect(lines[0]?.quantiles?.[i]?.value).toBeCloseTo(
        (each[Math.ceil(share * told.length) - 1] as number) / 1000,
        2,
      )
  })

  it('leaves gaps out of the known time', async () => {
    const gap = { source: 'db:a', lane: null, kind: null, ...range(320, 640) }
    const elsewhere = { ...gap, lane: 'other' }
    const { lines } = await sideFigures(linesOf([lineOf('a', () => 1)]), request({ unknown: [gap, elsewhere] }), signal)
    expect(lines[0]?.knownTicks).toBe(960 * TICKS_PER_SECOND)
  })

  it('bounds nothing where a few events are all', async () => {
    const { lines } = await sideFigures(linesOf([lineOf('a', (row) => row + 1, 1)]), request(), signal)
    expect(lines[0]?.quantiles?.[2]).toMatchObject({ low: 0, high: null })
    expect(lines[0]?.count).toBe(10)
  })

  it('stops when it is no longer wanted', async () => {
    const ended = AbortSignal.abort()
    const many = Array.from({ length: 40 }, (_, i) => lineOf(`lane ${i}`, (row) => (row % 97) + 1))
    await expect(sideFigures(linesOf(many), request(), ended)).rejects.toThrow(/abort/i)
  })
})

describe('a system that did not change, under load that swings by three', () => {
  /** As long as they are slow: by the square root of the load, which swings every 50 s. */
  function loadedLine(seed: number, endSeconds: number, gaps: readonly TimeRange[] = []): LineEvents {
    const random = seededRandom(seed)
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const [starts, durations]: [number[], number[]] = [[], []]
    for (let second = 0; ;) {
      const load = Math.sqrt(3) ** Math.sin((2 * Math.PI * second) / 50)
      second -= Math.log(1 - random()) / (20 * load)
      if (second >= endSeconds) break
      const at = Math.round(second * TICKS_PER_SECOND)
      if (gaps.some(({ startTicks, endTicks }) => at >= startTicks && at < endTicks)) continue
      starts.push(at)
      durations.push(Math.round(10 * Math.sqrt(load) * Math.exp(0.2 * normal()) * TICKS_PER_MS))
    }
    const { length } = starts
    const events = new EventTable({ columnCount: 3, identity: [1, 2], fillable: [] })
    events.merge({
      columns: [Float64Array.from(starts), Float64Array.from(durations), new Float64Array(length).fill(1024)],
      length,
    })
    return { ...lineOf('a', () => 1, 1), parts: [{ events, from: 0, to: length }] }
  }
  const figuresOf = (line: LineEvents, seconds: number, gaps: readonly TimeRange[] = []): Promise<SideFigures> => {
    const lines = { ...linesOf([line]), spans: new Map([['db:a', range(0, seconds)]]) }
    const unknown = gaps.map((gap) => ({ source: 'db:a', lane: null, kind: null, ...gap }))
    return sideFigures(lines, request({ ...range(0, seconds), unknown }), signal)
  }
  /** Whether each quantile is taken at the same load, and its change. */
  const changesOf = (before: SideFigures, after: SideFigures): unknown[] =>
    (compareSides(before, after).lines[0]?.figures ?? []).map(({ isAtLoad, comparison }) => [
      isAtLoad,
      comparison.change,
      Math.abs(Math.log(comparison.ratio)) < 0.06,
    ])
  const SAME = SHARES.map(() => [true, 'same', true])

  it('is the same where one range is twice as long', async () => {
    expect(changesOf(await figuresOf(loadedLine(1, 600), 600), await figuresOf(loadedLine(2, 1200), 1200))).toEqual(
      SAME,
    )
  })

  it('is the same where half of one side is unknown', async () => {
    // Gaps lie in each second of two, so that every block is known in part.
    const gaps = Array.from({ length: 600 }, (_, i) => range(2 * i, 2 * i + 0.9))
    const after = await figuresOf(loadedLine(2, 1200, gaps), 1200, gaps)
    expect(changesOf(await figuresOf(loadedLine(1, 1200), 1200), after)).toEqual(SAME)
  })

  it('has no load where most is unknown', async () => {
    const line = lineOf('a', () => 1)
    const gap = { source: 'db:a', lane: null, kind: null, ...range(102, 104.5) }
    const known = { spans: new Map([['db:a', range(0, 1207)]]), unknown: [gap, { ...gap, ...range(203, 209) }] }
    const loads = await loadsOf([line], known, new Pace(signal))
    const perSecond = [...(loads?.perSecond ?? [])]
    // Blocks of 10 s; events are here even where they are called unknown.
    expect([0, 10, 20, 21, 120, 121].map((block) => Math.round(perSecond[block] as number))).toEqual([
      10,
      13,
      Number.NaN,
      10,
      14,
      Number.NaN,
    ])
  })

  it('is the same where one of two lanes is unknown half the time', async () => {
    const sideOf = (seed: number, gaps: readonly TimeRange[]): Promise<SideFigures> => {
      const other = { ...loadedLine(seed + 10, 1200, gaps), lane: 'b', path: 'b', name: 'b' }
      const unknown = gaps.map((gap) => ({ source: 'db:a', lane: 'b', kind: null, ...gap }))
      return sideFigures(linesOf([loadedLine(seed, 1200), other]), request({ ...range(0, 1200), unknown }), signal)
    }
    const [before, after] = [await sideOf(1, []), await sideOf(2, [range(300, 900)])]
    for (const [i, { atLoad }] of before.lines.entries())
      expect(Math.abs((atLoad?.load ?? 0) - (after.lines[i]?.atLoad?.load ?? 9))).toBeLessThan(0.1)
  })
})

describe('known time', () => {
  it('is what no gap covers, however gaps overlap', () => {
    const blocks = knownBlocks(range(0, BLOCKS), [range(-5, 0.5), range(2, 4.25), range(3, 4), range(BLOCKS - 1, 9999)])
    expect(Array.from(blocks.slice(0, 6), (ticks) => ticks / TICKS_PER_SECOND)).toEqual([0.5, 1, 0, 0, 0.75, 1])
    expect(blocks.at(-1)).toBe(0)
  })
})

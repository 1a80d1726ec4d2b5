import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { law } from '../../../../../testing/law.ts'
import type { Ticks, TickSpan } from '../../../../../base/ticks.ts'
import { EventTable } from '../../../../../base/columns/event-table.ts'
import { Pace } from '../../../../../capture/worker/turns.ts'
import { filledIo, requestsOf } from '../../../../../testing/filled-feeds.ts'
import { generateIo } from '../../../../../testing/generated/generated-io.ts'
import { NO_FILTER } from '../../../contract/rows.ts'
import { RollUpTable, type IoRollUp } from '../../rollups.ts'
import { deepestOf, summedUp } from './in-flight.ts'
import type { Part } from '../parts.ts'

const data = generateIo({ seed: 21, databases: ['shop', 'crm'], indexes: 4, seconds: 90, unknownKind: true })
const request = requestsOf([filledIo(data)])
const length = data.endTicks - data.startTicks
const rows = { sources: ['db:shop', 'db:crm', 'server'], find: '', hiddenKinds: [] }

/** How many of the events run at a moment. */
const runningAt = (events: readonly { startTicks: number; durationTicks: number }[], ticks: number): number =>
  events.filter((e) => e.startTicks <= ticks && e.startTicks + Math.max(1, e.durationTicks) > ticks).length

law(
  'the most at once is what runs at the worst moment of the column, at its left edge or where one starts',
  [
    fc.integer({ min: -5, max: 100 }),
    fc.integer({ min: 1, max: 400 }),
    fc.integer({ min: 1, max: 60 }),
    fc.option(fc.integer({ min: 1, max: 50_000 })),
  ],
  { numRuns: 25 },
  async (from, span, columns, minTicks) => {
    const startTicks = Math.round(data.startTicks + (from / 100) * length) as Ticks
    const endTicks = Math.round(startTicks + (span / 1000) * length) as Ticks
    const filter = { ...NO_FILTER, minTicks: minTicks as TickSpan | null }
    const response = await request('io.throughput', { startTicks, endTicks, rows, filter, columns })
    for (const { kind, deepest } of response.kinds) {
      const own = data.events.filter((e) => e.kind === kind && e.durationTicks >= (minTicks ?? 0))
      for (let column = 0; column < columns; column++) {
        const left = startTicks + column * response.columnTicks
        const right = left + response.columnTicks
        const near = own.filter((e) => e.startTicks < right && e.startTicks + e.durationTicks + 1 > left)
        const moments = [left, ...near.map((e) => e.startTicks).filter((t) => t >= left && t < right)]
        expect(deepest[column]).toBe(Math.max(...moments.map((ticks) => runningAt(near, ticks))))
      }
    }
  },
)

it('marks the columns in which a roll-up lies, and no others', async () => {
  const columns = 50
  const startTicks = (data.startTicks - length) as Ticks
  const { columnTicks, kinds } = await request('io.throughput', {
    startTicks,
    endTicks: data.endTicks,
    rows,
    filter: NO_FILTER,
    columns,
  })
  expect(data.rollUps.length).toBeGreaterThan(0)
  for (const kind of new Set(data.rollUps.map((rollUp) => rollUp.kind))) {
    const own = data.rollUps.filter((rollUp) => rollUp.kind === kind && rollUp.endTicks > startTicks)
    const { summedUp } = kinds.find((each) => each.kind === kind)!
    for (let column = 0; column < columns; column++) {
      const left = startTicks + column * columnTicks
      const isInside = own.some((rollUp) => rollUp.startTicks < left + columnTicks && rollUp.endTicks >= left)
      expect(summedUp[column]).toBe(isInside ? 1 : 0)
    }
  }
})

/** A part of events by start and duration, ticks. */
function partOf(rows: readonly (readonly [number, number])[], rollUps = new RollUpTable()): Part {
  const events = new EventTable({ columnCount: 3, identity: [1, 2], fillable: [] })
  const column = (of: (row: readonly [number, number]) => number) => Float64Array.from(rows, of)
  events.merge({ columns: [column(([at]) => at), column(([, took]) => took), column(() => 1)], length: rows.length })
  return { lane: 'a', kind: 'JournalWrite', events, rollUps, predicate: null, from: 0, to: events.length }
}

/** Ends what would go on for ever. */
class CountedPace extends Pace {
  steps = 0
  override async step(): Promise<void> {
    if (++this.steps > 1000) throw new Error('too many steps')
    await Promise.resolve()
  }
}
const counted = () => new CountedPace(new AbortController().signal)

it('takes what starts in one tick at once, also where columns have edges between ticks', async () => {
  const part = partOf(Array.from({ length: 140_000 }, () => [10, 1] as const))
  const columns = { startTicks: 10, columnTicks: 1.5, columns: 4 }
  expect([...(await deepestOf([part], columns, counted()))]).toEqual([140_000, 0, 0, 0])
})

it('sorts each start once, however many events run on', async () => {
  const part = partOf(Array.from({ length: 2000 }, (_, i) => [i * 10, 1_000_000] as const))
  const sort = vi.spyOn(Float64Array.prototype, 'toSorted')
  const deepest = await deepestOf([part], { startTicks: 0, columnTicks: 100, columns: 200 }, counted())
  const sorted = sort.mock.contexts.reduce<number>((sum, numbers) => sum + (numbers as Float64Array).length, 0)
  sort.mockRestore()
  expect(deepest.at(-1)).toBe(2000)
  expect(sorted).toBeLessThanOrEqual(2000)
})

it('marks no column where the unseen part of a roll-up begins only after the view', () => {
  const rollUps = new RollUpTable()
  const rollUp: IoRollUp = {
    startTicks: 100,
    endTicks: 900,
    sizeBytes: 100,
    busyTicks: 100,
    minTicks: 1,
    maxTicks: 9,
    file: 0,
    seenCount: 5,
    seenBytes: 50,
    seenBusyTicks: 50,
    unseenFromTicks: 500,
  }
  rollUps.add(rollUp)
  const marked = (startTicks: number): number[] => [
    ...summedUp([partOf([], rollUps)], { startTicks, columnTicks: 100, columns: 4 }),
  ]
  expect(marked(100)).toEqual([0, 0, 0, 0])
  expect(marked(200)).toEqual([0, 0, 0, 1])
})

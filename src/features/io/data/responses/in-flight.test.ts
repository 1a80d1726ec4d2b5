import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Ticks, TickSpan } from '../../../../base/brand.ts'
import { filledIo, requestsOf } from '../../../../testing/filled-feeds.ts'
import { generateIo } from '../../../../testing/generated-io.ts'
import { NO_FILTER } from '../../contract.ts'

const data = generateIo({ seed: 21, databases: ['shop', 'crm'], indexes: 4, seconds: 90, unknownKind: true })
const request = requestsOf([filledIo(data)])
const length = data.endTicks - data.startTicks
const rows = { sources: ['db:shop', 'db:crm', 'server'], find: '', hiddenKinds: [] }

/** How many of the events run at a moment. */
const runningAt = (events: readonly { startTicks: number; durationTicks: number }[], ticks: number): number =>
  events.filter((e) => e.startTicks <= ticks && e.startTicks + Math.max(1, e.durationTicks) > ticks).length

it('law: the most at once is what runs at the worst moment of the column, at its left edge or where one starts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -5, max: 100 }),
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 60 }),
      fc.option(fc.integer({ min: 1, max: 50_000 })),
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
    ),
    { numRuns: 25 },
  )
})

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

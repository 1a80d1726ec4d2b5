import fc from 'fast-check'
import { expect, it } from 'vitest'
import { law } from '../../../../../testing/law.ts'
import type { Ticks, TickSpan } from '../../../../../base/ticks.ts'
import { filledIo, requestsOf } from '../../../../../testing/filled-feeds.ts'
import { generateIo } from '../../../../../testing/generated/generated-io.ts'
import { NO_FILTER } from '../../../contract/rows.ts'

const data = generateIo({ seed: 8, databases: ['shop'], indexes: 2, seconds: 120, unknownKind: true })
const request = requestsOf([filledIo(data)])
const length = data.endTicks - data.startTicks
const rows = { sources: ['db:shop', 'server'], find: '', hiddenKinds: [] }
const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

law(
  'counts each event and its bytes where it starts, and the time of long ones where they run',
  [
    fc.integer({ min: -5, max: 100 }),
    fc.integer({ min: 1, max: 60 }),
    fc.integer({ min: 1, max: 400 }),
    fc.option(fc.integer({ min: 1, max: 100_000 })),
  ],
  { numRuns: 40, seed: 1167626299 },
  async (from, span, columns, minTicks) => {
    const startTicks = Math.round(data.startTicks + (from / 100) * length) as Ticks
    const endTicks = Math.round(startTicks + (span / 100) * length) as Ticks
    const filter = { ...NO_FILTER, minTicks: minTicks as TickSpan | null }
    const response = await request('io.throughput', { startTicks, endTicks, rows, filter, columns })
    const passing = data.events.filter(({ durationTicks }) => durationTicks >= (minTicks ?? 0))
    for (const { kind, count, bytes, busyTicks, slowestTicks } of response.kinds) {
      const own = passing.filter((event) => event.kind === kind)
      const inside = own.filter((event) => event.startTicks >= startTicks && event.startTicks < endTicks)
      expect(sumOf(count)).toBe(inside.length)
      expect(sumOf(bytes)).toBe(inside.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
      expect(Math.max(...slowestTicks)).toBe(Math.max(0, ...inside.map(({ durationTicks }) => durationTicks)))
      // Events that ran in the range; a short event may run out of it by less than a column.
      const ran = own
        .map((event) => {
          const end = Math.min(event.startTicks + event.durationTicks, endTicks)
          return Math.max(0, end - Math.max(event.startTicks, startTicks))
        })
        .reduce((sum, ticks) => sum + ticks, 0)
      const lanes = new Set(own.map(({ lane }) => lane)).size
      expect(sumOf(busyTicks)).toBeGreaterThanOrEqual(ran - columns)
      expect(sumOf(busyTicks)).toBeLessThanOrEqual(ran + 20 * lanes * response.columnTicks + columns)
      expect(Math.min(...busyTicks)).toBeGreaterThanOrEqual(-1e-3)
    }
    const isRollUpOnly = (kind: string): boolean =>
      response.kinds.some(
        (each) => each.kind === kind && each.summedUp.includes(1) && each.busyTicks.every((busy) => busy === 0),
      )
    for (const { kind } of response.kinds.filter((each) => isRollUpOnly(each.kind)))
      expect(
        data.rollUps.some((band) => band.kind === kind && band.startTicks < endTicks && band.endTicks > startTicks),
      ).toBe(true)
    expect(new Set(response.kinds.map(({ kind }) => kind).filter((kind) => !isRollUpOnly(kind)))).toEqual(
      new Set(
        passing
          .filter((event) => event.startTicks < endTicks && event.startTicks + event.durationTicks > startTicks)
          .map(({ kind }) => kind),
      ),
    )
  },
)

it('shows how many ran at once where events are longer than a column', async () => {
  const slowest = data.events.toSorted((a, b) => b.durationTicks - a.durationTicks)[0]!
  const columns = 40
  const startTicks = (slowest.startTicks - slowest.durationTicks) as Ticks
  const endTicks = (slowest.startTicks + 2 * slowest.durationTicks) as Ticks
  const { kinds } = await request('io.throughput', { startTicks, endTicks, rows, filter: NO_FILTER, columns })
  const { busyTicks } = kinds.find(({ kind }) => kind === slowest.kind)!
  const columnTicks = (endTicks - startTicks) / columns
  const depthAt = (column: number): number =>
    data.events
      .filter(({ kind }) => kind === slowest.kind)
      .reduce((sum, event) => {
        const [left, right] = [startTicks + column * columnTicks, startTicks + (column + 1) * columnTicks]
        const end = event.startTicks + event.durationTicks
        return sum + Math.max(0, Math.min(end, right) - Math.max(event.startTicks, left))
      }, 0) / columnTicks
  for (const column of [15, 20, 25]) {
    expect(busyTicks[column]! / columnTicks).toBeGreaterThan(0.99)
    expect(busyTicks[column]! / columnTicks).toBeCloseTo(depthAt(column), 0)
  }
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../../../../testing/law.ts'
import { DURATION_STEPS, stepOf } from '../../../../../base/columns/duration-steps.ts'
import type { Bytes } from '../../../../../base/brand.ts'
import type { Ticks, TickSpan, TimeRange } from '../../../../../base/ticks.ts'
import { filledIo, requestsOf } from '../../../../../testing/filled-feeds.ts'
import { generateIo } from '../../../../../testing/generated/generated-io.ts'
import { NO_FILTER, type IoFilter, type IoRowRef } from '../../../contract/rows.ts'
import { type IoRowHeat } from '../../../contract/density.ts'

const data = generateIo({ seed: 8, databases: ['shop'], indexes: 2, seconds: 300, unknownKind: true })
const request = requestsOf([filledIo(data)])
const length = data.endTicks - data.startTicks

const rows: IoRowRef[] = data.lanes.flatMap(({ id, kinds }) =>
  kinds.map(({ kind }) => ({ lane: id, kind, file: null })),
)
const rowOf = fc.constantFrom(...rows)
const filterOf = fc
  .record({
    minTicks: fc.option(fc.nat({ max: 20_000 })),
    maxTicks: fc.option(fc.nat({ max: 3_000_000 })),
    minBytes: fc.option(fc.nat({ max: 1 << 20 })),
    maxBytes: fc.option(fc.nat({ max: 1 << 20 })),
  })
  .map((filter) => filter as IoFilter)
/** Disjoint, ascending, before the first event to after the last. */
const piecesOf = fc.uniqueArray(fc.integer({ min: -5, max: 105 }), { minLength: 2, maxLength: 6 }).map((cuts) => {
  const sorted = cuts.toSorted((a, b) => a - b)
  return sorted.flatMap((cut, i): TimeRange[] =>
    i % 2 === 1 || i + 1 === sorted.length
      ? []
      : [
          {
            startTicks: Math.round(data.startTicks + (cut / 100) * length) as Ticks,
            endTicks: Math.round(data.startTicks + (sorted[i + 1]! / 100) * length) as Ticks,
          },
        ],
  )
})
const sumOf = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0)
const stepsOf = ({ steps }: IoRowHeat): number[] =>
  Array.from({ length: DURATION_STEPS }, (_, step) => sumOf(steps.filter((_count, at) => at % DURATION_STEPS === step)))

describe('the heat map of latencies', () => {
  law(
    'counts each event that starts in the pieces once, in the column and step of its start and duration',
    [rowOf, piecesOf, fc.integer({ min: 1, max: length }), fc.oneof(fc.constant(NO_FILTER), filterOf)],
    { numRuns: 60 },
    async (row, pieces, columnTicks, filter) => {
      const { rows: answered } = await request('io.heat', { rows: [row], pieces, columnTicks, filter })
      const heat = answered[0]!
      const inside = data.events.filter(
        ({ lane, kind, startTicks, durationTicks, sizeBytes }) =>
          lane === row.lane &&
          kind === row.kind &&
          pieces.some((piece) => startTicks >= piece.startTicks && startTicks < piece.endTicks) &&
          durationTicks >= (filter.minTicks ?? 0) &&
          durationTicks <= (filter.maxTicks ?? Infinity) &&
          sizeBytes >= (filter.minBytes ?? 0) &&
          sizeBytes <= (filter.maxBytes ?? Infinity),
      )
      expect(sumOf(heat.steps)).toBe(inside.length)
      expect(sumOf(heat.count)).toBe(inside.length)
      const naive = Array.from({ length: DURATION_STEPS }, () => 0)
      for (const { durationTicks } of inside) naive[stepOf(durationTicks)]!++
      expect(stepsOf(heat)).toEqual(naive)
      let before = -Infinity
      for (let i = 0; i < heat.length; i++) {
        const column = heat.columnTicks[i]!
        expect(column).toBeGreaterThan(before)
        before = column
        const own = inside.filter(({ startTicks }) => startTicks >= column && startTicks < column + columnTicks)
        expect(heat.count[i]).toBe(own.length)
        expect(heat.durationTicks[i]).toBe(Math.max(...own.map(({ durationTicks }) => durationTicks)))
        expect(own.some(({ startTicks }) => startTicks === heat.startTicks[i])).toBe(true)
      }
    },
  )

  it('reports roll-ups apart, and counts nothing of them', async () => {
    const { lane, kind } = data.rollUps[0]!
    const pieces = [{ startTicks: (data.startTicks - 1e12) as Ticks, endTicks: data.startTicks }]
    const { rows: answered } = await request('io.heat', {
      rows: [{ lane, kind, file: null }],
      pieces,
      columnTicks: 1e9,
      filter: NO_FILTER,
    })
    expect(answered[0]!.length).toBe(0)
    expect(answered[0]!.rollUps.length).toBeGreaterThan(0)
  })

  it('is empty for a row that the capture does not have', async () => {
    const params = { pieces: [{ startTicks: 0 as Ticks, endTicks: 1 as Ticks }], columnTicks: 1, filter: NO_FILTER }
    const { rows: answered } = await request('io.heat', { ...params, rows: [{ lane: 'x', kind: 'y', file: null }] })
    expect(answered[0]).toMatchObject({ length: 0, rollUps: { length: 0 } })
  })

  it('stops when it is no longer wanted', async () => {
    const gone = AbortSignal.abort()
    const pieces = [{ startTicks: data.startTicks, endTicks: data.endTicks }]
    const filter = { ...NO_FILTER, minTicks: 1 as TickSpan, minBytes: 1 as Bytes }
    const requested = request(
      'io.heat',
      { rows: Array.from({ length: 20_000 }, () => rows[0]!), pieces, columnTicks: 1e6, filter },
      gone,
    )
    await expect(requested).rejects.toThrow(/abort/i)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CssPx } from '../../../../base/brand.ts'
import { fakeIndexing } from '../../../../testing/fake-indexing.ts'
import type { BudgetColumns } from '../useIndexingData.ts'
import { layoutBudgets } from './layout.ts'
import { type BudgetSeries, columnsIn, describeMost, measureOf, rankSeries, stackSeries } from './series.ts'

const capture = await fakeIndexing({ seed: 9, indexes: 16, seconds: 30 })
const data = capture.indexing
const WIDTH = 400
const pieces = [{ startTicks: data.startTicks, endTicks: data.endTicks, startPx: 0 as CssPx, endPx: WIDTH as CssPx }]
const response = await capture.request('indexing.budgets', { indexes: data.indexes.map(({ key }) => key), pieces })
const stepTicks = (data.endTicks - data.startTicks) / WIDTH
const columns: BudgetColumns = {
  response,
  atTicks: Float64Array.from({ length: WIDTH }, (_, i) => data.startTicks + i * stepTicks),
  stepTicks,
}
const ranked = rankSeries(columns, data.startTicks, data.endTicks, (key) => key)

describe('columnsIn', () => {
  it('has every column of the range and at most one more on either side', () => {
    const sorted = fc.uniqueArray(fc.nat({ max: 1000 }), { maxLength: 40 }).map((all) => all.toSorted((a, b) => a - b))
    fc.assert(
      fc.property(sorted, fc.nat({ max: 1000 }), fc.nat({ max: 300 }), (at, start, span) => {
        const [first, end] = columnsIn(Float64Array.from(at), start, start + span)
        const inside = at.flatMap((ticks, i) => (ticks >= start && ticks < start + span ? [i] : []))
        for (const i of inside) expect(i >= first && i < end).toBe(true)
        expect(end - first).toBeLessThanOrEqual(inside.length + 2)
      }),
    )
  })
})

describe('rankSeries', () => {
  it('puts who was granted most first', () => {
    const tops = ranked.map((each) => each.topGrantedBytes)
    expect(tops).toEqual(tops.toSorted((a, b) => b - a))
    expect(tops[0]).toBeGreaterThan(0)
  })
})

describe('describeMost', () => {
  const series = (name: string, topGrantedBytes: number, topBytes: number): BudgetSeries => ({
    ...ranked[0]!,
    name,
    topGrantedBytes,
    topBytes,
  })

  it('names the index with the largest budget, or where none was granted the one that held most', () => {
    expect(describeMost([series('a', 2 ** 20, 2 ** 21), series('b', 0, 9)])).toBe('Most granted in view: a, 1.00 MiB.')
    expect(describeMost([series('a', 0, 2 ** 20)])).toContain('most held: a, 1.00 MiB.')
    expect([describeMost([]), describeMost([series('a', 0, 0)])]).toEqual(['', ''])
  })
})

describe('stackSeries', () => {
  it.each(['granted', 'checked', 'now'] as const)('adds up to the sum of what was measured: %s', (measure) => {
    const stack = stackSeries(columns, ranked, measure, data.startTicks, data.endTicks)
    const top = stack.layers.at(-1)!.upperBytes
    for (let i = stack.first; i < stack.end; i++) {
      const values = response.rows.map((row) => measureOf(row, measure)[i] ?? Number.NaN)
      const sum = values.reduce((total, value) => total + (Number.isNaN(value) ? 0 : value), 0)
      expect(top[i - stack.first]).toBeCloseTo(sum, 0)
      const missing = response.rows.filter((row) => row.ran[i] === 1 && Number.isNaN(measureOf(row, measure)[i])).length
      expect(stack.unmeasured[i - stack.first]).toBe(missing)
    }
  })

  it('never falls from layer to layer, and folds the rest into one', () => {
    const stack = stackSeries(columns, ranked, 'granted', data.startTicks, data.endTicks)
    expect(stack.layers).toHaveLength(12)
    expect(stack.layers.at(-1)).toMatchObject({ index: null, name: `${ranked.length - 11} others` })
    stack.layers.forEach((layer, place) => {
      const below = stack.layers[place - 1]?.upperBytes
      for (let i = 0; i < layer.upperBytes.length; i++)
        expect(layer.upperBytes[i]).toBeGreaterThanOrEqual(below?.[i] ?? 0)
    })
  })
})

describe('layoutBudgets', () => {
  it('tiles the machine, the stack and a row for each index', () => {
    const layout = layoutBudgets(ranked)
    let topPx = 0
    for (const row of layout.rows) {
      expect(row.topPx).toBe(topPx)
      topPx += row.heightPx
    }
    expect(layout.heightPx).toBe(topPx)
    expect(layout.rows.slice(0, 3).map((row) => row.type)).toEqual(['machine', 'stack', 'index'])
  })
})

import { describe, expect, it } from 'vitest'
import { addSpan, spanFromMs } from '../../../../base/ticks.ts'
import { fakeIndexing } from '../../../../testing/fake-indexing.ts'
import { sortIndexes } from './index-rows.ts'
import { NO_FILTER } from '../../../../feeds/indexing/contract/batches.ts'

const capture = await fakeIndexing({ seed: 2, seconds: 30 })
const { indexes, startTicks } = capture.indexing
// Short enough for some indexes to have no batch in it.
const summary = await capture.request('indexing.summary', {
  startTicks,
  endTicks: addSpan(startTicks, spanFromMs(2000)),
  indexes: indexes.map(({ key }) => key),
  filter: NO_FILTER,
  largestLimit: 10,
})

describe('sortIndexes', () => {
  it('puts the busiest first, and the other way round', () => {
    const busy = sortIndexes(summary.indexes, 'busy', true).map((each) => each.busyTicks)
    expect(busy).toEqual(busy.toSorted((a, b) => b - a))
    expect(sortIndexes(summary.indexes, 'busy', false).map((each) => each.busyTicks)).toEqual(busy.toReversed())
  })

  it('puts what is not known last, whichever way', () => {
    for (const descending of [true, false]) {
      const unknown = sortIndexes(summary.indexes, 'p50', descending).map((each) => Number.isNaN(each.p50Ticks))
      expect(unknown).toEqual(unknown.toSorted((a, b) => Number(a) - Number(b)))
      expect(new Set(unknown).size).toBe(2)
    }
  })

  it('sorts by name as people do', () => {
    const names = sortIndexes(summary.indexes, 'name', false).map((each) => each.index)
    expect(names).toEqual(names.toSorted((a, b) => (a ?? '').localeCompare(b ?? '')))
  })
})

import { describe, expect, it } from 'vitest'
import { indexingResponse } from '../../../../testing/fake-indexing-answers.ts'
import { generateIndexing } from '../../../../testing/generated-indexing.ts'
import { sortIndexes } from './index-rows.ts'
import { NO_FILTER } from '../../contract/batches.ts'
import type { IndexingSummaryResponse } from '../../contract/summary.ts'

const data = generateIndexing({ seed: 2, databases: ['shop'], indexes: 6, seconds: 60, budgetsHeld: false })
const summary = indexingResponse(data, data.endTicks, 1, 'indexing.summary', {
  startTicks: data.startTicks,
  endTicks: data.endTicks,
  indexes: data.indexes.map((index) => index.key),
  filter: NO_FILTER,
  largestLimit: 10,
  operations: true,
}) as IndexingSummaryResponse

describe('sortIndexes', () => {
  it('puts the dearest first, and the other way round', () => {
    const busy = sortIndexes(summary.indexes, 'busy', true).map((each) => each.busyTicks)
    expect(busy).toEqual(busy.toSorted((a, b) => b - a))
    expect(sortIndexes(summary.indexes, 'busy', false).map((each) => each.busyTicks)).toEqual(busy.toReversed())
  })

  it('puts what is not known last, whichever way', () => {
    for (const descending of [true, false])
      expect(sortIndexes(summary.indexes, 'p50', descending).at(-1)?.index).toBe('db:shop|Orders/Broken')
  })

  it('sorts by name as people do', () => {
    const names = sortIndexes(summary.indexes, 'name', false).map((each) => each.index)
    expect(names).toEqual(names.toSorted((a, b) => (a ?? '').localeCompare(b ?? '')))
  })
})

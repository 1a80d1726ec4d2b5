import { describe, expect, it } from 'vitest'
import { readIndexMerges } from './index-merge.ts'

/* Shapes as 5.4.207 sends them, and `Errors` as the official Studio reads it on later ones. */

describe('suggestions to merge indexes', () => {
  it('are what one index could replace, what another covers, and what cannot be merged', () => {
    const merged = { Name: null, Maps: ['from d in docs.Things select new { d.A, d.B }'], Reduce: null }
    const response = {
      Unmergables: { 'Auto/Things/ByA': 'Cannot merge auto indexes', 'Things/Odd': null },
      Suggestions: [
        { CanMerge: ['Things/A', 'Things/B'], CanDelete: [], Collection: 'Things', MergedIndex: merged },
        { CanMerge: null, CanDelete: ['Things/C', 'Things/D'], SurpassingIndex: 'Things/D', MergedIndex: null },
      ],
      Errors: [{ IndexName: 'Things/E', Message: 'no syntax', StackTrace: 'at x' }],
    }
    const { merges, covered, unmergeable } = readIndexMerges(response)
    expect(merges).toEqual([
      {
        indexes: ['Things/A', 'Things/B'],
        collection: 'Things',
        maps: merged.Maps,
        reduce: null,
        json: JSON.stringify(merged, null, 2),
      },
    ])
    expect(covered).toEqual([{ index: 'Things/C', by: 'Things/D' }])
    expect(unmergeable).toEqual([
      { index: 'Auto/Things/ByA', reason: 'Cannot merge auto indexes' },
      { index: 'Things/Odd', reason: 'The server reports no reason.' },
      { index: 'Things/E', reason: 'no syntax' },
    ])
  })

  it('are none where the server has none', () =>
    expect(readIndexMerges({ Unmergables: {}, Suggestions: [] })).toEqual({ merges: [], covered: [], unmergeable: [] }))
})

import { describe, expect, it } from 'vitest'
import { cellText } from '../../../base/json/cell-text.ts'
import { resultRow } from './result-row.ts'
import { histogramOf, latencyFigures } from './repeat-figures.ts'
import { timingPicture } from './timing-boxes.ts'

describe('cells', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['1.10', '1.10'],
    ['1e400', '1e400'],
    [String.raw`"a\nb"`, 'a\nb'],
    ['{"a":1.0}', '{"a":1.0}'],
    [undefined, ''],
  ])('%s', (value, text) => expect(cellText(value)).toBe(text))

  it('cuts what no cell shows, without reading it', () => {
    expect(cellText(`"${'x'.repeat(5000)}"`)).toHaveLength(301)
  })

  it('names a document by its metadata, and takes what is no object as it is', () => {
    expect(resultRow('{"@metadata":{"@id":"o/1"},"A":1.0}', 3)).toMatchObject({ id: 'o/1', position: 3 })
    expect(resultRow('1.10', 0)).toMatchObject({ id: null, text: '1.10' })
  })
})

describe('latency', () => {
  it('has the median with an interval that needs no distribution', () => {
    const runs = Array.from({ length: 30 }, (_, i) => i + 1)
    // Ranks 10 and 21 of 30, as in tables of the sign test.
    expect(latencyFigures(runs)).toMatchObject({ median: 15.5, interval: [10, 21], least: 1, most: 30 })
    expect(latencyFigures(runs).p95).toBeCloseTo(28.55)
    expect(latencyFigures([1, 2, 3]).interval).toBeNull()
  })

  it('counts each run in one bin', () => {
    expect(histogramOf([1, 1, 2, 10], 3)).toEqual([3, 0, 1])
    expect(histogramOf([4, 4], 3)).toEqual([2, 0, 0])
  })
})

it('lays timings out from the left, and never wider than their whole', () => {
  const { boxes, all, levels } = timingPicture({
    name: 'Query',
    ms: 10,
    parts: [
      { name: 'A', ms: 6, parts: [{ name: 'A1', ms: 3, parts: [] }] },
      { name: 'B', ms: 6, parts: [] },
    ],
  })
  expect(levels).toBe(3)
  expect(all.map(({ name }) => name)).toEqual(['Query', 'A', 'B', 'A1'])
  expect([...boxes.startShare]).toEqual([0, 0, 0.5, 0])
  expect([...boxes.endShare]).toEqual([1, 0.5, 1, 0.25])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../../testing/law.ts'
import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan } from '../../../base/ticks.ts'
import { toggled } from '../../../capture/client/param-text.ts'
import { DEFAULT_SETTINGS, formatSettings, parseSettings, type IoSettings } from './params.ts'
import type { IoSort } from '../../../feeds/io/contract/rows.ts'

const bound = fc.option(fc.integer({ min: 0, max: 2 ** 40 }))
const names = fc
  .uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 4 })
  .map((items) => new Set(items))
const settings: fc.Arbitrary<IoSettings> = fc.record({
  openLanes: names,
  openKinds: names,
  hiddenKinds: names,
  find: fc.string({ unit: 'grapheme' }),
  page: fc.nat({ max: 1000 }),
  filter: fc.record({ minTicks: bound, maxTicks: bound, minBytes: bound, maxBytes: bound }).map(
    (filter) =>
      filter as {
        minTicks: TickSpan | null
        maxTicks: TickSpan | null
        minBytes: Bytes | null
        maxBytes: Bytes | null
      },
  ),
  fold: fc.boolean(),
  sizeScale: fc.constantFrom('log' as const, 'linear' as const),
  sort: fc.record({
    id: fc.constantFrom<IoSort>('start', 'duration', 'size', 'kind', 'lane', 'file', 'speed'),
    descending: fc.boolean(),
  }),
  table: fc.boolean(),
  lanes: fc.constantFrom('durations' as const, 'heat' as const),
  stalls: fc.boolean(),
  distribution: fc.boolean(),
})

describe('panel parameters', () => {
  law('come back as they went', [settings], (wanted) => {
    expect(parseSettings(formatSettings(wanted))).toEqual(wanted)
  })

  it('leave nothing of the defaults in a link', () => {
    expect(Object.values(formatSettings(DEFAULT_SETTINGS)).every((value) => value === '')).toBe(true)
    expect(parseSettings({})).toEqual(DEFAULT_SETTINGS)
  })

  it('survive what is not understood', () => {
    expect(
      parseSettings({ 'io.open': '%E0%A4%A', 'io.duration': 'x', 'io.sort': 'colour-up', 'io.fold': 'perhaps' }),
    ).toEqual(DEFAULT_SETTINGS)
  })

  it('toggle without touching the set they were given', () => {
    const before = new Set(['a'])
    expect([...toggled(before, 'b')]).toEqual(['a', 'b'])
    expect([...toggled(before, 'a')]).toEqual([])
    expect([...before]).toEqual(['a'])
  })
})

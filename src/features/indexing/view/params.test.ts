import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../../testing/law.ts'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import { DEFAULT_SETTINGS, formatSettings, parseSettings, type CompareSide, type IndexingSettings } from './params.ts'
import { REASON_CODES } from '../../../feeds/indexing/contract/batches.ts'

const bound = fc.option(fc.integer({ min: 0, max: 2 ** 40 }))
const key = fc.string({ minLength: 1, unit: 'grapheme' })
const side: fc.Arbitrary<CompareSide> = fc.record({
  index: fc.option(key),
  range: fc.option(
    fc.tuple(fc.nat(), fc.integer({ min: 1, max: 1e9 })).map(([start, span]) => ({
      startTicks: start as Ticks,
      endTicks: (start + span) as Ticks,
    })),
  ),
})
const settings: fc.Arbitrary<IndexingSettings> = fc.record({
  view: fc.constantFrom('batches' as const, 'budgets' as const, 'compare' as const),
  open: fc.uniqueArray(key, { maxLength: 4 }).map((items) => new Set(items)),
  find: fc.string(),
  order: fc.constantFrom('name' as const, 'busy' as const),
  filter: fc.record({
    minTicks: bound as fc.Arbitrary<TickSpan | null>,
    maxTicks: bound as fc.Arbitrary<TickSpan | null>,
    minDocuments: bound,
    reason: fc.option(fc.constantFrom(...REASON_CODES)),
    hideEmpty: fc.boolean(),
  }),
  fold: fc.boolean(),
  sizeScale: fc.constantFrom('log' as const, 'linear' as const),
  focus: fc.option(key),
  sort: fc.record({ id: fc.constantFrom('name', 'busy', 'p99', 'busyRate'), descending: fc.boolean() }),
  table: fc.boolean(),
  errors: fc.boolean(),
  rowSort: fc.record({ id: fc.constantFrom('duration', 'reason', 'budget'), descending: fc.boolean() }),
  at: fc.option(fc.integer({ min: 0, max: 3e15 })) as fc.Arbitrary<Ticks | null>,
  measure: fc.constantFrom('granted' as const, 'checked' as const, 'now' as const),
  a: side,
  b: side,
})

describe('settings in the URL', () => {
  law('come back as they went', [settings], (given) => {
    const params = Object.fromEntries(Object.entries(formatSettings(given)).filter(([, value]) => value !== ''))
    expect(parseSettings(params)).toEqual(given)
  })

  it('are nothing while all is as at first', () => {
    expect(Object.values(formatSettings(DEFAULT_SETTINGS)).every((value) => value === '')).toBe(true)
    expect(parseSettings({})).toEqual(DEFAULT_SETTINGS)
  })

  it('that make no sense are as at first', () => {
    expect(
      parseSettings({
        'indexing.view': 'upside-down',
        'indexing.duration': 'long',
        'indexing.documents': '-1',
        'indexing.reason': 'none',
        'indexing.sort': 'colour-down',
        'indexing.at': 'now',
        'indexing.a': '20~10~x',
      }),
    ).toEqual({ ...DEFAULT_SETTINGS, a: { index: 'x', range: null } })
  })
})

it('reads the stop reason of an older link', () => {
  expect(parseSettings({ 'indexing.reason': 'untold' }).filter.reason).toBe('not-reported')
})

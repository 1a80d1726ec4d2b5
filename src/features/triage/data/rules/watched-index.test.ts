import { expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import { FAR_BEHIND_DOCUMENTS } from '../thresholds.ts'
import { troubleOfWatched, type WatchedIndex } from './watched-index.ts'

const index = (parts: Partial<WatchedIndex>): WatchedIndex => ({
  source: 'db:Orders',
  index: 'Totals',
  failure: null,
  status: 'Running',
  isStale: true,
  behind: 0,
  atTicks: 0 as Ticks,
  ...parts,
})

it('judges a watched index: failed, stopped with work left, or far behind', () => {
  expect(troubleOfWatched(index({ failure: 'error' }))?.trouble).toBe('stopped')
  expect(troubleOfWatched(index({ status: 'Paused', behind: null }))?.detail).toBe(
    'Its status is Paused. It is not up to date.',
  )
  expect(troubleOfWatched(index({ behind: FAR_BEHIND_DOCUMENTS }))?.trouble).toBe('behind')
})

it('finds nothing wrong with one that catches up, is paused without work, or of which no lag is known', () => {
  expect(troubleOfWatched(index({ behind: FAR_BEHIND_DOCUMENTS - 1 }))).toBeNull()
  expect(troubleOfWatched(index({ status: 'Paused', isStale: false }))).toBeNull()
  expect(troubleOfWatched(index({ behind: null }))).toBeNull()
})

import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../../../base/ticks.ts'
import { atWork, WorkStore } from './work-store.ts'
import type { DatabaseCounts } from '../../wire/work-wire.ts'

const at = (seconds: number): Ticks => (seconds * TICKS_PER_SECOND) as Ticks
const store = (...turns: readonly (readonly [seconds: number, requests: number, writes: number])[]): WorkStore => {
  const made = new WorkStore()
  for (const [seconds, requests, writes] of turns) {
    const zero = { writeBytes: 0, indexed: 0, mapped: 0, reduced: 0 }
    const counts: DatabaseCounts = { atTicks: at(seconds), requests, writes, ...zero }
    made.take(
      'a',
      { counts, indexes: [], states: [], merger: null, mergerTimes: [], waiting: 0, operations: null },
      at(seconds),
    )
  }
  return made
}

describe('rates of a database at work', () => {
  it('are differences of what it counted', () => {
    const rates = store([100, 1000, 50], [120, 1600, 450]).rates('a', at(121))
    expect(rates).toMatchObject({ requestsPerSecond: 30, writesPerSecond: 20, overMs: 20_000, atTicks: at(120) })
  })

  it('are not known of one turn, of turns far apart, after it was loaded again, and once they are old', () => {
    expect(store([100, 1000, 50]).rates('a', at(101))).toBeNull()
    expect(store([100, 1000, 50], [300, 1600, 450]).rates('a', at(301))).toBeNull()
    expect(store([100, 1000, 50], [120, 3, 1]).rates('a', at(121))).toBeNull()
    expect(store([100, 1000, 50], [120, 1600, 450]).rates('a', at(160))).toBeNull()
  })
})

it('what a database answered a minute ago does not hold now', () => {
  const known = store([100, 1000, 50])
  expect(known.newest('a', at(160))).toMatchObject({ atTicks: at(100) })
  expect(known.newest('a', at(161))).toBeUndefined()
  expect(known.newest('b', at(100))).toBeUndefined()
})

it('an index in error, which the server calls paused as well, is not counted as paused', () => {
  const index = (name: string, status: string) => ({ index: name, status, itemsLeft: 9, itemsPerSecond: 0 })
  const work = {
    counts: null,
    indexes: [index('Broken', 'Paused'), index('Held', 'Paused'), index('Off', 'Disabled'), index('Fine', 'Running')],
    states: [{ index: 'Broken', state: 'Error', isStale: true, indexedTicks: null }],
    merger: null,
    mergerTimes: [],
    waiting: 0,
    operations: null,
  }
  const known = { ...work, database: 'a', atTicks: at(1), indexesTicks: at(1), statesTicks: at(1), isPast: false }
  expect(atWork(known)).toMatchObject({ staleIndexes: 4, stoppedIndexes: 2 })
})

it('knows how a backlog grows between two responses, and not over a time without one', () => {
  const nothing = { counts: null, states: [], merger: null, mergerTimes: [], waiting: null, operations: null }
  const index = (name: string, itemsLeft: number) => ({ index: name, status: 'Running', itemsLeft, itemsPerSecond: 5 })
  const made = new WorkStore()
  const growths = (atSeconds: number, ...left: readonly (readonly [string, number])[]) => {
    made.take('a', { ...nothing, indexes: left.map(([name, items]) => index(name, items)) }, at(atSeconds))
    return made.newest('a', at(atSeconds))?.indexes?.map(({ growsPerSecond }) => growsPerSecond)
  }
  expect(growths(100, ['Slow', 500])).toEqual([undefined])
  expect(growths(120, ['Slow', 1000], ['Late', 9])).toEqual([25, undefined])
  expect(growths(220, ['Slow', 1000])).toEqual([undefined])
})

it('keeps what lasts, with its time, where a busy server did not answer a request in time', () => {
  const nothing = { counts: null, merger: null, mergerTimes: [], waiting: null, operations: null }
  const index = (name: string, status: string) => ({ index: name, status, itemsLeft: 9, itemsPerSecond: 0 })
  const made = new WorkStore()
  const state = (name: string, of: string) => ({ index: name, state: of, isStale: true, indexedTicks: null })
  const lasting = [state('Broken', 'Error'), state('Off', 'Disabled')]
  made.take(
    'a',
    {
      ...nothing,
      indexes: [index('Held', 'Paused'), index('Late', 'Running')],
      states: [...lasting, state('Late', 'Normal')],
    },
    at(100),
  )
  made.take('a', { ...nothing, indexes: null, states: null }, at(120))
  const standing = { isPolled: () => true, isLoaded: () => true }
  const known = made.fresh(at(121), standing)
  expect(known).toMatchObject([
    { atTicks: at(120), indexesTicks: at(100), statesTicks: at(100), indexes: [{ index: 'Held' }], states: lasting },
  ])
  // As figures they are unknown.
  expect(atWork(known[0]!)).toMatchObject({ staleIndexes: null, stoppedIndexes: null, itemsLeft: null })
  expect(made.fresh(at(121), { ...standing, isPolled: () => false })).toMatchObject([{ states: lasting }])
  made.take('a', { ...nothing, indexes: null, states: null }, at(1001))
  expect(made.fresh(at(1001), standing)).toMatchObject([{ indexes: null, states: null }])
})

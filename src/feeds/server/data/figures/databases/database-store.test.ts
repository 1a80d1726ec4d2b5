import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../../../base/ticks.ts'
import type { DatabaseRow, DatabaseState } from '../../../../../ravendb/databases/databases.ts'
import { DatabasesStore } from './database-store.ts'
import { readWidget } from '../../wire/widgets.ts'

interface Reported {
  readonly online: boolean
  /** As the fields of the frame. */
  readonly errored: number
  readonly errors: number
}

/** A frame about one database, as the server sends it. */
function take(store: DatabasesStore, row: number, { online, errored, errors }: Reported): void {
  const item = {
    Database: 'orders',
    DocumentsCount: 400,
    IndexesCount: 1,
    ErroredIndexesCount: errored,
    IndexingErrorsCount: errors,
    AlertsCount: 0,
    Online: online,
    Disabled: false,
    Irrelevant: false,
  }
  const date = new Date(Date.UTC(2026, 10, 20, 13, 45, row % 1000)).toISOString()
  const frame = readWidget({ Id: 1, Data: { Type: 'DatabaseOverview', Date: date, Items: [item] } })
  if (frame?.type !== 'DatabaseOverview') throw new Error('the frame was not understood')
  store.overview(frame.databases, row as Ticks)
}

/** Errors in the store after frames of one database. */
function erroredAfter(...frames: readonly Reported[]) {
  const store = new DatabasesStore()
  for (const [row, frame] of frames.entries()) take(store, row, frame)
  return store.withErrors(0).map(({ overview, grewTicks }) => ({
    errored: overview.erroredIndexes,
    errors: overview.indexingErrors,
    grewTicks,
  }))
}

// As a 7.1.5 reports a database with one index in the state Error and 400 indexing errors, loaded and not.
const LOADED: Reported = { online: true, errored: 1, errors: 400 }
const UNLOADED: Reported = { online: false, errored: 400, errors: 0 }

describe('index errors of an unloaded database', () => {
  it('are not taken for errored indexes: the server reports their number in the wrong field', () => {
    expect(erroredAfter(UNLOADED)).toEqual([])
  })

  it('stay what they were when it was loaded', () => {
    expect(erroredAfter(LOADED, UNLOADED)).toEqual([{ errored: 1, errors: 400, grewTicks: null }])
  })

  it('do not grow by its being loaded', () => {
    expect(erroredAfter(UNLOADED, { ...LOADED, errored: 0 })).toEqual([])
    expect(erroredAfter({ ...LOADED, errored: 0 }, UNLOADED, { ...LOADED, errored: 0 })).toEqual([])
  })

  it('grow when there are more than when it was loaded last', () => {
    expect(erroredAfter(LOADED, UNLOADED, { ...LOADED, errors: 401 })).toMatchObject([{ errors: 401, grewTicks: 2 }])
  })
})

describe('index errors of a database that opens its indexes', () => {
  const clean: Reported = { online: true, errored: 0, errors: 0 }
  const some: Reported = { online: true, errored: 0, errors: 37 }

  it('do not grow as they are read', () => {
    expect(erroredAfter(UNLOADED, clean, some)).toEqual([])
    expect(erroredAfter(some, UNLOADED, clean, some)).toEqual([])
    // Restarted, and loaded again before the first frame.
    expect(erroredAfter(some, clean, some)).toEqual([])
    expect(erroredAfter(some, UNLOADED, clean, { ...some, errors: 38 })).toMatchObject([{ errors: 38, grewTicks: 3 }])
  })

  it('grow in the index that has more than when it was asked before', () => {
    const store = new DatabasesStore()
    take(store, 0, some)
    take(store, 1, { ...some, errors: 40 })
    const of = (index: string, errors: number) => ({ index, isErrored: false, errors })
    const failing = () => store.withErrors(0)[0]?.failing.map(({ index, grewTicks }) => [index, grewTicks])
    store.failing('orders', [of('A', 37), of('B', 3)], 2 as Ticks)
    expect(failing()).toEqual([
      ['A', null],
      ['B', null],
    ])
    store.failing('orders', [of('A', 37), of('B', 9), of('C', 1)], 3 as Ticks)
    store.failing('orders', [of('A', 37), of('B', 9), of('C', 2)], 4 as Ticks)
    expect(failing()).toEqual([
      ['A', null],
      ['B', 3],
      ['C', 4],
    ])
  })

  it('of an index that was read before are its own when they grow for the first time', () => {
    const store = new DatabasesStore()
    take(store, 0, some)
    expect(store.withErrors(0)).toEqual([])
    expect(store.withAnyErrors(0).map(({ name }) => name)).toEqual(['orders'])
    const of = (index: string, errors: number) => ({ index, isErrored: false, errors })
    store.failing('orders', [of('A', 37)], 1 as Ticks)
    take(store, 2, { ...some, errors: 40 })
    store.failing('orders', [of('A', 37), of('B', 3)], 3 as Ticks)
    expect(store.withErrors(0)[0]?.failing.map(({ index, grewTicks }) => [index, grewTicks])).toEqual([
      ['A', null],
      ['B', 3],
    ])
    // Cleared, and then some in two indexes at once, fewer than there were.
    take(store, 4, clean)
    take(store, 70 * TICKS_PER_SECOND, clean)
    take(store, 71 * TICKS_PER_SECOND, some)
    store.failing('orders', [of('A', 30), of('B', 7)], 80 as Ticks)
    expect(store.withErrors(0)[0]?.failing.map(({ index, grewTicks }) => [index, grewTicks])).toEqual([
      ['A', 80],
      ['B', 80],
    ])
    // Loaded again, it counts them as it opens its indexes.
    take(store, 80 * TICKS_PER_SECOND, UNLOADED)
    take(store, 81 * TICKS_PER_SECOND, some)
    expect(store.withAnyErrors(82 * TICKS_PER_SECOND)).toEqual([])
  })
})

describe('states of the list', () => {
  const listed = (state: DatabaseState, indexingStatus: string | null = null): DatabaseRow => ({
    name: 'orders',
    state,
    sizeBytes: null,
    tempBytes: null,
    documents: null,
    indexes: null,
    upTimeMs: null,
    indexingErrors: null,
    alerts: null,
    hints: null,
    indexingStatus,
    error: null,
    unloadsSoon: null,
    isSharded: false,
  })

  it('follow the dashboard, which is received more often: what has loaded is not loading any more', () => {
    const store = new DatabasesStore()
    store.listed([listed('loading')], 1 as Ticks)
    take(store, 2, UNLOADED)
    expect(store.states.get('orders')).toMatchObject({ state: 'loading', sinceTicks: 1 })
    take(store, 3, LOADED)
    expect(store.states.get('orders')).toMatchObject({ state: 'online', sinceTicks: 3 })
    store.listed([listed('online', 'Paused')], 4 as Ticks)
    take(store, 5, LOADED)
    expect(store.states.get('orders')).toMatchObject({ state: 'online', indexingStopped: 'Paused', sinceTicks: 4 })
    take(store, 6, UNLOADED)
    expect(store.states.get('orders')).toMatchObject({ state: 'unloaded', indexingStopped: null, sinceTicks: 6 })
  })

  it('keep a fault until the database is loaded', () => {
    const store = new DatabasesStore()
    store.listed([listed('faulted')], 1 as Ticks)
    take(store, 2, UNLOADED)
    expect(store.states.get('orders')?.state).toBe('faulted')
    take(store, 3, LOADED)
    expect(store.states.get('orders')?.state).toBe('online')
  })
})

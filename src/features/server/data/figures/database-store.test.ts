import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../../base/brand.ts'
import type { DatabaseRow, DatabaseState } from '../../../../ravendb/databases/databases.ts'
import { DatabasesBook } from './database-store.ts'
import { readWidget } from '../wire/widgets.ts'

interface Told {
  readonly online: boolean
  /** As the fields of the frame. */
  readonly errored: number
  readonly errors: number
}

/** A frame about one database, as the server sends it. */
function take(book: DatabasesBook, row: number, { online, errored, errors }: Told): void {
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
  const date = new Date(Date.UTC(2026, 10, 20, 13, 45, row)).toISOString()
  const frame = readWidget({ Id: 1, Data: { Type: 'DatabaseOverview', Date: date, Items: [item] } })
  if (frame?.type !== 'DatabaseOverview') throw new Error('the frame was not understood')
  book.overview(frame.databases, row as Ticks)
}

/** What the book says of errors after frames of one database. */
function erroredAfter(...frames: readonly Told[]) {
  const book = new DatabasesBook()
  for (const [row, frame] of frames.entries()) take(book, row, frame)
  return book.withErrors(0).map(({ overview, grewTicks }) => ({
    errored: overview.erroredIndexes,
    errors: overview.indexingErrors,
    grewTicks,
  }))
}

// As a 7.1.5 tells a database with one index in the state Error and 400 indexing errors, loaded and not.
const LOADED: Told = { online: true, errored: 1, errors: 400 }
const UNLOADED: Told = { online: false, errored: 400, errors: 0 }

describe('index errors of an unloaded database', () => {
  it('are not taken for errored indexes: the server tells their number in the wrong field', () => {
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

  it('follow the dashboard, which is heard more often: what has loaded is not loading any more', () => {
    const book = new DatabasesBook()
    book.listed([listed('loading')], 1 as Ticks)
    take(book, 2, UNLOADED)
    expect(book.states.get('orders')).toMatchObject({ state: 'loading', sinceTicks: 1 })
    take(book, 3, LOADED)
    expect(book.states.get('orders')).toMatchObject({ state: 'online', sinceTicks: 3 })
    book.listed([listed('online', 'Paused')], 4 as Ticks)
    take(book, 5, LOADED)
    expect(book.states.get('orders')).toMatchObject({ state: 'online', indexingStopped: 'Paused', sinceTicks: 4 })
    take(book, 6, UNLOADED)
    expect(book.states.get('orders')).toMatchObject({ state: 'unloaded', indexingStopped: null, sinceTicks: 6 })
  })

  it('keep a fault until the database is loaded', () => {
    const book = new DatabasesBook()
    book.listed([listed('faulted')], 1 as Ticks)
    take(book, 2, UNLOADED)
    expect(book.states.get('orders')?.state).toBe('faulted')
    take(book, 3, LOADED)
    expect(book.states.get('orders')?.state).toBe('online')
  })
})

import { describe, expect, it, vi } from 'vitest'
import { rowAt, RowPages } from './row-pages.ts'
import type { FetchRows, RowsWanted } from './row-pages.ts'

const numbers: FetchRows<number> = (offset, limit) =>
  Promise.resolve(Array.from({ length: limit }, (_, index) => offset + index))

const wanted = (parts: Partial<RowsWanted<number>> = {}): RowsWanted<number> => ({
  fetchRows: numbers,
  version: '1',
  order: '',
  total: 1000,
  first: 0,
  end: 20,
  ...parts,
})

const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 0))

describe('RowPages', () => {
  it('asks for the pages around the wanted rows, each once', async () => {
    const pages = new RowPages<number>(10)
    const fetchRows = vi.fn(numbers)
    pages.want(wanted({ fetchRows, first: 15, end: 31 }))
    pages.want(wanted({ fetchRows, first: 15, end: 31 }))
    await settled()
    pages.want(wanted({ fetchRows, first: 15, end: 31 }))
    expect(fetchRows.mock.calls.map(([offset, limit]) => [offset, limit])).toEqual([
      [10, 10],
      [20, 10],
      [30, 10],
    ])
    expect(rowAt(pages.getSnapshot(), 10, wanted(), 27)).toEqual({ row: 27, stale: false })
    expect(rowAt(pages.getSnapshot(), 10, wanted(), 5)).toBeNull()
  })

  it('asks for no more than there is, and takes fewer for an answer', async () => {
    const pages = new RowPages<number>(10)
    const fetchRows = vi.fn<FetchRows<number>>(() => Promise.resolve([0, 1]))
    pages.want(wanted({ fetchRows, total: 7, end: 7 }))
    await settled()
    pages.want(wanted({ fetchRows, total: 7, end: 7 }))
    expect(fetchRows).toHaveBeenCalledTimes(1)
    expect(fetchRows.mock.calls[0]?.[1]).toBe(7)
  })

  it('shows the rows of the old version, marked, until the new ones are here', async () => {
    const pages = new RowPages<number>(10)
    pages.want(wanted({ end: 5 }))
    await settled()
    const next = wanted({ end: 5, version: '2', fetchRows: () => Promise.resolve([40, 41, 42]) })
    pages.want(next)
    expect(rowAt(pages.getSnapshot(), 10, next, 2)).toEqual({ row: 2, stale: true })
    await settled()
    expect(rowAt(pages.getSnapshot(), 10, next, 2)).toEqual({ row: 42, stale: false })
  })

  it('lets a flight finish when only the version moves on, so that a fast feed does not starve the table', async () => {
    const pages = new RowPages<number>(10)
    const signals: AbortSignal[] = []
    const fetchRows: FetchRows<number> = (offset, limit, signal) => {
      signals.push(signal)
      return numbers(offset, limit, signal)
    }
    pages.want(wanted({ fetchRows, end: 5, version: '1' }))
    pages.want(wanted({ fetchRows, end: 5, version: '2' }))
    expect(signals).toHaveLength(1)
    expect(signals[0]?.aborted).toBe(false)
    await settled()
    pages.want(wanted({ fetchRows, end: 5, version: '2' }))
    expect(signals).toHaveLength(2)
  })

  it('drops flights of another order and of rows that were left', () => {
    const pages = new RowPages<number>(10)
    const signals: AbortSignal[] = []
    const fetchRows: FetchRows<number> = (_offset, _limit, signal) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    pages.want(wanted({ fetchRows, end: 5 }))
    pages.want(wanted({ fetchRows, end: 5, order: 'size' }))
    pages.want(wanted({ fetchRows, first: 500, end: 505, order: 'size' }))
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true, false])
    pages.dispose()
    expect(signals[2]?.aborted).toBe(true)
  })

  it('keeps no more pages than it may', async () => {
    const pages = new RowPages<number>(10, 3)
    for (let page = 0; page < 6; page++) {
      pages.want(wanted({ first: page * 10, end: page * 10 + 10 }))
      await settled()
    }
    expect([...pages.getSnapshot().pages.keys()]).toEqual([3, 4, 5])
  })

  it('says that rows could not be read, and requests them again only on command', async () => {
    const pages = new RowPages<number>(10)
    const fetchRows = vi.fn<FetchRows<number>>(() => Promise.reject(new Error('gone')))
    pages.want(wanted({ fetchRows, end: 5 }))
    await settled()
    expect(pages.getSnapshot().error).toEqual(new Error('gone'))
    pages.want(wanted({ fetchRows, end: 5 }))
    expect(fetchRows).toHaveBeenCalledTimes(1)
    pages.retry()
    expect(pages.getSnapshot().error).toBeNull()
    pages.want(wanted({ fetchRows, end: 5 }))
    expect(fetchRows).toHaveBeenCalledTimes(2)
  })
})

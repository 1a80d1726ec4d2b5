import { Observed } from '../../base/observed.ts'

/** Loads a page of rows. */
export type FetchRows<Row> = (offset: number, limit: number, signal: AbortSignal) => Promise<readonly Row[]>

export interface RowsWanted<Row> {
  readonly fetchRows: FetchRows<Row>
  /** Changes when the same row number may have other data. */
  readonly version: string
  /** Changes when the order of rows changes, which makes pending responses useless. */
  readonly order: string
  readonly total: number
  /** Half-open range of rows. */
  readonly first: number
  readonly end: number
}

interface Page<Row> {
  readonly rows: readonly Row[]
  readonly key: string
  /** Number of requested rows; a response may have fewer. */
  readonly requested: number
}

export interface RowPagesSnapshot<Row> {
  readonly pages: ReadonlyMap<number, Page<Row>>
  /** Why rows are missing; null: no error. */
  readonly error: unknown
}

const keyOf = (wanted: { readonly version: string; readonly order: string }): string =>
  `${wanted.order}\n${wanted.version}`

/**
 * Cache of pages around the visible rows: one pending request a page, at most `maxPages` pages, the least recently used
 * are removed first. A failed page is requested again only when the version or the order changes, or by `retry`.
 */
export class RowPages<Row> {
  readonly pageSize: number
  readonly #maxPages: number
  readonly #flights = new Map<number, { readonly order: string; readonly abort: AbortController }>()
  readonly #snapshot = new Observed<RowPagesSnapshot<Row>>({ pages: new Map(), error: null })
  #failedKey: string | null = null

  constructor(pageSize = 100, maxPages = 50) {
    this.pageSize = pageSize
    this.#maxPages = maxPages
  }

  readonly subscribe = this.#snapshot.subscribe
  readonly getSnapshot = this.#snapshot.get

  /** Requests missing and stale pages of the wanted rows, and cancels requests that are not needed any more. */
  want(wanted: RowsWanted<Row>): void {
    const key = keyOf(wanted)
    const firstPage = Math.floor(wanted.first / this.pageSize)
    const endPage = wanted.end <= wanted.first ? firstPage : Math.ceil(wanted.end / this.pageSize)
    for (const [page, flight] of this.#flights) {
      if (flight.order === wanted.order && page >= firstPage && page < endPage) continue
      flight.abort.abort()
      this.#flights.delete(page)
    }
    if (this.#failedKey === key) return
    for (let page = firstPage; page < endPage; page++) {
      if (this.#flights.has(page) || this.#isFresh(page, key, wanted.total)) continue
      void this.#fetch(page, key, wanted)
    }
  }

  retry(): void {
    this.#failedKey = null
    this.#snapshot.set({ pages: this.getSnapshot().pages, error: null })
  }

  dispose(): void {
    for (const flight of this.#flights.values()) flight.abort.abort()
    this.#flights.clear()
  }

  #isFresh(page: number, key: string, total: number): boolean {
    const held = this.getSnapshot().pages.get(page)
    return held?.key === key && held.requested >= Math.min(this.pageSize, total - page * this.pageSize)
  }

  async #fetch(page: number, key: string, wanted: RowsWanted<Row>): Promise<void> {
    const abort = new AbortController()
    const flight = { order: wanted.order, abort }
    this.#flights.set(page, flight)
    const offset = page * this.pageSize
    try {
      const requested = Math.min(this.pageSize, wanted.total - offset)
      const rows = await wanted.fetchRows(offset, requested, abort.signal)
      if (abort.signal.aborted) return
      this.#flights.delete(page)
      this.#snapshot.set({ pages: this.#withPage(page, { rows, key, requested }), error: null })
    } catch (error) {
      if (abort.signal.aborted) return
      this.#flights.delete(page)
      this.#failedKey = key
      this.#snapshot.set({ pages: this.getSnapshot().pages, error })
    }
  }

  #withPage(number: number, page: Page<Row>): ReadonlyMap<number, Page<Row>> {
    const pages = new Map(this.getSnapshot().pages)
    pages.delete(number)
    pages.set(number, page)
    for (const oldest of pages.keys()) {
      if (pages.size <= this.#maxPages) break
      pages.delete(oldest)
    }
    return pages
  }
}

/** The row at a row number, and whether it has an older version; null: not loaded. */
export function rowAt<Row>(
  snapshot: RowPagesSnapshot<Row>,
  pageSize: number,
  wanted: { readonly version: string; readonly order: string },
  index: number,
): { readonly row: Row; readonly stale: boolean } | null {
  const page = snapshot.pages.get(Math.floor(index / pageSize))
  const row = page?.rows[index % pageSize]
  return page === undefined || row === undefined ? null : { row, stale: page.key !== keyOf(wanted) }
}

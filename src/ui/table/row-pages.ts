import { Observed } from '../../base/observed.ts'

/** Rows that arrive in pages, later. `stale`: of an older version or order, still shown until the new ones are here. */
export type FetchRows<Row> = (offset: number, limit: number, signal: AbortSignal) => Promise<readonly Row[]>

export interface RowsWanted<Row> {
  readonly fetchRows: FetchRows<Row>
  /** Changes when the same row number may hold other data. */
  readonly version: string
  /** Changes when the rows come in another order: responses under way are of no use then. */
  readonly order: string
  readonly total: number
  /** Half open. */
  readonly first: number
  readonly end: number
}

interface Page<Row> {
  readonly rows: readonly Row[]
  readonly key: string
  /** Number of rows requested; fewer may have come, and that is a response too. */
  readonly asked: number
}

export interface RowPagesSnapshot<Row> {
  readonly pages: ReadonlyMap<number, Page<Row>>
  /** Why rows are missing; null: nothing failed. */
  readonly error: unknown
}

const keyOf = (wanted: { readonly version: string; readonly order: string }): string =>
  `${wanted.order}\n${wanted.version}`

/**
 * A cache of pages around what is on screen: one flight a page, at most `maxPages` kept (least recently wanted go first).
 * A failed page is not requested again by itself, only when the version or order changes or by `retry`.
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

  /** Requests missing and stale pages of the wanted rows and drops flights that nothing waits for any more. */
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
    return held?.key === key && held.asked >= Math.min(this.pageSize, total - page * this.pageSize)
  }

  async #fetch(page: number, key: string, wanted: RowsWanted<Row>): Promise<void> {
    const abort = new AbortController()
    const flight = { order: wanted.order, abort }
    this.#flights.set(page, flight)
    const offset = page * this.pageSize
    try {
      const asked = Math.min(this.pageSize, wanted.total - offset)
      const rows = await wanted.fetchRows(offset, asked, abort.signal)
      if (abort.signal.aborted) return
      this.#flights.delete(page)
      this.#snapshot.set({ pages: this.#withPage(page, { rows, key, asked }), error: null })
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

/** Row number → row, and whether it is of an older version; null: not here yet. */
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

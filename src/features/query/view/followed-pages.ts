import type { QueryPage } from '../contract.ts'

export type FollowedPage = Pick<QueryPage, 'start' | 'rows' | 'skipped' | 'total'>

/**
 * Results of a query whose page positions are not known in advance, since the server leaves some results out: each page
 * is read from where the previous one ended.
 */
export class FollowedPages {
  readonly rows: string[]
  #position: number
  #isEnded: boolean
  #reading: Promise<void> = Promise.resolve()
  readonly #request: (start: number, signal: AbortSignal) => Promise<FollowedPage>

  /** `first`: the page at position 0. `request` reads the page at a position. */
  constructor(first: FollowedPage, request: (start: number, signal: AbortSignal) => Promise<FollowedPage>) {
    this.rows = [...first.rows]
    this.#position = first.rows.length + first.skipped
    this.#isEnded = isLast(first)
    this.#request = request
  }

  /** Number of results; null: not all have been read. */
  get total(): number | null {
    return this.#isEnded ? this.rows.length : null
  }

  /** Reads pages until there are `count` results or no more. One reads at a time. Errors: those of `request`. */
  async read(count: number, signal: AbortSignal): Promise<void> {
    const before = this.#reading
    const reading = before.then(async () => {
      while (!this.#isEnded && this.rows.length < count) {
        signal.throwIfAborted()
        const page = await this.#request(this.#position, signal)
        this.rows.push(...page.rows)
        this.#position += page.rows.length + page.skipped
        this.#isEnded = isLast(page)
      }
    })
    this.#reading = reading.catch(() => undefined)
    await reading
  }
}

const isLast = ({ start, rows, skipped, total }: FollowedPage): boolean =>
  rows.length === 0 || start + rows.length + skipped >= (total ?? 0)

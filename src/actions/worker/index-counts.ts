import { asArray, asObject, unlessNegative } from '../../base/json/check.ts'
import { databaseKey } from '../../base/text/database-key.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'

/** Interval of reading the number of indexes of a database, ms. */
const EVERY_MS = 10_000
/** Maximum number of databases that are kept; more than one user looks at. */
const MOST_KEPT = 100

interface Counted {
  readonly atMs: number
  /** Number of indexes; null: not known. */
  readonly count: number | null
}

/**
 * Notices that another client deletes or adds an index where no batch follows it: in a database without other work, whose
 * earlier responses stay valid. The list of databases has the number of indexes, and reading it neither loads the
 * database nor keeps it loaded.
 */
export class IndexCounts {
  readonly #known = new Map<string, Counted>()

  /**
   * Marks what was read of the database as outdated if its number of indexes has changed, and returns whether it has.
   * `listed`: number of indexes in the list that was just read, which the first number is compared with: it may have
   * changed between the two. Errors: none.
   */
  async compare(governor: Governor, database: string, listed: number, signal: AbortSignal): Promise<boolean> {
    const key = databaseKey(database)
    const atMs = governor.env.now()
    const known = this.#known.get(key)
    if (known !== undefined && atMs - known.atMs < EVERY_MS) return false
    const before = known?.count ?? null
    // Other requests of the same moment do not read it as well.
    this.#keep(key, { atMs, count: before })
    const count = await governor
      .json('database', { name: database }, { signal })
      .then(readCount)
      .catch(() => null)
    if (count === null) return false
    this.#keep(key, { atMs, count })
    const hasChanged = (before ?? listed) !== count
    if (hasChanged) governor.databaseWorked(database)
    return hasChanged
  }

  /** Keeps the databases that were read last. */
  #keep(key: string, counted: Counted): void {
    this.#known.delete(key)
    this.#known.set(key, counted)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_KEPT && oldest !== undefined) this.#known.delete(oldest)
  }
}

/** Reads `/databases?name=`: the database itself on 5.4, a list with it later. Errors: `ParseError`. */
function readCount(response: unknown): number | null {
  const body = asObject(response, '$')
  const entry = body['Databases'] === undefined ? body : asObject(asArray(body['Databases'], '$.Databases')[0], '$[0]')
  return unlessNegative(entry['IndexesCount'], '$.IndexesCount')
}

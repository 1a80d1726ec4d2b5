import { NumberSet } from '../../../base/columns/number-set.ts'
import { textHash } from '../../../base/text/text-hash.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IndexKey } from '../contract/batches.ts'
import type { IndexFacts, IndexInfo, IndexProgress } from '../contract/indexes.ts'
import type { IndexStats, ProgressRow } from './watching/server-wire.ts'
import { INDEX_LIMITS, REPLACEMENT } from '../contract/limits.ts'
import { indexKey } from './index-table.ts'

export interface KnownIndex {
  readonly source: SourceId
  readonly name: string
  trouble: IndexInfo['trouble']
  note: string
  facts: IndexFacts | null
  progress: IndexProgress | null
  /** Number of documents that the index has not processed yet; null: unknown. */
  behind: number | null
}

/** An index that was reset, or created again. */
export interface Recreated {
  readonly createdTicks: number
  /** Time of the last list that contained the index unchanged. */
  readonly listedTicks: number
}

/**
 * Last state of every index from `indexes/stats` and `indexes/progress`, and changes since (deleted, reset, replaced).
 */
export class IndexFactsStore {
  readonly #known = new Map<IndexKey, KnownIndex>()
  readonly #further = new NumberSet()
  /**
   * Start of the newest batch of the replacement of each index. The state of a replacement may never have been
   * requested.
   */
  readonly #replacing = new Map<IndexKey, number>()

  /** Number of indexes beyond `INDEX_LIMITS`, whose facts are not kept. */
  get further(): number {
    return this.#further.size
  }

  keys(): Iterable<IndexKey> {
    return this.#known.keys()
  }

  get(key: IndexKey): KnownIndex | undefined {
    return this.#known.get(key)
  }

  /** Notes a reported batch; only batches of replacements matter. */
  meet(source: SourceId, name: string, startTicks: number): void {
    if (!name.startsWith(REPLACEMENT)) return
    const key = indexKey(source, name.slice(REPLACEMENT.length))
    if (!((this.#replacing.get(key) ?? Number.NaN) >= startTicks)) this.#replacing.set(key, startTicks)
  }

  /**
   * Takes a whole response for a source: an index that it does not contain is gone. Returns the indexes that restarted
   * from nothing since the last response.
   */
  takeStats(source: SourceId, rows: readonly IndexStats[], atTicks: number): ReadonlyMap<IndexKey, Recreated> {
    const reported = new Map(rows.map((row) => [row.name, row]))
    const recreated = new Map<IndexKey, Recreated>()
    for (const row of rows) {
      const since = this.#take(source, row, reported, atTicks)
      if (since !== null) recreated.set(indexKey(source, row.name), since)
    }
    for (const known of this.#known.values()) {
      if (known.source !== source || reported.has(known.name) || known.trouble === 'gone') continue
      known.trouble = 'gone'
      known.progress = null
      known.behind = null
      known.note =
        known.name.startsWith(REPLACEMENT) && reported.has(known.name.slice(REPLACEMENT.length))
          ? `It took the place of ${known.name.slice(REPLACEMENT.length)}.`
          : 'It was deleted, or got another name.'
    }
    return recreated
  }

  /** Takes a row of a response. Returns the recreation that it shows; null: the index did not restart from nothing. */
  #take(
    source: SourceId,
    row: IndexStats,
    reported: ReadonlyMap<string, IndexStats>,
    atTicks: number,
  ): Recreated | null {
    const key = indexKey(source, row.name)
    let known = this.#known.get(key)
    if (known === undefined && this.#known.size >= INDEX_LIMITS.indexes) {
      this.#further.add(textHash(key))
      return null
    }
    if (known === undefined) {
      known = { source, name: row.name, trouble: null, note: '', facts: null, progress: null, behind: null }
      this.#known.set(key, known)
    }
    const before = known.facts
    const isBack = known.trouble === 'gone'
    const isNew = before !== null && row.createdTicks !== null && before.createdTicks !== row.createdTicks
    const replacement = this.#known.get(indexKey(source, REPLACEMENT + row.name))
    // If a replacement worked after that creation time, the new index is that replacement.
    const wasBeside = (this.#replacing.get(key) ?? Number.NaN) >= (row.createdTicks ?? Number.NaN)
    const isReplaced = wasBeside || replacement?.facts?.createdTicks === row.createdTicks
    if (isNew && isReplaced) known.note = 'It was replaced by the index that was built beside it.'
    else if (isNew) known.note = 'It was reset or created again: it restarted from nothing.'
    else if (isBack) known.note = 'It was gone for a while.'
    if (reported.has(REPLACEMENT + row.name) && known.note === '')
      known.note = 'A replacement is being built beside it.'
    else if (known.note === 'A replacement is being built beside it.' && !reported.has(REPLACEMENT + row.name))
      known.note = ''
    known.trouble = row.type === 'Faulty' ? 'faulty' : row.state === 'Error' || row.isInvalid === true ? 'error' : null
    known.facts = { ...row, atTicks: atTicks as Ticks }
    return isNew && !isReplaced ? { createdTicks: row.createdTicks, listedTicks: before.atTicks } : null
  }

  /** Takes a whole response: an index that it does not contain has no work left. */
  takeProgress(source: SourceId, rows: readonly ProgressRow[], atTicks: number): void {
    const reported = new Map(rows.map((row) => [row.name, row]))
    for (const known of this.#known.values()) {
      if (known.source !== source) continue
      const row = reported.get(known.name)
      known.progress = row === undefined ? null : { ...row, atTicks: atTicks as Ticks }
      known.behind = row?.itemsLeft ?? 0
    }
  }

  get byteLength(): number {
    return this.#known.size * 600 + this.#further.byteLength
  }
}

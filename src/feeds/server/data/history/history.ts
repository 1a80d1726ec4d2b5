import { errorText } from '../../../../base/text/error-text.ts'
import type { HistoryStore } from './kept.ts'
import type { ServerModel } from '../model.ts'
import type { Restart } from '../../contract/now.ts'
import type { ServerWatch } from '../../contract/watch.ts'

/**
 * Loads the history of earlier visits into the model once, and stores new data. If that fails, `state` reports it;
 * nothing else is affected.
 */
export class History {
  readonly #store: HistoryStore | null
  readonly #model: ServerModel
  #meeting: Promise<void> | null = null
  #saving: Promise<void> = Promise.resolve()
  #state: ServerWatch['kept']

  constructor(store: HistoryStore | null, model: ServerModel) {
    this.#store = store
    this.#model = model
    this.#state =
      store === null
        ? { works: false, message: 'This browser keeps nothing for the next visit (no IndexedDB).', savedMs: null }
        : { works: true, message: '', savedMs: null }
  }

  get state(): ServerWatch['kept'] {
    return this.#state
  }

  /** Loads what was stored in earlier visits. Called once the id of the server is known. */
  meet(): Promise<void> {
    this.#meeting ??= this.#load()
    return this.#meeting
  }

  /**
   * Saves one at a time, and only after the stored history was loaded, since a stored block may contain both old and
   * new data.
   */
  save(nowMs: number): Promise<void> {
    if (this.#meeting === null) return Promise.resolve()
    this.#saving = this.#saving.then(() => this.#save(nowMs))
    return this.#saving
  }

  async #load(): Promise<void> {
    const { serverId } = this.#model
    if (this.#store === null || serverId === null) return
    try {
      const kept = await this.#store.load(serverId)
      if (kept === null) return
      for (const block of kept.series) this.#model.series.restore(block)
      this.#model.lastVisitEndTicks = kept.meta.spans.at(-1)?.endTicks ?? null
      const leftTicks = this.#model.clock.at(kept.meta.savedMs)
      this.#model.coverage.restore(kept.meta.spans, leftTicks)
      this.#model.detailCoverage.restore(kept.meta.detailSpans ?? [], leftTicks)
      this.#model.restarts = joinRestarts(this.#model.restarts, kept.meta.restarts)
      this.#model.findings.restore(kept.meta.findings ?? [])
      this.#model.endedQueries.restore(kept.meta.queries ?? [])
      this.#model.version++
    } catch (error) {
      this.#fail('What was seen before could not be read', error)
    }
  }

  async #save(nowMs: number): Promise<void> {
    await this.#meeting
    const { serverId } = this.#model
    if (this.#store === null || serverId === null) return
    const { coverage, detailCoverage, restarts, series, findings, endedQueries } = this.#model
    const meta = {
      version: 1,
      savedMs: nowMs,
      spans: coverage.spans,
      detailSpans: detailCoverage.spans,
      restarts,
      findings: findings.logged,
      queries: endedQueries.kept,
    } as const
    try {
      await this.#store.save(serverId, meta, series.takeChanged())
      this.#state = { works: true, message: '', savedMs: nowMs }
    } catch (error) {
      this.#fail('What is seen is not kept for the next visit', error)
    }
  }

  #fail(what: string, error: unknown): void {
    const why = errorText(error)
    this.#state = { ...this.#state, works: false, message: `${what}: ${why}` }
  }
}

/**
 * Joins restarts of this visit and of earlier ones. The first start known to this visit is an observed restart if the
 * last visit knew another start.
 */
function joinRestarts(now: readonly Restart[], before: readonly Restart[]): readonly Restart[] {
  const known = before[0]
  const first = now.at(-1)
  if (known === undefined || first === undefined) return [...now, ...before]
  const isSame = Math.abs(known.startTicks - first.startTicks) <= SAME_START_TICKS
  return isSame ? [...now.slice(0, -1), ...before] : [...now.slice(0, -1), { ...first, seen: true }, ...before]
}

const SAME_START_TICKS = 20_000_000

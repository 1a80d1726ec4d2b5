import type { HistoryStore } from './kept.ts'
import type { ServerModel } from '../model.ts'
import type { Restart } from '../../contract/now.ts'
import type { ServerWatch } from '../../contract/watch.ts'

/** Brings the history of earlier visits into the model once, and writes what is new. Failing, it says so and no more. */
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

  /** The server is known by its id now: what was seen of it before is read. */
  meet(): Promise<void> {
    this.#meeting ??= this.#load()
    return this.#meeting
  }

  /** Saves in sequence, and not before what was kept has been read: a block holds both. */
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
    const why = error instanceof Error ? error.message : String(error)
    this.#state = { ...this.#state, works: false, message: `${what}: ${why}` }
  }
}

/** The oldest start of this visit is news when the last visit knew another one. */
function joinRestarts(now: readonly Restart[], before: readonly Restart[]): readonly Restart[] {
  const known = before[0]
  const first = now.at(-1)
  if (known === undefined || first === undefined) return [...now, ...before]
  const isSame = Math.abs(known.startTicks - first.startTicks) <= SAME_START_TICKS
  return isSame ? [...now.slice(0, -1), ...before] : [...now.slice(0, -1), { ...first, seen: true }, ...before]
}

const SAME_START_TICKS = 20_000_000

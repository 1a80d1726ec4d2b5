import { readStored, watchStored, writeStored } from '../../../../ui/storage.ts'
import { formatRuns, parseRuns, type Run } from './runs.ts'

const KEY = 'runs'
/** Older ones are dropped. */
const MOST_RUNS = 100
/** Of what is stored, characters. */
const MOST_CHARACTERS = 1_500_000

export interface KeptRuns {
  /** Newest first. */
  readonly runs: readonly Run[]
  /** False: the browser has no room or no storage, and they are gone with this page. */
  readonly isStored: boolean
}

/** Runs of this browser: in `localStorage`, shared by its pages, bounded. */
export class RunLog {
  #kept: KeptRuns = { runs: read(), isStored: true }
  readonly #listeners = new Set<() => void>()

  constructor() {
    watchStored(KEY, () => this.#set({ runs: read(), isStored: true }))
  }

  readonly getSnapshot = (): KeptRuns => this.#kept

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** Adds runs, or replaces those with the same id. Returns how many older ones were dropped for them. */
  put(runs: readonly Run[]): number {
    const ids = new Set(runs.map(({ id }) => id))
    return this.#keep([...runs, ...this.#kept.runs.filter(({ id }) => !ids.has(id))])
  }

  remove(id: string): void {
    this.#keep(this.#kept.runs.filter((run) => run.id !== id))
  }

  #keep(runs: readonly Run[]): number {
    let kept = runs.toSorted((a, b) => b.savedMs - a.savedMs).slice(0, MOST_RUNS)
    let text = formatRuns(kept)
    while (text.length > MOST_CHARACTERS && kept.length > 1) {
      kept = kept.slice(0, -1)
      text = formatRuns(kept)
    }
    this.#set({ runs: kept, isStored: writeStored(KEY, text) })
    return runs.length - kept.length
  }

  #set(kept: KeptRuns): void {
    this.#kept = kept
    for (const changed of this.#listeners) changed()
  }
}

const read = (): readonly Run[] => parseRuns(readStored(KEY) ?? '') ?? []

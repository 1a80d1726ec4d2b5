import { readStored, watchStored, writeStored } from '../../../../ui/storage.ts'
import { formatRuns, parseRuns, type Run } from './runs.ts'

const KEY = 'runs'
/** Older ones are dropped. */
const MOST_RUNS = 100
/** Of what is stored, characters. */
const MOST_CHARACTERS = 1_500_000

/** Runs of this browser, newest first: in `localStorage`, shared by its pages, bounded. */
export class RunLog {
  #runs: readonly Run[] = read()
  readonly #listeners = new Set<() => void>()

  constructor() {
    watchStored(KEY, () => {
      this.#runs = read()
      this.#notify()
    })
  }

  readonly getSnapshot = (): readonly Run[] => this.#runs

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** Adds runs, or replaces those with the same id. Returns how many older ones were dropped for them. */
  put(runs: readonly Run[]): number {
    const ids = new Set(runs.map(({ id }) => id))
    return this.#keep([...runs, ...this.#runs.filter(({ id }) => !ids.has(id))])
  }

  remove(id: string): void {
    this.#keep(this.#runs.filter((run) => run.id !== id))
  }

  #keep(runs: readonly Run[]): number {
    let kept = runs.toSorted((a, b) => b.savedMs - a.savedMs).slice(0, MOST_RUNS)
    let text = formatRuns(kept)
    while (text.length > MOST_CHARACTERS && kept.length > 1) {
      kept = kept.slice(0, -1)
      text = formatRuns(kept)
    }
    this.#runs = kept
    writeStored(KEY, text)
    this.#notify()
    return runs.length - kept.length
  }

  #notify(): void {
    for (const changed of this.#listeners) changed()
  }
}

const read = (): readonly Run[] => parseRuns(readStored(KEY) ?? '') ?? []

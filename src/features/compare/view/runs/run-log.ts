import { Observed } from '../../../../base/observed.ts'
import { readStored, watchStored, writeStored } from '../../../../ui/storage.ts'
import { formatRuns, parseRuns, type Run } from './runs.ts'

const KEY = 'runs'
/** Maximum number of runs; older ones are removed. */
const MOST_RUNS = 100
/** Limit of the text that is stored, characters. */
const MOST_CHARACTERS = 1_500_000

export interface KeptRuns {
  /** Runs newest first. */
  readonly runs: readonly Run[]
  /** Whether the browser stores the runs; without space or storage they last as long as this page. */
  readonly isStored: boolean
}

/** Runs of this browser in `localStorage`: shared, bounded, as long as the page, see `runLogOfPage`. */
export class RunLog {
  readonly #kept = new Observed<KeptRuns>({ runs: read(), isStored: true })
  /** Runs that only this page has. */
  #unstored: ReadonlySet<string> = new Set()

  constructor() {
    watchStored(KEY, () => this.#takeStored())
  }

  readonly getSnapshot = this.#kept.get
  readonly subscribe = this.#kept.subscribe

  /** Adds runs, or replaces those with the same id. Returns the number of older ones that were removed. */
  put(runs: readonly Run[]): number {
    const ids = new Set(runs.map(({ id }) => id))
    return this.#keep([...runs, ...this.getSnapshot().runs.filter(({ id }) => !ids.has(id))], ids)
  }

  remove(id: string): void {
    this.#keep(
      this.getSnapshot().runs.filter((run) => run.id !== id),
      new Set(),
    )
  }

  /** Another page stored runs. Runs that only this page has stay, and are stored if there is space by now. */
  #takeStored(): void {
    const own = this.getSnapshot().runs.filter(({ id }) => this.#unstored.has(id))
    const stored = read().filter(({ id }) => !this.#unstored.has(id))
    if (own.length === 0) this.#kept.set({ runs: stored, isStored: true })
    else this.#keep([...own, ...stored], new Set())
  }

  #keep(runs: readonly Run[], added: ReadonlySet<string>): number {
    let kept = runs.toSorted((a, b) => b.savedMs - a.savedMs).slice(0, MOST_RUNS)
    let text = formatRuns(kept)
    while (text.length > MOST_CHARACTERS && kept.length > 1) {
      kept = kept.slice(0, -1)
      text = formatRuns(kept)
    }
    const isStored = writeStored(KEY, text)
    this.#unstored = new Set(isStored ? [] : [...this.#unstored, ...added])
    this.#kept.set({ runs: kept, isStored })
    return runs.length - kept.length
  }
}

const read = (): readonly Run[] => parseRuns(readStored(KEY) ?? '') ?? []

let ofPage: RunLog | null = null

/** The page's run log: runs that the browser did not store outlast the panel. */
export function runLogOfPage(): RunLog {
  ofPage ??= new RunLog()
  return ofPage
}

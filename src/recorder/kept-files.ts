import type { Folder } from './folder.ts'
import { Retaining, type Retention } from './retain.ts'
import { FileTidier } from './tidy.ts'

/** Time, ms, between two runs that remove old rows and merge files. */
const TIDY_EVERY_MS = 60_000

/** Keeps the files of a folder within the limits of their classes, and merges them. */
export class KeptFiles {
  readonly #retention: Retention
  readonly #say: (sentence: string) => void
  readonly #failed: (error: Error) => void
  readonly #tidier: FileTidier
  readonly #retaining: Retaining
  #tidied = Promise.resolve()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(folder: Folder, retention: Retention, say: (sentence: string) => void, failed: (error: Error) => void) {
    this.#retention = retention
    this.#say = say
    this.#failed = failed
    this.#tidier = new FileTidier(folder, say)
    this.#retaining = new Retaining(folder, say)
  }

  start(): void {
    this.#tidy()
    this.#timer = setInterval(() => this.#tidy(), TIDY_EVERY_MS)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#tidier.stop()
    this.#retaining.stop()
    await this.#tidied
  }

  #tidy(): void {
    this.#tidied = this.#tidied.then(() => this.#tidyOnce()).catch(this.#failed)
  }

  async #tidyOnce(): Promise<void> {
    const { bytes, thinned } = await this.#retaining.run(this.#retention, Date.now())
    if (bytes > 0) this.#say(`${megabytes(bytes)} of the oldest rows were removed`)
    if (thinned !== null) this.#say(`of I/O events up to ${thinned} only slow ones and sums are kept from now on`)
    await this.#tidier.run(Date.now())
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

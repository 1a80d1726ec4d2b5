/** Who knows whether the server is short of CPU: its dashboard where a page follows that, else a look now and then. */
export type StressSource = 'dashboard' | 'pulse'

/** What was told longer ago is not followed any more, ms. */
const TOLD_MS = 20_000

interface Told {
  /** One sentence without its full stop; null: the server is well. */
  readonly why: string | null
  readonly atMs: number
}

/** What this page knows of the server's own figures that asks for a slower pace. */
export class Stress {
  readonly #now: () => number
  readonly #told = new Map<StressSource, Told>()

  /** @param now wall clock, ms */
  constructor(now: () => number) {
    this.#now = now
  }

  /** `why` undefined: this source tells nothing any more. */
  tell(source: StressSource, why: string | null | undefined): void {
    if (why === undefined) this.#told.delete(source)
    else this.#told.set(source, { why, atMs: this.#now() })
  }

  /** Null: the server is well, or nothing is known. A look may be older than what the dashboard tells, and counts without it only. */
  get why(): string | null {
    return (this.#told.get('dashboard') ?? this.#told.get('pulse'))?.why ?? null
  }

  /** The dashboard is followed by this page: nobody has to look. */
  get isFollowed(): boolean {
    const told = this.#told.get('dashboard')
    return told !== undefined && this.#now() - told.atMs < TOLD_MS
  }
}

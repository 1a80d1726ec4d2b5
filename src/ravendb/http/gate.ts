import { asBoolean, asObject } from '../../base/json/check.ts'
import type { Params } from '../endpoints.ts'

/** A response is believed so long, if it says "loaded" only once a request that it let through was answered. */
const BELIEVED_MS = 2000
/** Until then for the requests that are about to be sent: the server may unload the database any moment. */
const LOADED_MS = 100
/** More databases than anyone watches at once; older responses are of no use anyway. */
const MAX_KEPT = 512

/**
 * Answers "is this database loaded?" without loading it. Between the response and the call that it lets through the
 * server may unload the database; that call then loads it. The window is as short as the response is young (some 100 ms),
 * and cannot be closed from outside the server.
 */
export class Gate {
  readonly #now: () => number
  readonly #ask: (params: Params, signal: AbortSignal | null) => Promise<unknown>
  readonly #known = new Map<string, { loaded: boolean; atMs: number; believedMs: number }>()

  constructor(now: () => number, ask: (params: Params, signal: AbortSignal | null) => Promise<unknown>) {
    this.#now = now
    this.#ask = ask
  }

  /**
   * Whether a database is loaded; false also for a name that does not exist. `fresh`: sends a request even after a
   * recent response. Errors: as the call's.
   */
  async isLoaded(name: string, signal: AbortSignal | null, fresh = false): Promise<boolean> {
    const before = this.#known.get(name)
    const ageMs = before === undefined ? Number.POSITIVE_INFINITY : this.#now() - before.atMs
    if (!fresh && before !== undefined && ageMs >= 0 && ageMs < before.believedMs) return before.loaded
    const askedMs = this.#now()
    const response = asObject(await this.#ask({ name }, signal), '$')
    const loaded = asBoolean(response['IsLoaded'], '$.IsLoaded')
    if (this.#known.size >= MAX_KEPT) this.#known.clear()
    this.#known.set(name, { loaded, atMs: askedMs, believedMs: loaded ? LOADED_MS : BELIEVED_MS })
    return loaded
  }

  /** A request to the database was answered, which renewed the time until the server unloads it. */
  renewed(name: string): void {
    const known = this.#known.get(name)
    if (known?.loaded === true) known.believedMs = BELIEVED_MS
  }

  /** Last known state, however old; false: not known. */
  wasLoaded(name: string): boolean {
    return this.#known.get(name)?.loaded === true
  }

  /**
   * Drops the known state, after anything that may have changed it: a socket that closed, a load that was requested.
   */
  forget(name: string): void {
    this.#known.delete(name)
  }
}

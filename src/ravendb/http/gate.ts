import { asBoolean, asObject } from '../../base/json/check.ts'
import type { Params } from '../endpoints.ts'

/** Time, ms, for which an answer is used; "loaded" only after a request that it let through was answered. */
const BELIEVED_MS = 2000
/** Time, ms, for which "loaded" is used until then: the server may unload the database at any moment. */
const LOADED_MS = 100
/** Maximum number of databases that are kept; more than anyone watches at once. */
const MAX_KEPT = 512

/**
 * Finds whether a database is loaded without loading it. Between this answer and the call that it permits, the server
 * may unload the database; the call would then load it again. This window is as short as the answer is recent (about
 * 100 ms) and cannot be closed from outside the server.
 */
export class Gate {
  readonly #now: () => number
  readonly #request: (params: Params, signal: AbortSignal | null) => Promise<unknown>
  readonly #known = new Map<string, { loaded: boolean; atMs: number; believedMs: number }>()

  constructor(now: () => number, request: (params: Params, signal: AbortSignal | null) => Promise<unknown>) {
    this.#now = now
    this.#request = request
  }

  /**
   * Whether a database is loaded; false also for a name that does not exist. `fresh`: sends a request even after a
   * recent answer. Errors: as for the call.
   */
  async isLoaded(name: string, signal: AbortSignal | null, fresh = false): Promise<boolean> {
    const before = this.#known.get(name)
    const ageMs = before === undefined ? Number.POSITIVE_INFINITY : this.#now() - before.atMs
    if (!fresh && before !== undefined && ageMs >= 0 && ageMs < before.believedMs) return before.loaded
    const requestedMs = this.#now()
    const response = asObject(await this.#request({ name }, signal), '$')
    const loaded = asBoolean(response['IsLoaded'], '$.IsLoaded')
    if (this.#known.size >= MAX_KEPT) this.#known.clear()
    this.#known.set(name, { loaded, atMs: requestedMs, believedMs: loaded ? LOADED_MS : BELIEVED_MS })
    return loaded
  }

  /** Records that a request to the database was answered, which renewed the time until the server unloads it. */
  renewed(name: string): void {
    const known = this.#known.get(name)
    if (known?.loaded === true) known.believedMs = BELIEVED_MS
  }

  /** Last known state, however old; false: not known. */
  wasLoaded(name: string): boolean {
    return this.#known.get(name)?.loaded === true
  }

  /** Drops the known state after an event that may have changed it: a socket closed, a load was requested. */
  forget(name: string): void {
    this.#known.delete(name)
  }
}

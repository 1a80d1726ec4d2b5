import { DATABASE_PACKED, entryOf, OWN_PACKED } from '../entry-names.ts'
import { ENDPOINTS, type EndpointKey } from '../endpoints.ts'

/** Maximum size of a kept response, and of all, bytes. The newest are kept. */
const MOST_BYTES_EACH = 4 * 1024 * 1024
const MOST_BYTES = 24 * 1024 * 1024

export interface NewestResponse {
  /** Name of its entry in a debug package, without extension. */
  readonly entry: string
  /** Name of the database; null: the server itself. */
  readonly database: string | null
  readonly bytes: Uint8Array
  /** Wall clock at arrival, ms. */
  readonly atMs: number
}

/**
 * Newest response of each endpoint that a debug package has, as it arrived, so that a package can be written without
 * further requests. Only complete responses are kept; one with a filter in its query is not.
 */
export class NewestResponses {
  readonly #kept = new Map<string, NewestResponse>()
  #bytes = 0

  get all(): readonly NewestResponse[] {
    return [...this.#kept.values()]
  }

  keep(key: EndpointKey, path: string, bytes: Uint8Array, atMs: number): void {
    const { route } = ENDPOINTS[key]
    const database = /^\/databases\/([^/?]+)\//.exec(path)?.[1] ?? null
    const entry = entryOf(route)
    const isPacked = (database === null ? OWN_PACKED : DATABASE_PACKED).has(entry)
    if (!isPacked || isFiltered(path)) return
    this.#drop(path)
    if (bytes.length > MOST_BYTES_EACH) return
    this.#kept.set(path, { entry, database: database === null ? null : decodeURIComponent(database), bytes, atMs })
    this.#bytes += bytes.length
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) break
      this.#drop(oldest)
    }
  }

  /** Drops all: the address may belong to another server. */
  forget(): void {
    this.#kept.clear()
    this.#bytes = 0
  }

  #drop(path: string): void {
    this.#bytes -= this.#kept.get(path)?.bytes.length ?? 0
    this.#kept.delete(path)
  }
}

/** Whether a parameter limits the response to one index or object, or to names, so that it has less than the package entry. */
const isFiltered = (path: string): boolean => /[?&](?:name|id|key|indexId|etag|namesOnly)=/i.test(path)

import { databaseKey } from '../../base/text/database-key.ts'
import type { GovernorEnv } from '../env.ts'
import { tabName, type ChannelLike } from '../tabs/tabs.ts'

/** A request that a page of this browser sent to the server. */
export interface OwnRequest {
  readonly path: string
  /** Database of the request; null: the server itself. */
  readonly database: string | null
  /** Wall clock when it was sent, ms. */
  readonly atMs: number
}

/** Counts of requests of this browser's pages. */
export type OwnCounts = Pick<OwnRequests, 'most' | 'count' | 'countAll' | 'isKnown'>

/** Longest time over which the server's rates are compared with ours, ms. */
const KEPT_MS = 120_000
/**
 * Time after its start, ms, in which a page loads its code. Embedded, these files are requests to the server as well, and
 * are not counted here: 98 of them were seen within 12 s.
 */
export const LOADS_CODE_MS = 20_000
/** Maximum number that is kept; a page sends a few a second. */
const MOST_KEPT = 2000

/**
 * Requests of all pages of this browser, one by one. The server counts them like those of any client, so they are
 * subtracted from its counts.
 */
export class OwnRequests {
  readonly #env: GovernorEnv
  readonly #channel: ChannelLike | null
  readonly #listeners = new Set<(request: OwnRequest) => void>()
  /** Time since which all requests are known, ms. */
  #sinceMs: number
  readonly #beganMs: number
  #sent: OwnRequest[] = []

  constructor(env: GovernorEnv) {
    this.#env = env
    this.#beganMs = env.now()
    this.#sinceMs = this.#beganMs + LOADS_CODE_MS
    this.#channel = env.tabs?.openChannel(tabName('requests')) ?? null
    if (this.#channel !== null) this.#channel.onmessage = ({ data }) => this.#note(data as OwnRequest)
  }

  /** Records a request that this page sends now. */
  sent(path: string, database: string | null): void {
    const request: OwnRequest = { path, database, atMs: this.#env.now() }
    this.#note(request)
    this.#channel?.postMessage(request)
  }

  /** Calls the listener for each further request. Returns a function that ends it. */
  listen(listener: (request: OwnRequest) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether the requests to databases in the last `spanMs` are known: those of a page that was reloaded are not. */
  isKnown(spanMs: number): boolean {
    return this.#env.now() - spanMs >= this.#beganMs
  }

  /** Number of requests to a database in the last `spanMs`, at most two minutes. */
  count(database: string, spanMs: number): number {
    return this.#timesOf(database, spanMs).length
  }

  /**
   * Largest number of requests to a database in any `withinMs` of the last `spanMs`: the most that a figure over such a
   * time may contain if it arrived late.
   */
  most(database: string, withinMs: number, spanMs: number): number {
    const times = this.#timesOf(database, spanMs)
    let most = 0
    let first = 0
    for (const [at, atMs] of times.entries()) {
      while ((times[first] ?? atMs) <= atMs - withinMs) first++
      most = Math.max(most, at - first + 1)
    }
    return most
  }

  /**
   * Number of requests to the server and all databases in the last `spanMs`, at most two minutes. Null: not known, since
   * this page was loading its code, did not receive the requests of the others for so long, or there were too many.
   */
  countAll(spanMs: number): number | null {
    const sinceMs = this.#env.now() - spanMs
    return sinceMs < this.#sinceMs ? null : this.#sent.filter(({ atMs }) => atMs > sinceMs).length
  }

  close(): void {
    if (this.#channel === null) return
    this.#channel.onmessage = null
    this.#channel.close()
  }

  /** Times of the requests to a database in the last `spanMs`, ascending. */
  #timesOf(database: string, spanMs: number): number[] {
    const key = databaseKey(database)
    const sinceMs = this.#env.now() - spanMs
    return this.#sent
      .filter((each) => each.atMs > sinceMs && each.database !== null && databaseKey(each.database) === key)
      .map(({ atMs }) => atMs)
      .toSorted((a, b) => a - b)
  }

  #note(request: OwnRequest): void {
    this.#sent.push(request)
    const oldestMs = request.atMs - KEPT_MS
    if (this.#sent.length > MOST_KEPT || (this.#sent[0]?.atMs ?? 0) < oldestMs)
      this.#sent = this.#sent.filter(({ atMs }) => atMs >= oldestMs)
    const dropped = this.#sent.splice(0, Math.max(0, this.#sent.length - MOST_KEPT)).at(-1)
    if (dropped !== undefined) this.#sinceMs = Math.max(this.#sinceMs, dropped.atMs)
    for (const listener of this.#listeners) listener(request)
  }
}

/** Header of a request that has the key. */
export const KEY_HEADER: string
/** Parameter of a websocket that has it. */
export const KEY_PARAMETER: string
/** Its name in the storage of the page's origin. */
export const KEY_STORED: string
/** Where the list of servers is, where there are several. */
export const SERVERS_PATH: string
/** Path of a server by its name (`db.example:8080`), without a slash at its end. */
export const pathOfServer: (name: string) => string
/** Path of the server that a page or an address belongs to; empty: the only one, which has the whole origin. */
export const serverPathOf: (pathname: string) => string

/** A server of the stand-alone server, as its list reports it. */
export interface ListedServer {
  readonly path: string
  readonly url: string
  /** Version that the server reports; null: it was not reached yet, or reports none before a two-factor code. */
  readonly version: string | null
  /** `unknown`: its first answer is awaited. */
  readonly state: 'unknown' | 'answers' | 'silent'
  /** Why it does not answer, in a sentence; empty: it does. */
  readonly why: string
  /** Since when the state is known to hold, ms since 1970; null: not known. */
  readonly sinceMs: number | null
  /** When it answered last; null: never since the stand-alone server started. */
  readonly answeredMs: number | null
  /** How long the last answer took, ms; null: there was none. */
  readonly tookMs: number | null
  /** How long the present request has been waiting for its answer, ms; null: none is under way. */
  readonly waitingMs: number | null
  /** When another server than before was first found at the address, within the last hour; null: none was. */
  readonly replacedMs: number | null
}
export function hostOfServer(address: string): string

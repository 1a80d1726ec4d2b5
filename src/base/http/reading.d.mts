/** Requests that pass in view-only mode: method or `SOCKET`, path with `{parameters}`, names of the query. */
export const READS: readonly string[]
/** Whether every reader takes an address (path and query, percent-encoded) for the same. */
export function isPlain(url: string): boolean
/** Whether a request is one of `READS`. `method`: `SOCKET` for a websocket. `url`: path and query, percent-encoded. */
export function isReading(method: string, url: string): boolean

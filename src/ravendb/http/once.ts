import type { GovernorEnv } from '../env.ts'

/** Request that stays pending until it is aborted: it waits for a cluster command that does not exist yet. */
const WAITING = '/rachis/waitfor?index=9007199254740991'
/** Number of HTTP/1.1 connections that a browser keeps to a server. */
const MOST = 6
/** Time, ms, after which each of them has its connection. */
const HELD_MS = 50

/**
 * Prepares a request that must arrive only once. A browser repeats a request, even a POST, if a kept connection drops
 * before the response begins: with six idle connections one click arrived seven times, and a restore that arrives twice
 * is deleted by the server (Chromium 156; 7.1.5, 6.2.4). It does not repeat on a new connection, nor if the body is a
 * stream, which needs HTTP/2. Operation ids do not help: no version refuses a repeated one.
 */
export async function toArriveOnce(env: GovernorEnv, init: RequestInit): Promise<RequestInit> {
  const protocol = env.protocol?.()
  // Not a browser.
  if (protocol === undefined) return init
  if (protocol !== 'h2') await closeIdleConnections(env)
  else if (init.method !== 'GET' && canStream()) {
    const body = new Blob(init.body == null ? [] : [init.body as string | Blob]).stream()
    return { ...init, body, duplex: 'half' } as RequestInit
  }
  return init
}

/** Occupies and then aborts a request on each connection: an abort before the response closes the connection. */
export async function closeIdleConnections(env: GovernorEnv): Promise<void> {
  const controller = new AbortController()
  const waiting = Array.from({ length: MOST }, () =>
    env
      .fetch(env.baseUrl + WAITING, { cache: 'no-store', credentials: 'same-origin', signal: controller.signal })
      .catch(() => null),
  )
  await new Promise<void>((resolve) => void env.setTimeout(resolve, HELD_MS))
  controller.abort()
  await Promise.all(waiting)
}

/** Firefox and Safari would send a stream as text. */
function canStream(): boolean {
  const read: string[] = []
  const { headers } = new Request('http://x/', {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      read.push('duplex')
      return 'half'
    },
  } as RequestInit)
  return read.length > 0 && !headers.has('Content-Type')
}

import type { GovernorEnv } from '../env.ts'

/** Answers after seconds unless it is aborted: it waits for a command of the cluster that there is not yet. */
const WAITING = '/rachis/waitfor?index=9007199254740991'
/** Connections that a browser keeps to a server over HTTP/1.1. */
const MOST = 6
/** Until each of them has one, ms. */
const HELD_MS = 50

/**
 * Prepares a request that must arrive once. A browser repeats one by itself, a POST too, where a kept connection drops before
 * the response begins: with six idle ones a click arrived seven times, and a restore that arrives twice is deleted by the
 * server (Chromium 156; 7.1.5, 6.2.4). It does not on a fresh connection, nor where the body is a stream, which only HTTP/2
 * can send. Ids of operations are no help: no version refuses a second one of the same.
 */
export async function toArriveOnce(env: GovernorEnv, init: RequestInit): Promise<RequestInit> {
  const protocol = env.protocol?.()
  // No browser.
  if (protocol === undefined) return init
  if (protocol !== 'h2') await closeIdleConnections(env)
  else if (init.method !== 'GET' && canStream()) {
    const body = new Blob(init.body == null ? [] : [init.body as string | Blob]).stream()
    return { ...init, body, duplex: 'half' } as RequestInit
  }
  return init
}

/** A request that is aborted before its response takes its connection with it. */
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

/** Firefox and Safari take a stream for text. */
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

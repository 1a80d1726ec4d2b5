import { KEY_HEADER, KEY_PARAMETER, serverPathOf } from '../base/http/stand-alone.mjs'
import { LocalTabs } from './tabs/local-tabs.ts'
import { browserTabs, type TabsEnv } from './tabs/tabs.ts'

/** Environment that a page or worker gives: injected, so that tests own time, chance and the network. */

export type TimerId = ReturnType<typeof globalThis.setTimeout>

/** The parts of a WebSocket that are used. */
export interface SocketLike {
  readonly readyState: number
  onopen: ((event: never) => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onerror: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  send(text: string): void
  close(): void
}

export interface UploadOptions {
  readonly method: 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly onProgress: (sentBytes: number, totalBytes: number) => void
}

export interface GovernorEnv {
  /**
   * Origin of the server as the page reaches it, or its path below that of the stand-alone server, without a trailing
   * slash: `https://host:8080`, `http://127.0.0.1:8085/servers/host:8080`.
   */
  readonly baseUrl: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Sends a file from the disk, or a form with one. `onProgress`: bytes sent, and their total. Rejects as `fetch` does. */
  readonly upload: (url: string, body: FormData | Blob, options: UploadOptions) => Promise<Response>
  readonly WebSocket: new (url: string) => SocketLike
  /** Protocol of the connections, such as `h2`; empty: not known. Left out: no browser, nothing is repeated. */
  readonly protocol?: () => string
  /** Wall clock, ms since 1970. */
  readonly now: () => number
  readonly setTimeout: (run: () => void, delayMs: number) => TimerId
  readonly clearTimeout: (id: TimerId) => void
  /** 0 ≤ x < 1. */
  readonly random: () => number
  /** Access to locks and channels for sharing responses and sockets between pages; null: each page has its own. */
  readonly tabs: TabsEnv | null
}

/** Maximum delay of a timer, ms: timers use 32 bits, and a longer delay would fire at once. 24.8 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * The environment of a page or a worker. Node 20 has no WebSocket: tests provide one. `key`: of the stand-alone server;
 * null: there is none.
 */
export const realEnv = (baseUrl: string, key: string | null = null): GovernorEnv => ({
  baseUrl: baseUrl.replace(/\/+$/, ''),
  fetch: (url, init) => fetch(url, withKey(init, key)),
  upload: (url, body, options) => upload(url, body, options, key),
  // Node repeats no request, and the stand-alone server answers for connections that are lost behind it.
  ...(key === null && 'XMLHttpRequest' in globalThis ? { protocol: () => protocolOf(baseUrl) } : {}),
  WebSocket: (key === null ? globalThis.WebSocket : keyedWebSocket(key)) as unknown as GovernorEnv['WebSocket'],
  now: () => Date.now(),
  setTimeout: (run, delayMs) => setTimeout(run, Math.min(delayMs, LONGEST_TIMER_MS)),
  clearTimeout: (id) => clearTimeout(id),
  random: () => Math.random(),
  tabs: browserTabs(serverPathOf(new URL(baseUrl).pathname)) ?? new LocalTabs(),
})

/** Adds the key of the stand-alone server to a request. */
export function withKey(init: RequestInit, key: string | null): RequestInit {
  if (key === null) return init
  const headers = new Headers(init.headers)
  headers.set(KEY_HEADER, key)
  return { ...init, headers }
}

const keyedWebSocket = (key: string): new (url: string) => WebSocket =>
  class extends WebSocket {
    constructor(url: string) {
      super(`${url}${url.includes('?') ? '&' : '?'}${KEY_PARAMETER}=${encodeURIComponent(key)}`)
    }
  }

/** Protocol of the last response from there, as the browser reports it. */
const protocolOf = (baseUrl: string): string =>
  (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).findLast(
    ({ name, nextHopProtocol }) => name.startsWith(baseUrl) && nextHopProtocol !== '',
  )?.nextHopProtocol ?? ''

/** Uses XMLHttpRequest: `fetch` does not report how much of a body was sent. */
function upload(
  url: string,
  body: FormData | Blob,
  { method, headers: sent, signal, onProgress }: UploadOptions,
  key: string | null,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total))
    request.addEventListener('load', () => {
      const lines = request.getAllResponseHeaders().trim().split('\r\n')
      const headers = lines.flatMap((line): [string, string][] => {
        const at = line.indexOf(':')
        return at > 0 ? [[line.slice(0, at), line.slice(at + 1).trim()]] : []
      })
      const isEmpty = request.status === 204 || request.status === 205 || request.status === 304
      resolve(new Response(isEmpty ? null : request.responseText, { status: request.status, headers }))
    })
    request.addEventListener('error', () => reject(new TypeError('The connection was lost.')))
    request.addEventListener('abort', () => reject(new DOMException('It was cancelled.', 'AbortError')))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    request.open(method, url)
    for (const [name, value] of Object.entries(sent)) request.setRequestHeader(name, value)
    if (key !== null) request.setRequestHeader(KEY_HEADER, key)
    if (signal.aborted) reject(new DOMException('It was cancelled.', 'AbortError'))
    else request.send(body)
  })
}

import type { GovernorEnv, SocketLike, TimerId } from '../ravendb/env.ts'
import type { TabsEnv } from '../ravendb/tabs/tabs.ts'

/** Timers and wall clock that only move when a test moves them; `advance` runs what is due, and lets promises settle in between. */
class FakeClock {
  nowMs = 1_800_000_000_000
  private timers = new Map<number, { atMs: number; run: () => void }>()
  private nextId = 1

  setTimeout = (run: () => void, delayMs: number): TimerId => {
    const id = this.nextId++
    this.timers.set(id, { atMs: this.nowMs + delayMs, run })
    return id as unknown as TimerId
  }

  clearTimeout = (id: TimerId): void => {
    this.timers.delete(id as unknown as number)
  }

  async advance(ms: number): Promise<void> {
    const endMs = this.nowMs + ms
    await settle()
    for (;;) {
      const due = [...this.timers]
        .filter(([, timer]) => timer.atMs <= endMs)
        .toSorted((a, b) => a[1].atMs - b[1].atMs || a[0] - b[0])[0]
      if (due === undefined) break
      this.timers.delete(due[0])
      this.nowMs = Math.max(this.nowMs, due[1].atMs)
      due[1].run()
      await settle()
    }
    this.nowMs = endMs
  }
}

/** Lets everything that hangs on promises alone run. */
export async function settle(): Promise<void> {
  await new Promise((done) => setImmediate(done))
  await new Promise((done) => setImmediate(done))
}

export interface FakeCall {
  readonly path: string
  readonly atMs: number
  readonly signal: AbortSignal
  ended: boolean
}

/** JSON (an object), a whole response, a failure (`Error`), or a promise of one of them; `never` pends until aborted. */
export type FakeResponse = unknown

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })

export const never = (): Promise<never> => new Promise(() => {})

export class FakeSocket implements SocketLike {
  readonly url: string
  readyState = 0
  onopen: ((event: never) => void) | null = null
  onmessage: ((event: { readonly data: unknown }) => void) | null = null
  onerror: ((event: never) => void) | null = null
  onclose: ((event: never) => void) | null = null
  readonly sent: string[] = []

  constructor(url: string) {
    this.url = url
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.readyState = 3
  }

  /** The server's side. */
  accept(): void {
    this.readyState = 1
    this.onopen?.(undefined as never)
  }

  frame(data: unknown): void {
    this.onmessage?.({ data })
  }

  /** As the server ends every one: an error and a close with 1006. */
  cut(): void {
    this.readyState = 3
    this.onerror?.(undefined as never)
    this.onclose?.(undefined as never)
  }
}

/** A server in memory: databases with a state, everything that was called, sockets to accept and to cut. */
export class FakeRaven {
  readonly clock = new FakeClock()
  readonly calls: FakeCall[] = []
  readonly sockets: FakeSocket[] = []
  readonly databases = new Map<string, 'loaded' | 'unloaded' | 'disabled' | 'faulted'>()
  /** First match wins; before the built-in responses. */
  readonly routes: { readonly match: RegExp; readonly response: (path: string) => FakeResponse }[] = []
  up = true
  version = '7.1.5'
  latencyMs = 0
  randomValue: () => number = () => 0.5
  /** Requests to `/databases/{name}/…` and sockets of databases that were not loaded at that moment. */
  readonly loads: string[] = []

  readonly env: GovernorEnv & { tabs: TabsEnv | null } = {
    baseUrl: 'http://raven',
    fetch: (url, init) => this.fetch(url, init),
    upload: (url, body, { signal, method, headers }) => this.fetch(url, { method, headers, body, signal }),
    WebSocket: this.socketClass(),
    now: () => this.clock.nowMs,
    setTimeout: this.clock.setTimeout,
    clearTimeout: this.clock.clearTimeout,
    random: () => this.randomValue(),
    tabs: null,
  }

  on(match: RegExp, response: (path: string) => FakeResponse): void {
    this.routes.unshift({ match, response })
  }

  paths(match = /./): string[] {
    return this.calls.map((call) => call.path).filter((path) => match.test(path))
  }

  get lastSocket(): FakeSocket {
    return this.sockets.at(-1)!
  }

  get underWay(): FakeCall[] {
    return this.calls.filter((call) => !call.ended)
  }

  private async fetch(url: string, init: RequestInit): Promise<Response> {
    const path = url.slice('http://raven'.length)
    const call: FakeCall = { path, atMs: this.clock.nowMs, signal: init.signal!, ended: false }
    this.calls.push(call)
    this.noteLoad(path)
    try {
      if (this.latencyMs > 0) await this.sleep(this.latencyMs, call.signal)
      if (!this.up) throw new TypeError('Failed to fetch')
      const response = await Promise.race([this.response(path), abortOf(call.signal)])
      if (response instanceof Error) throw response
      return response instanceof Response ? response : json(response)
    } finally {
      call.ended = true
    }
  }

  private response(path: string): FakeResponse {
    const route = this.routes.find(({ match }) => match.test(path))
    if (route !== undefined) return route.response(path)
    const { pathname, searchParams } = new URL(path, 'http://raven')
    const name = searchParams.get('name') ?? ''
    if (pathname === '/build/version') return { BuildVersion: 71028, ProductVersion: '7.1', FullVersion: this.version }
    if (pathname === '/cluster/node-info') return { OsInfo: { Type: 'Linux' } }
    if (pathname === '/debug/is-loaded') return { DatabaseName: name, IsLoaded: this.databases.get(name) === 'loaded' }
    if (pathname === '/databases' && name !== '')
      return this.databases.has(name) ? { Databases: [this.entry(name)] } : new Response(null, { status: 404 })
    return {}
  }

  private entry(name: string): object {
    const state = this.databases.get(name)
    if (state === 'faulted')
      return { Name: name, NodesTopology: {}, LoadError: 'VoronUnrecoverableErrorException: broken\n   at …' }
    return { Name: name, Disabled: state === 'disabled', UpTime: state === 'loaded' ? '00:00:01.0000000' : null }
  }

  private noteLoad(path: string): void {
    const name = /^\/databases\/([^/?]+)\//.exec(path)?.[1]
    if (name !== undefined && this.databases.get(decodeURIComponent(name)) !== 'loaded') this.loads.push(path)
  }

  private sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((done, failed) => {
      const timer = this.clock.setTimeout(done, ms)
      signal.addEventListener('abort', () => {
        this.clock.clearTimeout(timer)
        failed(new DOMException('aborted', 'AbortError'))
      })
    })
  }

  private socketClass(): new (url: string) => FakeSocket {
    // The class is made once for each server, so that it knows where to register.
    const register = (socket: FakeSocket): void => {
      this.sockets.push(socket)
      this.noteLoad(socket.url.slice('ws://raven'.length))
    }
    return class extends FakeSocket {
      constructor(url: string) {
        super(url)
        register(this)
      }
    }
  }
}

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, failed) => signal.addEventListener('abort', () => failed(new DOMException('aborted', 'AbortError'))))

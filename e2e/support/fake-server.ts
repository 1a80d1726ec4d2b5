import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { extname, join, normalize, resolve } from 'node:path'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { FakeState, Reply } from './fake-answers.ts'
import {
  adminRings,
  buildVersion,
  databaseEntry,
  documentsPath,
  FAULTS,
  INDEXES,
  okJson,
  QUIET_ANSWERS,
  rings,
  stamp,
  stateEntry,
} from './fake-answers.ts'

const DIST = resolve(import.meta.dirname, '../../dist')
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
/** The server's own is 4–5 s. */
const HEARTBEAT_MS = 2000

/** Sockets of the server as a whole: open, and sending only what a test makes them send. No database has these names. */
const SERVER_SOCKETS: Readonly<Record<string, string>> = {
  '/cluster-dashboard/watch': '\0dashboard',
  '/server/notification-center/watch': '\0notifications',
  '/debug/queries/running/live': '\0queries',
  '/threads-info/watch': '\0threads',
  '/admin/traffic-watch': '\0traffic',
}

/** Response to a request that matches: a reply, now or later, or never. */
export type Fault = Reply | Promise<Reply> | 'never'

interface FakeDatabase {
  state: FakeState
  indexes: readonly string[]
  /** First frame of its live socket: the whole document. */
  first: string
}

/**
 * Plays a RavenDB 7.1.5 that serves the built studio below `/studio/`, from recorded answers, and does to a page what
 * servers, proxies and administrators do. Requests that it received stay in `requests`; calls that would have loaded an
 * unloaded database in `loads`.
 */
export class FakeServer {
  readonly databases = new Map<string, FakeDatabase>()
  readonly requests: string[] = []
  readonly loads: string[] = []
  /** Bytes of answers and frames, heartbeats included: all that a page could have received. */
  sentBytes = 0
  /** Sockets say nothing at all any more, heartbeats included; they stay open. */
  silent = false
  /** First frame of the server's own storage. */
  adminFirst = adminRings()
  /** Script of its own origin that runs before the page's: in browsers whose driver cannot add one. */
  firstScript = ''
  readonly #faults: { readonly match: RegExp; readonly fault: Fault }[] = []
  readonly #sockets = new Map<string, Set<WebSocket>>()
  readonly #connections = new Set<Socket>()
  readonly #upgrades = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  #http: Server | null = null
  #port = 0
  #beat: ReturnType<typeof setInterval> | null = null

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  studio(hash = ''): string {
    return `${this.url}/studio/index.html${hash}`
  }

  /** Listens; on the same port as before when it was stopped. */
  async start(): Promise<this> {
    const http = createServer((request, response) => void this.#answer(request, response))
    http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => this.#upgrade(request, socket, head))
    http.on('connection', (socket) => {
      this.#connections.add(socket)
      socket.on('close', () => this.#connections.delete(socket))
    })
    await new Promise<void>((done, failed) => {
      http.once('error', failed)
      http.listen(this.#port, '127.0.0.1', done)
    })
    this.#http = http
    this.#port = (http.address() as AddressInfo).port
    this.#beat = setInterval(() => {
      if (!this.silent) for (const socket of this.#all()) this.#say(socket, '\r\n')
    }, HEARTBEAT_MS)
    return this
  }

  /** Stops like after a power cut: sockets drop without a close frame, nothing answers. */
  async stop(): Promise<void> {
    const http = this.#http
    if (http === null) return
    this.#http = null
    if (this.#beat !== null) clearInterval(this.#beat)
    const closed = new Promise<void>((done) => http.close(() => done()))
    for (const socket of this.#connections) socket.destroy()
    await closed
  }

  /** Adds a database, or changes one. Its rings end now. */
  database(name: string, parts: Partial<FakeDatabase> = {}): this {
    const before = this.databases.get(name)
    this.databases.set(name, {
      state: parts.state ?? before?.state ?? 'online',
      indexes: parts.indexes ?? before?.indexes ?? INDEXES,
      first: parts.first ?? before?.first ?? rings(name, Date.now() - 1000),
    })
    return this
  }

  /** Changes the state as an administrator or the idle sweep would: sockets of a database that is no longer online drop. */
  become(name: string, state: FakeState | 'deleted'): void {
    if (state === 'deleted') this.databases.delete(name)
    else this.database(name, { state })
    if (state !== 'online') this.drop(name)
  }

  /** Everything that matches (path with query) is answered so, until the returned function is called. */
  fault(match: RegExp, fault: Fault): () => void {
    const entry = { match, fault }
    this.#faults.unshift(entry)
    return () => void this.#faults.splice(this.#faults.indexOf(entry), 1)
  }

  /** Number of pages that watch a database by its name, or the server's own storage (`null`). */
  watchers(name: string | null): number {
    return this.#of(name).size
  }

  /** A frame to everyone who watches: an object as JSON, or a text as it is. */
  send(name: string | null, frame: object | string): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
    for (const socket of this.#of(name)) this.#say(socket, text)
  }

  /** A frame of a widget of the server's dashboard, of this moment. */
  dashboard(widget: string, data: object, atMs = Date.now()): void {
    this.send('\0dashboard', { Id: 1, Data: { Type: widget, Date: stamp(atMs), ...data } })
  }

  /** Ends the sockets without a close frame: 1006. */
  drop(name: string | null): void {
    for (const socket of this.#of(name)) socket.terminate()
  }

  documentsPath(name: string): string {
    return documentsPath(name)
  }

  #say(socket: WebSocket, text: string): void {
    this.sentBytes += Buffer.byteLength(text)
    socket.send(text)
  }

  #of(name: string | null): Set<WebSocket> {
    const key = name ?? ''
    let sockets = this.#sockets.get(key)
    if (sockets === undefined) this.#sockets.set(key, (sockets = new Set()))
    return sockets
  }

  #all(): WebSocket[] {
    return [...this.#sockets.values()].flatMap((sockets) => Array.from(sockets))
  }

  #faultOf(path: string): Fault | undefined {
    return this.#faults.find(({ match }) => match.test(path))?.fault
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const { pathname, searchParams } = new URL(path, 'http://fake')
    if (pathname.startsWith('/studio/')) return serveFile(pathname.slice('/studio/'.length), response, this.firstScript)
    this.requests.push(path)
    const fault = this.#faultOf(path)
    if (fault === 'never') return
    const reply = (await fault) ?? this.#reply(pathname, searchParams)
    this.sentBytes += Buffer.byteLength(reply.body)
    send(response, reply)
  }

  #reply(pathname: string, query: URLSearchParams): Reply {
    const name = query.get('name')
    switch (pathname) {
      case '/build/version':
        return okJson(buildVersion())
      case '/debug/is-loaded':
        return okJson({ DatabaseName: name, IsLoaded: this.databases.get(name ?? '')?.state === 'online' })
      case '/databases':
        return this.#list(name, query, databaseEntry)
      case '/studio-tasks/databases/state':
        return this.#list(name, query, stateEntry)
      case '/admin/debug/databases/idle':
        return okJson({ MaxIdleTime: '00:15:00', FrequencyToCheckForIdle: '00:01:00', Results: [] })
      case '/admin/debug/io-metrics':
        return okJson(JSON.parse(this.adminFirst))
      default: {
        const quiet = QUIET_ANSWERS[pathname]
        return quiet === undefined ? this.#databaseReply(pathname) : okJson(quiet())
      }
    }
  }

  #list(name: string | null, query: URLSearchParams, entry: (name: string, state: FakeState) => object): Reply {
    if (name !== null) {
      const one = this.databases.get(name)
      return one === undefined
        ? { status: 404, type: 'text/plain', body: '' }
        : okJson({ Databases: [entry(name, one.state)] })
    }
    const start = Number(query.get('start') ?? 0)
    const all = [...this.databases].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const page = all.slice(start, start + Number(query.get('pageSize') ?? 256))
    return okJson({ Databases: page.map(([each, { state }]) => entry(each, state)) })
  }

  #databaseReply(pathname: string): Reply {
    const match = /^\/databases\/([^/]+)\/(.*)$/.exec(pathname)
    const name = decodeURIComponent(match?.[1] ?? '')
    const database = this.databases.get(name)
    if (database === undefined) return FAULTS.databaseMissing
    this.#noteLoad(name, pathname)
    if (match?.[2] === 'indexes') return okJson({ Results: database.indexes })
    if (match?.[2] === 'debug/io-metrics') return okJson(JSON.parse(database.first))
    return { status: 400, type: 'text/plain', body: `The fake server has no ${pathname}` }
  }

  #noteLoad(name: string, path: string): void {
    const database = this.databases.get(name)
    if (database === undefined || database.state === 'online') return
    this.loads.push(path)
    if (database.state === 'unloaded') database.state = 'online'
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = request.url ?? ''
    // Node leaves an upgraded socket to its user: a page that resets it would end the process.
    socket.on('error', () => socket.destroy())
    this.requests.push(path)
    const match = /^\/databases\/([^/]+)\/debug\/io-metrics\/live$/.exec(path)
    const name = match === null ? null : decodeURIComponent(match[1] ?? '')
    const database = name === null ? undefined : this.databases.get(name)
    const fault = this.#faultOf(path)
    if (fault === 'never' || fault instanceof Promise) return
    const own = SERVER_SOCKETS[path.split('?')[0] ?? '']
    const known = name === null ? own !== undefined || path === '/admin/debug/io-metrics/live' : database !== undefined
    const status = fault === undefined ? (known ? 0 : 500) : fault.status
    if (status !== 0) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
    if (name !== null) this.#noteLoad(name, path)
    this.#upgrades.handleUpgrade(request, socket, head, (accepted) => {
      const sockets = this.#of(own ?? name)
      sockets.add(accepted)
      accepted.on('close', () => sockets.delete(accepted))
      accepted.on('error', () => accepted.terminate())
      if (own !== undefined) return
      // The real one drops at once when a client says anything.
      accepted.on('message', () => accepted.terminate())
      this.#say(accepted, database?.first ?? this.adminFirst)
    })
  }
}

function send(response: ServerResponse, { status, type, body, headers = {}, cut = false }: Reply): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'content-type': type, 'content-length': cut ? length + 100 : length, ...headers })
  if (cut) response.write(body, () => response.destroy())
  else response.end(body)
}

const FIRST_SCRIPT = 'first-script.js'

/** Serves a file as the server serves the studio's zip: no policy of its own, 404 in words for what is not there. */
async function serveFile(name: string, response: ServerResponse, firstScript: string): Promise<void> {
  const path = normalize(join(DIST, name))
  try {
    if (!path.startsWith(DIST)) throw new Error('outside')
    const isFirst = firstScript !== '' && name === FIRST_SCRIPT
    const body = isFirst ? firstScript : await readFile(path)
    response
      .writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' })
      .end(firstScript !== '' && name === 'index.html' ? withFirstScript(body.toString()) : body)
  } catch {
    response.writeHead(404, { 'content-type': 'text/plain' }).end(`no file ${name}`)
  }
}

const withFirstScript = (html: string): string => html.replace('<title>', `<script src="./${FIRST_SCRIPT}"></script>$&`)

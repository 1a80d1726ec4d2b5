import { connect, createServer, type Server, type Socket } from 'node:net'

/** Treatment of all connections that pass. */
export type ProxyMode =
  | { readonly is: 'pass' }
  /** Connections are reset, and each new request gets a page of this status. */
  | { readonly is: 'refuse'; readonly status: 403 | 503 }
  /** Connections stand and are accepted, and nothing passes; it is kept, and passes later. */
  | { readonly is: 'hold' }
  /** Connections are reset, new ones too. */
  | { readonly is: 'reset' }
  /** Each connection passes so many bytes a second, each way. */
  | { readonly is: 'slow'; readonly bytesPerSecond: number }
  /** All passes but the response to such a request: its connection is reset once the server responds. */
  | { readonly is: 'cut'; readonly path: RegExp }

/** A connection or request of a page. */
export interface ProxyRequest {
  readonly atMs: number
  readonly what: 'connection' | 'request' | 'socket'
  /** Path with its query; empty for a connection. */
  readonly path: string
  /** Empty for a connection. */
  readonly method: string
}

const HOST = '127.0.0.1'
const SLOW_EVERY_MS = 100
const REQUEST = /^(GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|RESET) (\S+) HTTP\/1\.1\r\n/
const UPGRADE = /\r\nupgrade: *websocket\r\n/i
const REASONS = { 403: 'Forbidden', 503: 'Service Unavailable' } as const

/** A proxy between browser and server that breaks connections, as networks do. Counts requests. */
export class FaultProxy {
  readonly url: string
  readonly requested: ProxyRequest[] = []
  readonly #server: Server
  readonly #links = new Set<Link>()
  readonly #timer: NodeJS.Timeout
  #mode: ProxyMode = { is: 'pass' }

  /** `target`: a server of this machine. */
  static async open(target: string): Promise<FaultProxy> {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, HOST, done))
    return new FaultProxy(server, Number(new URL(target).port))
  }

  private constructor(server: Server, targetPort: number) {
    this.#server = server
    const address = server.address()
    this.url = `http://${HOST}:${typeof address === 'object' && address !== null ? address.port : 0}`
    server.on('connection', (client) => this.#accept(client, targetPort))
    this.#timer = setInterval(() => this.#passSlowly(), SLOW_EVERY_MS)
  }

  /** Sets the mode from now on. Data that was held passes when the mode is `pass` again. */
  become(mode: ProxyMode): void {
    this.#mode = mode
    if (mode.is === 'refuse' || mode.is === 'reset') this.resetAll()
    else for (const link of this.#links) link.setGate(mode.is === 'pass' || mode.is === 'cut' ? 'open' : 'shut')
  }

  /** Resets what is open now. */
  resetAll(): void {
    for (const link of this.#links) link.reset()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.resetAll()
    await new Promise((done) => this.#server.close(done))
  }

  #accept(client: Socket, targetPort: number): void {
    this.requested.push({ atMs: Date.now(), what: 'connection', path: '', method: '' })
    if (this.#mode.is === 'reset') {
      client.on('error', () => undefined)
      client.resetAndDestroy()
      return
    }
    const link = new Link(client, targetPort, this.#mode.is === 'hold' || this.#mode.is === 'slow' ? 'shut' : 'open', {
      onHead: (head) => this.#note(head),
      isCut: (head) => this.#mode.is === 'cut' && this.#mode.path.test(head.split('\r\n', 1)[0] ?? ''),
      answer: () => (this.#mode.is === 'refuse' ? refusalOf(this.#mode.status) : null),
      onGone: () => this.#links.delete(link),
    })
    this.#links.add(link)
  }

  #note(head: string): void {
    const [, method, path] = REQUEST.exec(head) ?? []
    if (method === undefined || path === undefined) return
    this.requested.push({ atMs: Date.now(), what: UPGRADE.test(head) ? 'socket' : 'request', path, method })
  }

  #passSlowly(): void {
    if (this.#mode.is !== 'slow') return
    const bytes = Math.max(1, Math.round((this.#mode.bytesPerSecond * SLOW_EVERY_MS) / 1000))
    for (const link of this.#links) link.pass(bytes)
  }
}

function refusalOf(status: 403 | 503): string {
  const body = `<html><head><title>${status} ${REASONS[status]}</title></head><body><h1>${REASONS[status]}</h1></body></html>`
  return [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    'Content-Type: text/html',
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

interface LinkEvents {
  readonly onHead: (head: string) => void
  /** Response in place of the server's; null: the request goes to the server. */
  readonly answer: () => string | null
  /** Whether the response to this request goes no further, and the connection is reset. */
  readonly isCut: (head: string) => boolean
  readonly onGone: () => void
}

/** A connection of the browser, and its own to the server. */
class Link {
  readonly #client: Socket
  readonly #events: LinkEvents
  readonly #pipes: readonly Pipe[]
  readonly #server: Socket
  #isCut = false

  constructor(client: Socket, targetPort: number, gate: Gate, events: LinkEvents) {
    this.#client = client
    this.#events = events
    this.#server = connect(targetPort, HOST)
    const up = new Pipe(client, this.#server, gate, (chunk) => {
      const head = chunk.toString('latin1', 0, 4096)
      if (!REQUEST.test(head)) return false
      events.onHead(head)
      this.#isCut = events.isCut(head)
      const answer = events.answer()
      if (answer === null) return false
      client.end(answer)
      return true
    })
    this.#pipes = [up, new Pipe(this.#server, client, gate, () => this.#cut())]
    // Each end learns of the other's when everything before it has passed.
    for (const pipe of this.#pipes) pipe.onEnd = (isReset) => this.#close(isReset)
  }

  setGate(gate: Gate): void {
    for (const pipe of this.#pipes) pipe.setGate(gate)
  }

  pass(bytes: number): void {
    for (const pipe of this.#pipes) pipe.pass(bytes)
  }

  reset(): void {
    this.#close(true)
  }

  #cut(): boolean {
    if (this.#isCut) this.#close(true)
    return this.#isCut
  }

  #close(isReset: boolean): void {
    for (const socket of [this.#client, this.#server]) {
      if (isReset) socket.resetAndDestroy()
      else socket.destroySoon()
    }
    this.#events.onGone()
  }
}

type Gate = 'open' | 'shut'

/** A direction of a link. Data that comes while it is shut waits in order. */
class Pipe {
  readonly #to: Socket
  readonly #from: Socket
  #gate: Gate
  #waiting: Buffer[] = []
  #ended: 'no' | 'closed' | 'reset' = 'no'
  onEnd: (isReset: boolean) => void = () => undefined

  /** `take`: true for a chunk that goes no further. */
  constructor(from: Socket, to: Socket, gate: Gate, take: (chunk: Buffer) => boolean) {
    this.#from = from
    this.#to = to
    this.#gate = gate
    from.on('data', (chunk: Buffer) => {
      if (take(chunk)) return
      this.#waiting.push(chunk)
      this.#flush()
    })
    to.on('drain', () => from.resume())
    from.on('error', () => (this.#ended = 'reset'))
    from.on('close', () => {
      if (this.#ended === 'no') this.#ended = 'closed'
      this.#flush()
    })
  }

  setGate(gate: Gate): void {
    this.#gate = gate
    if (gate === 'open') this.#from.resume()
    this.#flush()
  }

  /** Lets so many bytes through a shut gate. */
  pass(bytes: number): void {
    let left = bytes
    for (let first = this.#waiting[0]; first !== undefined && left > 0; first = this.#waiting[0]) {
      const part = first.subarray(0, left)
      this.#to.write(part)
      left -= part.length
      if (part.length < first.length) this.#waiting[0] = first.subarray(part.length)
      else this.#waiting.shift()
    }
    if (this.#waiting.length === 0) this.#from.resume()
    this.#tellEnd()
  }

  #flush(): void {
    if (this.#gate === 'shut') {
      if (this.#waiting.length > 0) this.#from.pause()
      return
    }
    for (const chunk of this.#waiting) if (!this.#to.write(chunk)) this.#from.pause()
    this.#waiting = []
    this.#tellEnd()
  }

  #tellEnd(): void {
    if (this.#ended !== 'no' && this.#waiting.length === 0) this.onEnd(this.#ended === 'reset')
  }
}

import { isHeartbeat } from '../budget/costs.ts'
import type { Endpoint } from '../endpoints.ts'
import type { GovernorEnv, SocketLike, TimerId } from '../env.ts'
import { RavenError } from '../errors/errors.ts'

export interface ConnectionEvents {
  readonly onOpen: () => void
  /** A frame with content; heartbeats are only counted. */
  readonly onFrame: (text: string) => void
  /** Called for any frame, heartbeats included. */
  readonly onReceived: (atMs: number, text: string) => void
  /** Called once, unless `drop` was called. */
  readonly onEnd: (end: ConnectionEnd) => void
}

export interface ConnectionEnd {
  /** `silent`: nothing arrived for too long, or the handshake did not finish. */
  readonly why: 'closed' | 'silent'
  /** When it was last alive, wall clock, ms: the close, or the last frame before the silence. */
  readonly atMs: number
  /** Error in the server's last frame, or in a frame's form; null: the connection was just closed. */
  readonly error: RavenError | null
}

/**
 * A WebSocket from handshake to end. The server ends every socket with 1006 and no reason, and answers a page's
 * `close()` in the same way up to a second later; so handlers are removed before closing, and nothing arrives late.
 */
export class Connection {
  readonly #env: GovernorEnv
  readonly #endpoint: Endpoint
  readonly #path: string
  readonly #events: ConnectionEvents
  readonly #socket: SocketLike
  #timer: TimerId | null = null
  #receivedMs: number
  #quietMs: number

  /** Errors: what `new WebSocket` throws (a page's policy, a bad address). `openMs`: time limit of the handshake. */
  constructor(env: GovernorEnv, endpoint: Endpoint, path: string, openMs: number, events: ConnectionEvents) {
    this.#env = env
    this.#endpoint = endpoint
    this.#path = path
    this.#events = events
    this.#receivedMs = env.now()
    this.#quietMs = openMs
    this.#socket = new env.WebSocket(env.baseUrl.replace(/^http/, 'ws') + path)
    this.#socket.onopen = () => {
      this.#receivedMs = env.now()
      this.#quietMs = endpoint.silenceMs
      this.#watch()
      events.onOpen()
    }
    this.#socket.onmessage = (event) => this.#receive(event.data)
    this.#socket.onerror = () => {}
    this.#socket.onclose = () => this.#end({ why: 'closed', atMs: env.now(), error: null })
    this.#watch()
  }

  send(text: string): void {
    this.#socket.send(text)
  }

  /** Ends the connection without an event. */
  drop(): void {
    this.#detach()
    this.#socket.close()
  }

  #receive(data: unknown): void {
    const text = typeof data === 'string' ? data : ''
    this.#receivedMs = this.#env.now()
    this.#events.onReceived(this.#receivedMs, text)
    if (text.length > this.#endpoint.maxBytes) {
      const message = `A frame of ${Math.round(text.length / 1048576)} MiB came, more than this page takes.`
      this.#fail(new RavenError({ kind: 'too-large', endpoint: this.#path, message }))
    } else if (text.startsWith('{"Type":"Error"')) this.#fail(errorFrame(this.#path, text))
    else if (!isHeartbeat(text)) this.#events.onFrame(text)
  }

  #fail(error: RavenError): void {
    this.#end({ why: 'closed', atMs: this.#env.now(), error })
  }

  /** Uses a single timer that is checked when it fires, instead of one for each frame. */
  #watch(): void {
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    const leftMs = this.#receivedMs + this.#quietMs - this.#env.now()
    this.#timer = this.#env.setTimeout(
      () => {
        if (this.#env.now() - this.#receivedMs >= this.#quietMs)
          this.#end({ why: 'silent', atMs: this.#receivedMs, error: null })
        else this.#watch()
      },
      Math.max(1, leftMs),
    )
  }

  #end(end: ConnectionEnd): void {
    this.drop()
    this.#events.onEnd(end)
  }

  #detach(): void {
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    this.#timer = null
    this.#socket.onopen = null
    this.#socket.onmessage = null
    this.#socket.onclose = null
    // Stays set: closing while connecting is an error event, which Node reports if there is no listener.
    this.#socket.onerror = () => {}
  }
}

function errorFrame(path: string, text: string): RavenError {
  const reported = /"(?:Exception|Message)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text.slice(0, 20_000))?.[1]
  let serverMessage: string | null = null
  try {
    if (reported !== undefined) serverMessage = JSON.parse(reported) as string
  } catch {
    serverMessage = text.slice(0, 300)
  }
  const message = 'The server ended the feed with an error.'
  return new RavenError({ kind: 'server', endpoint: path, serverMessage, message })
}

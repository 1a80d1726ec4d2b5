import { Connection, type ConnectionEnd } from './connection.ts'
import type { Endpoint } from '../endpoints.ts'
import type { GovernorEnv, TimerId } from '../env.ts'
import { RavenError, type RavenErrorInfo } from '../errors/errors.ts'
import { COMMAND_MS, frameCostMs, isHeartbeat, OPENING_MS } from '../budget/costs.ts'
import type { MeterLog } from '../budget/meter.ts'
import { Spending, type Spent } from '../budget/spending.ts'
import { TabLeader } from '../tabs/tabs.ts'

export interface SharedSocketEvents {
  readonly onOpen: () => void
  readonly onFrame: (text: string) => void
  /** Called for anything that arrives, heartbeats included. */
  readonly onReceived: (atMs: number) => void
  /** Called once, unless `drop` was called. */
  readonly onEnd: (end: ConnectionEnd) => void
  /** Called for a socket that was open until `atMs` and is reconnected, by another page or this one. */
  readonly onAgain: (atMs: number) => void
  /** Called for a socket that was open until `atMs` and is closed until `untilMs` to reduce its cost. */
  readonly onPause: (atMs: number, untilMs: number, why: string) => void
}

export interface SharedSocketHost {
  readonly env: GovernorEnv
  readonly log: MeterLog
  /** Called when a connection begins. Call the result when it is open or has failed. */
  readonly beginOpening: () => () => void
  /** Whether connecting loads nothing; checked each time. */
  readonly mayOpen: (signal: AbortSignal) => Promise<boolean>
  /** Reads the first frame for a page that joins later; null: the socket has no history. */
  readonly history: ((signal: AbortSignal) => Promise<string>) | null
}

export interface SharedSocketSpec {
  readonly endpoint: Endpoint
  readonly path: string
  /** Time limit of the handshake, ms. */
  readonly openMs: number
  /** Pages and panels with the same name share one socket; null: not shared. */
  readonly shareName: string | null
  /** Whether it is opened often, so that an opening is not a one-time cost. */
  readonly isRecurring: boolean
}

/** Message of the leader to the others. Wall clock in ms. */
type Sent =
  | { readonly type: 'opening' | 'open' | 'received' }
  /** For a page that joins while it is open: it gets earlier frames from `history`. */
  | { readonly type: 'joined' }
  | { readonly type: 'frame'; readonly text: string }
  | { readonly type: 'paused'; readonly untilMs: number; readonly why: string }
  | { readonly type: 'ended'; readonly why: ConnectionEnd['why']; readonly error: RavenErrorInfo | null }

/** Time, ms, during which frames of the first connection count as the cost of opening it. */
const OPENING_LASTS_MS = 5000
/** Time, ms, after which a page that waits for a silent leader opens a socket of its own. */
const ALONE_MS = 5000
/** Time, ms, for which a database counts as loaded after it was known to be. */
const STILL_KNOWN_MS = 1000

/**
 * A socket that pages of one browser, and panels of one page, share: one of them has the connection and sends the
 * others each frame; when it goes, the next connects. It is an ordinary connection where nothing can be shared.
 *
 *     leads:    opening → open ⇄ paused → ended
 *     follows:  (hello) → joined, history, frames → again (another leads, or this one) → …
 *
 * A page that follows and then leads first checks whether connecting would load the database: the socket that it followed
 * may have ended for the very reason that the server unloaded it.
 */
export class SharedSocket {
  readonly #host: SharedSocketHost
  readonly #spec: SharedSocketSpec
  readonly #events: SharedSocketEvents
  readonly #bornMs: number
  readonly #over = new AbortController()
  #tabs: TabLeader<Sent> | null = null
  #connection: Connection | null = null
  #endOpening = (): void => undefined
  #leads = false
  #followed = false
  #isOpen = false
  #spending: Spending | null = null
  /** Expected share of one core: the value measured when it was last open. */
  #expectedShare: number
  /** Time until which its cost counts as that of opening; null: past. */
  #openingUntilMs: number | null = null
  #pausedUntilMs: number | null = null
  #pausedWhy = ''
  #receivedMs: number
  #patienceMs = ALONE_MS
  #timer: TimerId | null = null
  /** Frames that arrived while the history is loading; null: it is not loading. */
  #behind: string[] | null = null
  #requesting = new AbortController()

  /** Errors: what `new WebSocket` throws, if it connects at once. */
  constructor(host: SharedSocketHost, spec: SharedSocketSpec, events: SharedSocketEvents) {
    this.#host = host
    this.#spec = spec
    this.#events = events
    this.#expectedShare = spec.endpoint.openShare
    this.#bornMs = host.env.now()
    this.#receivedMs = this.#bornMs
    const { tabs } = host.env
    if (tabs === null || spec.shareName === null) {
      this.#leads = true
      this.#open()
      return
    }
    this.#tabs = new TabLeader<Sent>(tabs, spec.shareName, {
      lead: () => this.#lead(),
      received: (sent) => this.#follow(sent),
      replay: () => this.#state(),
    })
    if (!this.#tabs.leads) this.#watch()
  }

  /** Cost of the open connection; null: not open, or another page has it. */
  get spent(): Spent | null {
    return this.#spending?.at(this.#now) ?? null
  }

  /** Cost without pauses, as a share of one core; null: another page has it. */
  get wantedShare(): number | null {
    if (!this.#leads) return null
    return this.spent?.share ?? this.#expectedShare
  }

  /** Does nothing if another page has the connection, since that page sends the same. */
  send(text: string): void {
    if (this.#connection === null) return
    this.#connection.send(text)
    this.#host.log.spent(this.#spec.endpoint, COMMAND_MS, this.#isOpening)
    this.#spending?.open(COMMAND_MS)
  }

  /** Closes the connection until `untilMs` for all pages that share it, if this page has it. */
  pause(untilMs: number, why: string): void {
    if (!this.#leads || !this.#isOpen) return
    this.#disconnect()
    this.#pausedUntilMs = untilMs
    this.#pausedWhy = why
    this.#broadcast({ type: 'paused', untilMs, why })
    this.#after(untilMs - this.#now, () => void this.#openWhereAllowed())
    this.#events.onPause(this.#now, untilMs, why)
  }

  /** Ends such a pause, if this page has the connection. */
  resume(): void {
    if (this.#pausedUntilMs === null || !this.#leads) return
    this.#pausedUntilMs = null
    if (this.#timer !== null) this.#host.env.clearTimeout(this.#timer)
    this.#timer = null
    void this.#openWhereAllowed()
  }

  /** Ends it without an event; the next page takes over. */
  drop(): void {
    this.#over.abort()
    this.#requesting.abort()
    if (this.#timer !== null) this.#host.env.clearTimeout(this.#timer)
    this.#disconnect()
    this.#tabs?.leave()
  }

  get #isOpening(): boolean {
    return this.#openingUntilMs !== null && this.#now < this.#openingUntilMs
  }

  get #now(): number {
    return this.#host.env.now()
  }

  #lead(): void {
    this.#leads = true
    this.#requesting.abort()
    this.#behind = null
    const isLate = this.#followed || this.#now - this.#bornMs > STILL_KNOWN_MS
    if (this.#isOpen) this.#again()
    if (isLate) void this.#openWhereAllowed()
    else this.#openOrEnd()
  }

  /** Opens a socket of its own: the page with the lock does not answer. */
  #alone(): void {
    this.#tabs?.leave()
    this.#tabs = null
    this.#followed = true
    this.#lead()
  }

  async #openWhereAllowed(): Promise<void> {
    const { signal } = this.#over
    let isAllowed = false
    try {
      isAllowed = await this.#host.mayOpen(signal)
    } catch {
      // The receiver of `onEnd` finds the reason.
    }
    if (signal.aborted) return
    if (isAllowed) this.#openOrEnd()
    else this.#end({ why: 'closed', atMs: this.#now, error: null })
  }

  #openOrEnd(): void {
    try {
      this.#open()
    } catch (cause) {
      const message = 'The browser did not open the connection.'
      const error = new RavenError({ kind: 'network', endpoint: this.#spec.path, message, cause })
      this.#end({ why: 'closed', atMs: this.#now, error })
    }
  }

  #open(): void {
    const { env, log } = this.#host
    const { endpoint, path, openMs } = this.#spec
    this.#pausedUntilMs = null
    this.#broadcast({ type: 'opening' })
    log.request(endpoint.route)
    const beganMs = this.#now
    this.#endOpening = this.#host.beginOpening()
    this.#connection = new Connection(env, endpoint, path, openMs, {
      onOpen: () => {
        this.#endOpening()
        this.#isOpen = true
        this.#spending = new Spending(this.#now, this.#expectedShare, OPENING_MS)
        this.#openingUntilMs ??= this.#spec.isRecurring ? 0 : this.#now + OPENING_LASTS_MS
        log.socketOpened(endpoint, OPENING_MS, this.#isOpening)
        log.ended(endpoint.route, this.#now - beganMs)
        this.#broadcast({ type: 'open' })
        this.#events.onOpen()
      },
      onReceived: (atMs, text) => {
        const costMs = frameCostMs(endpoint, text)
        const wakeMs = isHeartbeat(text) ? 0 : endpoint.wakeMs
        log.received(endpoint, text.length, costMs + wakeMs, this.#isOpening)
        this.#spending?.add(this.#now, costMs)
        this.#broadcast({ type: 'received' })
        this.#events.onReceived(atMs)
      },
      onFrame: (text) => {
        this.#broadcast({ type: 'frame', text })
        this.#events.onFrame(text)
      },
      onEnd: (end) => {
        log.failure(endpoint.route)
        this.#end(end)
      },
    })
  }

  #disconnect(): void {
    this.#endOpening()
    this.#endOpening = (): void => undefined
    this.#connection?.drop()
    this.#connection = null
    if (this.#spending !== null) {
      this.#expectedShare = this.#spending.at(this.#now).share
      this.#host.log.socketClosed()
    }
    this.#spending = null
    this.#isOpen = false
  }

  #end(end: ConnectionEnd): void {
    this.#broadcast({ type: 'ended', why: end.why, error: end.error?.toInfo() ?? null })
    this.drop()
    this.#events.onEnd(end)
  }

  #broadcast(sent: Sent): void {
    if (this.#leads) this.#tabs?.broadcast(sent)
  }

  #state(): Sent[] {
    if (this.#pausedUntilMs !== null) return [{ type: 'paused', untilMs: this.#pausedUntilMs, why: this.#pausedWhy }]
    return [{ type: this.#isOpen ? 'joined' : 'opening' }]
  }

  #again(): void {
    this.#isOpen = false
    this.#events.onAgain(this.#receivedMs)
  }

  #follow(sent: Sent): void {
    const { endpoint, openMs } = this.#spec
    const wasMs = this.#receivedMs
    this.#receivedMs = this.#now
    this.#followed = true
    switch (sent.type) {
      case 'opening':
        this.#patienceMs = openMs + ALONE_MS
        this.#requesting.abort()
        this.#behind = null
        if (this.#isOpen) {
          this.#isOpen = false
          this.#events.onAgain(wasMs)
        }
        break
      case 'open':
      case 'joined':
        if (this.#isOpen) break
        this.#patienceMs = endpoint.silenceMs
        this.#isOpen = true
        this.#events.onOpen()
        if (sent.type === 'joined' && this.#host.history !== null) void this.#catchUp(this.#host.history)
        break
      case 'received':
        if (this.#isOpen) this.#events.onReceived(this.#receivedMs)
        break
      case 'frame':
        if (this.#behind !== null) this.#behind.push(sent.text)
        else if (this.#isOpen) this.#events.onFrame(sent.text)
        break
      case 'paused':
        this.#patienceMs = Math.max(0, sent.untilMs - this.#now) + ALONE_MS
        this.#isOpen = false
        this.#events.onPause(wasMs, sent.untilMs, sent.why)
        break
      case 'ended': {
        const error = sent.error === null ? null : new RavenError({ ...sent.error, kind: 'server' })
        this.#end({ why: sent.why, atMs: wasMs, error })
        return
      }
    }
    this.#watch()
  }

  /** Requests the history; frames that arrive meanwhile wait for it. */
  async #catchUp(history: (signal: AbortSignal) => Promise<string>): Promise<void> {
    const requesting = (this.#requesting = new AbortController())
    this.#behind = []
    try {
      const text = await history(requesting.signal)
      if (requesting.signal.aborted) return
      const frames = [text, ...this.#behind]
      this.#behind = null
      for (const frame of frames) this.#events.onFrame(frame)
    } catch {
      if (!requesting.signal.aborted) this.#alone()
    }
  }

  /** Watches for silence of the leader with a single timer that is checked when it fires. */
  #watch(): void {
    if (this.#leads || this.#over.signal.aborted) return
    this.#after(this.#receivedMs + this.#patienceMs - this.#now, () => {
      if (this.#leads) return
      if (this.#now - this.#receivedMs < this.#patienceMs) this.#watch()
      else if (this.#isOpen) this.#end({ why: 'silent', atMs: this.#receivedMs, error: null })
      else this.#alone()
    })
  }

  #after(delayMs: number, run: () => void): void {
    if (this.#timer !== null) this.#host.env.clearTimeout(this.#timer)
    this.#timer = this.#host.env.setTimeout(run, Math.max(1, delayMs))
  }
}

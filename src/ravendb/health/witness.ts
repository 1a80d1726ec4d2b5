import type { GovernorEnv, TimerId } from '../env.ts'
import { tabName, type ChannelLike } from '../tabs/tabs.ts'

/** Time in which the server, or the connection to it, did not answer. Wall clock, ms. */
export interface Unresponsive {
  /** When this browser last received anything from the server. */
  readonly fromMs: number
  /** When the unanswered request was sent. */
  readonly requestedMs: number
  /** Whether the request failed at once; otherwise nothing arrived. */
  readonly isRefused: boolean
}

export interface UnresponsiveSpan extends Unresponsive {
  /** When something arrived again, or this page stopped being a witness. */
  readonly toMs: number
}

export interface WitnessEvents {
  /** The server answers again after it was unresponsive. Called before the received data is handed on. */
  readonly onOver?: (span: UnresponsiveSpan) => void
  /** The timers of this page were late by this time, about which it knows nothing. */
  readonly onLate?: (fromMs: number, toMs: number) => void
  /** `silentSinceMs` or `unresponsive` changed. */
  readonly onChange?: () => void
}

const TICK_MS = 1000
/** Delay of a timer, ms, that shows that the page was suspended or its browser is short of CPU. */
const LATE_MS = 1000
/** Silence, ms, where a heartbeat is expected each second. */
const SILENT_MS = 3000
/** Silence, ms, where no heartbeat is expected and only polls arrive; the slowest of these has 15 s. */
const SILENT_WITHOUT_HEARTBEAT_MS = 20_000
/** Time, ms, after which a short request, answered in milliseconds otherwise, counts as unanswered. */
const UNANSWERED_MS = 2000
/** Time after its start during which a page gives no evidence, ms: the browser is busiest while a page opens. */
export const JOINED_MS = 10_000
const MOST_SPANS = 50

type Message =
  | { readonly type: 'received?' }
  /** When the answering page last received anything, wall clock, ms. */
  | { readonly type: 'received'; readonly atMs: number }

/**
 * Whether the server answers, by evidence only: it was silent, a request to it was not answered, the timers of this
 * page were on time throughout, and no other page of this browser received anything. Anything less is unknown and not a
 * fault of the server: this page may have been suspended, its browser short of CPU, a socket paused on purpose.
 */
export class ServerWitness {
  readonly #env: GovernorEnv
  /** Sends a short request at once. Resolves when the server answers, whatever the content; rejects otherwise. */
  readonly #probeServer: () => Promise<void>
  readonly #listeners = new Set<WitnessEvents>()
  #channel: ChannelLike | null = null
  #timer: TimerId | null = null
  #dueMs = 0
  #tickedMs = 0
  #watchers = 0
  #joinedMs = 0
  /** Time since which the timers have been on time. */
  #onTimeSinceMs = 0
  #receivedMs: number | null = null
  #expectsHeartbeat = false
  #requested: { readonly sentMs: number; readonly isRefused: boolean; readonly othersRequested: boolean } | null = null
  #isProbing = false
  #probedMs = Number.NEGATIVE_INFINITY
  #unresponsive: Unresponsive | null = null
  #spans: UnresponsiveSpan[] = []
  #silentSinceMs: number | null = null

  constructor(env: GovernorEnv, probe: () => Promise<void>) {
    this.#env = env
    this.#probeServer = probe
  }

  /** Watches until the returned function is called. Without a watcher nothing is probed and there is no verdict. */
  watch(events: WitnessEvents): () => void {
    this.#listeners.add(events)
    if (this.#watchers++ === 0) this.#begin()
    return () => {
      if (this.#listeners.delete(events) && --this.#watchers === 0) this.close()
    }
  }

  /** Subscribes to changes without making this page a witness. */
  listen(events: WitnessEvents): void {
    this.#listeners.add(events)
  }

  get isWatching(): boolean {
    return this.#timer !== null
  }

  /** Current unresponsive time, by evidence; null: the server answers, or there is no evidence. */
  get unresponsive(): Unresponsive | null {
    return this.#unresponsive
  }

  /** Start of the current silence, once it exceeds two heartbeats; null: data is current, or no page watches. */
  get silentSinceMs(): number | null {
    return this.#silentSinceMs
  }

  /** Whether there is evidence that the server was unresponsive at any time within this range. */
  confirms(fromMs: number, toMs: number): boolean {
    const isWithin = (span: Unresponsive, endMs: number): boolean => span.fromMs < toMs && endMs > fromMs
    const now = this.#unresponsive
    return (now !== null && isWithin(now, toMs)) || this.#spans.some((span) => isWithin(span, span.toMs))
  }

  /** Whether there is, or but for a lost connection would be, a socket with a heartbeat each second. */
  expectHeartbeat(isExpected: boolean): void {
    if (this.#expectsHeartbeat === isExpected) return
    this.#expectsHeartbeat = isExpected
    if (this.#timer !== null) this.#arm()
  }

  /** Records that the server sent something, to this page or another one. */
  received(atMs: number): void {
    if (this.#receivedMs !== null && atMs <= this.#receivedMs) return
    if (this.#unresponsive === null || atMs > this.#unresponsive.requestedMs) {
      this.#receivedMs = atMs
      this.#requested = null
      this.#end(atMs)
    }
    this.#reportSilence()
  }

  close(): void {
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    this.#timer = null
    if (this.#channel !== null) this.#channel.onmessage = null
    this.#channel?.close()
    this.#channel = null
    this.#end(this.#tickedMs)
    this.#receivedMs = null
    this.#requested = null
    this.#reportSilence()
  }

  #begin(): void {
    const now = this.#env.now()
    this.#joinedMs = now
    this.#onTimeSinceMs = now
    this.#tickedMs = now
    this.#channel = this.#env.tabs?.openChannel(tabName('witness')) ?? null
    if (this.#channel !== null) this.#channel.onmessage = ({ data }) => this.#receive(data as Message)
    this.#arm()
  }

  #receive(message: Message): void {
    if (message.type === 'received') this.received(Math.min(message.atMs, this.#env.now()))
    else if (this.#receivedMs !== null) this.#post({ type: 'received', atMs: this.#receivedMs })
  }

  #post(message: Message): void {
    this.#channel?.postMessage(message)
  }

  /** Checks when the silence would be long enough, then each second. */
  #arm(): void {
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    const now = this.#env.now()
    const delayMs = Math.max(TICK_MS, (this.#receivedMs ?? 0) + this.#silentMs - now)
    this.#dueMs = now + delayMs
    this.#timer = this.#env.setTimeout(() => {
      this.#tick(this.#env.now())
      if (this.#timer !== null) this.#arm()
    }, delayMs)
  }

  get #silentMs(): number {
    return this.#expectsHeartbeat ? SILENT_MS : SILENT_WITHOUT_HEARTBEAT_MS
  }

  #tick(now: number): void {
    const ticked = this.#tickedMs
    this.#tickedMs = now
    if (now - this.#dueMs > LATE_MS) {
      this.#late(Math.max(ticked, this.#receivedMs ?? 0), now)
      return
    }
    this.#judge(now)
    this.#reportSilence()
  }

  /** Restarts the silence: a time that this page could not observe is not judged. */
  #late(fromMs: number, toMs: number): void {
    this.#onTimeSinceMs = toMs
    this.#requested = null
    this.#end(fromMs)
    for (const { onLate } of this.#listeners) onLate?.(fromMs, toMs)
  }

  #judge(now: number): void {
    if (this.#receivedMs === null || now - this.#joinedMs < JOINED_MS) return
    const fromMs = Math.max(this.#receivedMs, this.#onTimeSinceMs)
    if (now - fromMs < this.#silentMs) return
    if (this.#unresponsive !== null) {
      this.#post({ type: 'received?' })
      this.#send(now)
      return
    }
    const requested = this.#requested
    if (requested === null) {
      this.#send(now)
      return
    }
    if (!requested.othersRequested) {
      this.#requested = { ...requested, othersRequested: true }
      this.#post({ type: 'received?' })
      return
    }
    if (!requested.isRefused && now - requested.sentMs < UNANSWERED_MS) return
    this.#unresponsive = { fromMs, requestedMs: requested.sentMs, isRefused: requested.isRefused }
    this.#changed()
  }

  #send(now: number): void {
    if (this.#isProbing || now - this.#probedMs < UNANSWERED_MS) return
    this.#isProbing = true
    this.#probedMs = now
    this.#requested ??= { sentMs: now, isRefused: false, othersRequested: false }
    const requested = this.#requested
    this.#probeServer()
      .then(
        () => this.received(this.#env.now()),
        () => {
          const isQuick = this.#env.now() - now < UNANSWERED_MS
          if (isQuick && this.#requested?.sentMs === requested.sentMs)
            this.#requested = { ...this.#requested, isRefused: true }
        },
      )
      .finally(() => {
        this.#isProbing = false
      })
  }

  #end(toMs: number): void {
    const was = this.#unresponsive
    if (was === null) return
    this.#unresponsive = null
    const span = { ...was, toMs: Math.max(toMs, was.requestedMs) }
    this.#spans = [...this.#spans, span].slice(-MOST_SPANS)
    for (const { onOver } of this.#listeners) onOver?.(span)
    this.#changed()
  }

  #reportSilence(): void {
    const now = this.#env.now()
    const receivedMs = this.isWatching ? this.#receivedMs : null
    const since = receivedMs !== null && now - receivedMs >= SILENT_MS ? receivedMs : null
    if (since === this.#silentSinceMs) return
    this.#silentSinceMs = since
    this.#changed()
  }

  #changed(): void {
    for (const { onChange } of this.#listeners) onChange?.()
  }
}

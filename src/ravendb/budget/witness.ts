import type { GovernorEnv, TimerId } from '../env.ts'
import { tabName, type ChannelLike } from '../tabs/tabs.ts'

/** A stretch in which the server, or the way to it, did not answer. Wall clock, ms. */
export interface Unresponsive {
  /** When this browser last received anything from the server. */
  readonly fromMs: number
  /** When the request was sent that was not answered. */
  readonly askedMs: number
  /** The request failed at once; else nothing came at all. */
  readonly isRefused: boolean
}

export interface UnresponsiveSpan extends Unresponsive {
  /** When something was received again, or when this page stopped being a witness. */
  readonly toMs: number
}

export interface WitnessEvents {
  /** The server was unresponsive and answers again. Called before what arrived then is handed on. */
  readonly onOver?: (span: UnresponsiveSpan) => void
  /** The timers of this page were late by this stretch: it knows nothing of it. */
  readonly onLate?: (fromMs: number, toMs: number) => void
  /** `silentSinceMs` or `unresponsive` changed. */
  readonly onChange?: () => void
}

const TICK_MS = 1000
/** A tick that is later than this: the page itself was suspended, or its browser is short of CPU. */
const LATE_MS = 1000
/** The heartbeat comes each second. */
const SILENT_MS = 3000
/** Where no heartbeat is expected, polls are all there is; the slowest that counts comes every 15 s. */
const SILENT_WITHOUT_HEARTBEAT_MS = 20_000
/** A short request is answered in milliseconds. */
const UNANSWERED_MS = 2000
/** Time after its start in which a page gives no evidence, ms: the browser is busiest while a page opens. */
export const JOINED_MS = 10_000
const MOST_SPANS = 50

type Message =
  | { readonly type: 'received?' }
  /** When the page that answers last received anything, wall clock, ms. */
  | { readonly type: 'received'; readonly atMs: number }

/**
 * Whether the server answers, by evidence alone: it was silent, a request was sent to it and not answered, the timers of this
 * page were on time all the while, and no other page of this browser received anything either. Anything less is unknown, and is
 * no fault of the server: this page may have been suspended, its browser short of CPU, a socket paused on purpose.
 */
export class ServerWitness {
  readonly #env: GovernorEnv
  /** Sends a short request at once. Resolves when the server answered, whatever its content; rejects when it did not. */
  readonly #probeServer: () => Promise<void>
  readonly #listeners = new Set<WitnessEvents>()
  #channel: ChannelLike | null = null
  #timer: TimerId | null = null
  #dueMs = 0
  #tickedMs = 0
  #watchers = 0
  #joinedMs = 0
  /** Since when the timers have been on time. */
  #onTimeSinceMs = 0
  #receivedMs: number | null = null
  #expectsHeartbeat = false
  #asked: { readonly sentMs: number; readonly isRefused: boolean; readonly othersRequested: boolean } | null = null
  #isProbing = false
  #probedMs = Number.NEGATIVE_INFINITY
  #unresponsive: Unresponsive | null = null
  #spans: UnresponsiveSpan[] = []
  #silentSinceMs: number | null = null

  constructor(env: GovernorEnv, probe: () => Promise<void>) {
    this.#env = env
    this.#probeServer = probe
  }

  /** Watches until the returned function is called. Without a watcher nothing is probed and no verdict is given. */
  watch(events: WitnessEvents): () => void {
    this.#listeners.add(events)
    if (this.#watchers++ === 0) this.#begin()
    return () => {
      if (this.#listeners.delete(events) && --this.#watchers === 0) this.close()
    }
  }

  /** Is notified of changes without making this page a witness. */
  listen(events: WitnessEvents): void {
    this.#listeners.add(events)
  }

  get isWatching(): boolean {
    return this.#timer !== null
  }

  /** Not answering now, by evidence; null: it answers, or nothing is known to the contrary. */
  get unresponsive(): Unresponsive | null {
    return this.#unresponsive
  }

  /** Since when nothing arrived, once that is more than two heartbeats; null: data is current, or no page watches. */
  get silentSinceMs(): number | null {
    return this.#silentSinceMs
  }

  /** Whether the server was unresponsive, by evidence, at any time within this stretch. */
  confirms(fromMs: number, toMs: number): boolean {
    const isWithin = (span: Unresponsive, endMs: number): boolean => span.fromMs < toMs && endMs > fromMs
    const now = this.#unresponsive
    return (now !== null && isWithin(now, toMs)) || this.#spans.some((span) => isWithin(span, span.toMs))
  }

  /** Whether there is a connection on which the server speaks each second, or there would be if it was not lost. */
  expectHeartbeat(isExpected: boolean): void {
    if (this.#expectsHeartbeat === isExpected) return
    this.#expectsHeartbeat = isExpected
    if (this.#timer !== null) this.#arm()
  }

  /** The server sent something, to this page or another one. */
  received(atMs: number): void {
    if (this.#receivedMs !== null && atMs <= this.#receivedMs) return
    if (this.#unresponsive === null || atMs > this.#unresponsive.askedMs) {
      this.#receivedMs = atMs
      this.#asked = null
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
    this.#asked = null
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

  /** Looks when the silence would be long enough, and then each second. */
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

  /** A time in which this page could not see is not judged: the silence restarts. */
  #late(fromMs: number, toMs: number): void {
    this.#onTimeSinceMs = toMs
    this.#asked = null
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
    const asked = this.#asked
    if (asked === null) {
      this.#send(now)
      return
    }
    if (!asked.othersRequested) {
      this.#asked = { ...asked, othersRequested: true }
      this.#post({ type: 'received?' })
      return
    }
    if (!asked.isRefused && now - asked.sentMs < UNANSWERED_MS) return
    this.#unresponsive = { fromMs, askedMs: asked.sentMs, isRefused: asked.isRefused }
    this.#changed()
  }

  #send(now: number): void {
    if (this.#isProbing || now - this.#probedMs < UNANSWERED_MS) return
    this.#isProbing = true
    this.#probedMs = now
    this.#asked ??= { sentMs: now, isRefused: false, othersRequested: false }
    const asked = this.#asked
    this.#probeServer()
      .then(
        () => this.received(this.#env.now()),
        () => {
          const isQuick = this.#env.now() - now < UNANSWERED_MS
          if (isQuick && this.#asked?.sentMs === asked.sentMs) this.#asked = { ...this.#asked, isRefused: true }
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
    const span = { ...was, toMs: Math.max(toMs, was.askedMs) }
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

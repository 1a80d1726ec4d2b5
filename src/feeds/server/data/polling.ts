import type { TimerId } from '../../../ravendb/env.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import type { RavenErrorInfo } from '../../../ravendb/errors/errors.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { POLLS, type PollName, type ServerInput } from './model-inputs.ts'
import { hasNoCredits } from './wire/polls-wire.ts'
import { SERVER_ALERTS } from '../contract/alerts.ts'
import { type Lacking } from '../contract/watch.ts'
import type { WidgetType } from './wire/widgets.ts'

/** Audience of the feed's requests: one page collects for all pages. */
export const AUDIENCE = { feed: 'server', ofAllPages: true }

/**
 * Time, ms, after which a call that was refused because of the certificate, the version or the licence is tried again.
 */
const REFUSED_AGAIN_MS = 300_000
const UNUSED_EVERY_MS = 60_000

export interface CollectingHost {
  readonly governor: Governor
  /** Whether it is being recorded: a recording continues while the page is hidden. */
  readonly isRecording: () => boolean
  /** Takes an input. Returns the type of the widget; null: not a known widget. */
  readonly take: (input: ServerInput) => WidgetType | 'ServerTime' | null
}

/** Common part of vital signs and details: their polls, the figures that they lack, and their end. */
export class Collecting {
  readonly host: CollectingHost
  readonly #of: 'vitals' | 'details'
  readonly #stops = new Set<() => void>()
  readonly #timers = new Set<TimerId>()
  readonly #lacking = new Map<string, Lacking>()
  #ended = false

  constructor(host: CollectingHost, of: 'vitals' | 'details') {
    this.host = host
    this.#of = of
  }

  get isEnded(): boolean {
    return this.#ended
  }

  /** Adds a function that is called when collecting ends. */
  onEnd(stop: () => void): void {
    this.#stops.add(stop)
  }

  end(): void {
    this.#ended = true
    for (const stop of this.#stops) stop()
    for (const timer of this.#timers) this.host.governor.env.clearTimeout(timer)
  }

  poll(poll: PollName): void {
    const { governor, isRecording, take } = this.host
    const { everyMs, what, isVital } = POLLS[poll]
    let isUnused = false
    const stop = governor.poll(
      poll,
      {},
      {
        // The state of a machine without CPU credits does not change while its server runs.
        get everyMs() {
          return isUnused ? UNUSED_EVERY_MS : everyMs
        },
        vital: isVital,
        audience: AUDIENCE,
        inBackground: isRecording,
        onResponse: (response, atMs) => {
          this.setLacking(poll, null, atMs)
          isUnused = poll === 'cpuCredits' && hasNoCredits(response)
          take({ kind: 'response', poll, response, atMs })
        },
        onError: (error, atMs) => {
          const { route } = ENDPOINTS[poll]
          const lacking = lackingOf(error.toInfo(), what, route)
          if (lacking === null) {
            if (error.kind === 'not-json') this.setLacking(poll, entryOf('error', error.toInfo(), what, route), atMs)
            return
          }
          this.setLacking(poll, lacking, atMs)
          // If the right is missing, the server omits its alerts, too, without an error.
          stop()
          this.#stops.delete(stop)
          this.later(REFUSED_AGAIN_MS, () => this.poll(poll))
        },
      },
    )
    this.onEnd(stop)
  }

  later(delayMs: number, run: () => void): void {
    const { env } = this.host.governor
    const timer = env.setTimeout(() => {
      this.#timers.delete(timer)
      if (!this.#ended) run()
    }, delayMs)
    this.#timers.add(timer)
  }

  setLacking(key: string, lacking: Lacking | null, atMs: number): void {
    const had = this.#lacking.has(key)
    if (lacking === null) this.#lacking.delete(key)
    else this.#lacking.set(key, lacking)
    if (lacking === null && !had) return
    const all = [...this.#lacking.values()]
    const stats = this.#lacking.get('adminStats')
    if (stats?.kind === 'right')
      all.push({ ...stats, what: SERVER_ALERTS, endpoint: ENDPOINTS.serverNotifications.route })
    this.host.take({ kind: 'lacking', of: this.#of, lacking: all, atMs })
  }
}

/**
 * Entry for the figures `what` that an error of a call makes unavailable. Null: the next call may succeed, and the
 * dashboard's phase reports the problem.
 */
export function lackingOf(error: RavenErrorInfo, what: string, endpoint: string): Lacking | null {
  switch (error.kind) {
    case 'refused':
      return entryOf('right', error, what, endpoint)
    case 'licence':
      return entryOf('licence', error, what, endpoint)
    case 'route-missing':
      return entryOf('version', error, what, endpoint)
    default:
      return null
  }
}

function entryOf(kind: Lacking['kind'], error: RavenErrorInfo, what: string, endpoint: string): Lacking {
  const { message, hint } = error
  return { kind, what, endpoint, message: hint === '' ? message : `${message} ${hint}`, error }
}

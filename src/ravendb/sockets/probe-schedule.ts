import type { Probe } from '../loading/probe.ts'
import type { RavenError } from '../errors/errors.ts'
import type { SocketPhase } from './socket-events.ts'

/** State of a socket that cannot connect, and when it is probed next at the planned pace. */
export interface Waiting {
  readonly phase: SocketPhase['phase']
  readonly message: string
  readonly error: RavenError | null
  readonly againMs: number
  /** Whether it is enough to find if the database is loaded. */
  readonly isCheap: boolean
}

/** Time, ms, for which a report of loading is used: 5.4 reports it only to a request that waits for it. */
const LOAD_REPORTED_MS = 60_000
const UNLOADED_AGAIN_MS = 5000
/** Number of cheap probes before one that also sees whether the database was disabled or deleted. */
const CHEAP_PROBES = 2
/** Pause before a database that was never seen is probed again, ms: it may be being created. Later pauses grow. */
const NEW_AGAIN_MS = 1000
/** Pause while a database is being unloaded, ms: it may turn out to be disabled or deleted. */
export const SETTLING_MS = 500
const AGAIN_MS: Readonly<Record<'loading' | 'compacting' | 'disabled' | 'faulted' | 'gone' | 'refused', number>> = {
  loading: 2000,
  compacting: 2000,
  disabled: 10_000,
  faulted: 30_000,
  gone: 30_000,
  refused: 60_000,
}

/** Decides when a database that cannot be connected to is probed again, from the results of earlier probes. */
export class ProbeSchedule {
  readonly #now: () => number
  /** Cheap probes in a row. */
  #cheap = 0
  /** Probes in a row that found no such database; null: it existed once. */
  #missed: number | null = 0
  /** The server's report on a slow load; valid until the load ends. */
  #load: { readonly error: RavenError; readonly atMs: number } | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  /** Records that the database exists. */
  found(): void {
    this.#missed = null
  }

  /** State and wait after a probe; null: the socket may connect, or nothing is known of the database. */
  after(probe: Probe): Waiting | null {
    if (probe.state !== 'gone' && probe.state !== 'unreachable') this.found()
    const isStillLoading = this.#load !== null && this.#now() - this.#load.atMs < LOAD_REPORTED_MS
    if (this.#load !== null && probe.state === 'unloaded' && isStillLoading) return failed('loading', this.#load.error)
    if (probe.state !== 'loading') this.#load = null
    const { state } = probe
    switch (state) {
      case 'ready':
      case 'unreachable':
        return null
      case 'unloaded': {
        this.#cheap = 0
        const again = probe.settling ? { againMs: SETTLING_MS, isCheap: false } : this.unloadedAgain
        return { phase: state, message: probe.message, error: null, ...again }
      }
      case 'refused':
        return failed(state, probe.error, probe.message)
      case 'loading':
        return this.#load === null ? waiting(state, probe.message) : failed(state, this.#load.error)
      case 'gone':
        return { ...waiting(state, probe.message), againMs: this.#goneAgainMs() }
      default:
        return waiting(state, probe.message)
    }
  }

  /** The server answered a request that waited for the load. */
  loading(error: RavenError): Waiting {
    this.#load = { error, atMs: this.#now() }
    return failed('loading', error)
  }

  readonly unloadedAgain = { againMs: UNLOADED_AGAIN_MS, isCheap: true }

  /** Counts a cheap probe; false: the next one must be complete. */
  mayBeCheap(): boolean {
    return ++this.#cheap <= CHEAP_PROBES
  }

  #goneAgainMs(): number {
    return this.#missed === null ? AGAIN_MS.gone : Math.min(AGAIN_MS.gone, NEW_AGAIN_MS * 2 ** this.#missed++)
  }
}

const waiting = (phase: keyof typeof AGAIN_MS, message: string, error: RavenError | null = null): Waiting => ({
  phase,
  message,
  error,
  againMs: AGAIN_MS[phase],
  isCheap: false,
})

/** Uses the words of the error, unless a probe has its own. */
export const failed = (phase: keyof typeof AGAIN_MS, error: RavenError, message = error.message): Waiting =>
  waiting(phase, message, error)

import { RavenError } from '../errors/errors.ts'

export type Priority = 'user' | 'poll'

/** Maximum number of requests at once: HTTP/1.1 has six connections to a host, which slow ones must not occupy. */
export const MAX_AT_ONCE = 4
/** Maximum of ordinary ones. One place is kept for short requests (`express`) for which they wait, so that none blocks. */
const ORDINARY = MAX_AT_ONCE - 1

export interface FlightRequest<T> {
  /** Callers with the same id share the request. */
  readonly id: string
  /** Requests of the same group (endpoint) are sent one after another. */
  readonly group: string
  readonly express: boolean
  readonly priority: Priority
  /** For error messages. */
  readonly path: string
  readonly signal: AbortSignal | null
  readonly run: (signal: AbortSignal) => Promise<T>
}

interface Flight {
  readonly id: string
  readonly group: string
  readonly express: boolean
  readonly seq: number
  readonly controller: AbortController
  readonly run: (signal: AbortSignal) => Promise<unknown>
  readonly outcome: Deferred
  urgent: boolean
  waiters: number
}

/**
 * Schedules requests: never two with one id, never two of one group at once, never more than `MAX_AT_ONCE` in all. A
 * caller's abort ends a request only if no other caller waits for it; a queued one is then never sent.
 */
export class Flights {
  readonly #byId = new Map<string, Flight>()
  readonly #busyGroups = new Set<string>()
  #queue: Flight[] = []
  #running = { express: 0, ordinary: 0 }
  #seq = 0

  async join<T>(request: FlightRequest<T>): Promise<T> {
    if (request.signal?.aborted === true) throw aborted(request.path)
    const flight = this.#byId.get(request.id) ?? this.#add(request)
    if (request.priority === 'user') flight.urgent = true
    flight.waiters++
    this.#pump()
    return (await this.#wait(flight, request.path, request.signal)) as T
  }

  #add(request: FlightRequest<unknown>): Flight {
    const outcome = deferred()
    // Each waiter gets the error; without any it must not count as unhandled.
    outcome.promise.catch(() => {})
    const flight: Flight = {
      id: request.id,
      group: request.group,
      express: request.express,
      run: request.run,
      seq: this.#seq++,
      controller: new AbortController(),
      outcome,
      urgent: false,
      waiters: 0,
    }
    this.#byId.set(flight.id, flight)
    this.#queue.push(flight)
    return flight
  }

  async #wait(flight: Flight, path: string, signal: AbortSignal | null): Promise<unknown> {
    if (signal === null) return flight.outcome.promise
    const { promise, reject } = deferred()
    const leave = (): void => {
      if (--flight.waiters === 0) this.#abandon(flight)
      reject(aborted(path))
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([flight.outcome.promise, promise])
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  /** Abandons a request: a later caller with the same id gets a new one after this has ended. */
  #abandon(flight: Flight): void {
    if (this.#byId.get(flight.id) === flight) this.#byId.delete(flight.id)
    this.#queue = this.#queue.filter((other) => other !== flight)
    flight.controller.abort()
  }

  #pump(): void {
    const waiting = this.#queue.toSorted((a, b) => Number(b.urgent) - Number(a.urgent) || a.seq - b.seq)
    for (const flight of waiting) {
      const lane = flight.express ? 'express' : 'ordinary'
      const full = this.#running[lane] >= (flight.express ? MAX_AT_ONCE - ORDINARY : ORDINARY)
      if (full || this.#busyGroups.has(flight.group)) continue
      this.#queue = this.#queue.filter((other) => other !== flight)
      this.#busyGroups.add(flight.group)
      this.#running[lane]++
      void this.#fly(flight, lane)
    }
  }

  async #fly(flight: Flight, lane: 'express' | 'ordinary'): Promise<void> {
    try {
      flight.outcome.resolve(await flight.run(flight.controller.signal))
    } catch (error) {
      flight.outcome.reject(error)
    } finally {
      if (this.#byId.get(flight.id) === flight) this.#byId.delete(flight.id)
      this.#busyGroups.delete(flight.group)
      this.#running[lane]--
      this.#pump()
    }
  }
}

const aborted = (path: string): RavenError => new RavenError({ kind: 'aborted', endpoint: path })

interface Deferred {
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

function deferred(): Deferred {
  let resolve: Deferred['resolve'] = () => {}
  let reject: Deferred['reject'] = () => {}
  const promise = new Promise<unknown>((ok, no) => {
    resolve = ok
    reject = no
  })
  return { promise, resolve, reject }
}

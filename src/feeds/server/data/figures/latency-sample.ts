import { Fields } from '../../../../base/json/fields.ts'
import type { TimerId } from '../../../../ravendb/env.ts'
import type { Governor } from '../../../../ravendb/governor/governor.ts'
import type { SocketControl } from '../../../../ravendb/sockets/sockets.ts'
import type { LatencyResponse, LatencyRow } from '../../contract/latency.ts'

/** Duration of a sample, ms: long enough to show the present, short enough for a server in trouble. */
const SAMPLE_MS = 10_000
/** Time, ms, after which opening the connection is given up. */
const OPENS_MS = 30_000
/** Maximum number of requests in a sample. */
const MOST_REQUESTS = 20_000
const MOST_CHARACTERS = 16 * 1024 * 1024

const NOT_OPENED = 'The connection to the requests of the server did not open within 30 s: nothing was measured.'

interface Kind {
  readonly ms: number[]
  failed: number
}

/**
 * Measures how long single requests take. Other feeds of the server report only their mean; the traffic watch reports
 * each request while a client listens. It is therefore opened for ten seconds after a click, and never automatically.
 */
export class LatencySample {
  readonly #kinds = new Map<string, Kind>()
  #phase: LatencyResponse['phase'] = 'none'
  #message = ''
  #atMs: number | null = null
  #requests = 0
  #ours = 0
  /** Number of our own requests that the server has not reported yet, by path. */
  readonly #sent = new Map<string, number>()
  #stopListening: (() => void) | null = null
  #characters = 0
  #socket: SocketControl | null = null
  #timer: TimerId | null = null

  start(governor: Governor): void {
    if (this.#phase === 'running') return
    const { env } = governor
    this.#kinds.clear()
    this.#requests = 0
    this.#ours = 0
    this.#sent.clear()
    this.#characters = 0
    this.#message = ''
    this.#phase = 'running'
    this.#atMs = null
    this.#timer = env.setTimeout(() => this.#end(governor, 'failed', NOT_OPENED), OPENS_MS)
    this.#stopListening = governor.own.listen(({ path }) => this.#sent.set(path, (this.#sent.get(path) ?? 0) + 1))
    this.#socket = governor.openSocket(
      'trafficWatch',
      {},
      {
        onPhase: ({ phase, message, error }) => {
          if (phase === 'open') this.#opened(governor)
          if (phase !== 'refused' && phase !== 'waiting') return
          this.#end(governor, 'failed', error === null ? message : `${error.message} ${error.hint}`.trim())
        },
        onFrame: (text) => this.#take(text, governor),
      },
    )
  }

  response(): LatencyResponse {
    const rows = [...this.#kinds].map(([type, kind]) => rowOf(type, kind)).toSorted((a, b) => b.requests - a.requests)
    return {
      phase: this.#phase,
      message: this.#message,
      atMs: this.#atMs,
      requests: this.#requests,
      ours: this.#ours,
      rows,
    }
  }

  /** Starts the time of the sample: the server reports nothing before the connection is open. */
  #opened(governor: Governor): void {
    if (this.#atMs !== null || this.#timer === null) return
    const { env } = governor
    env.clearTimeout(this.#timer)
    this.#atMs = env.now()
    this.#timer = env.setTimeout(() => this.#end(governor, 'done'), SAMPLE_MS)
  }

  #isOurs(uri: string): boolean {
    const path = /^\w+:\/\/[^/]+(\/.*)$/.exec(uri)?.[1] ?? uri
    const left = this.#sent.get(path) ?? 0
    if (left > 0) this.#sent.set(path, left - 1)
    return left > 0
  }

  #take(text: string, governor: Governor): void {
    if (this.#phase !== 'running') return
    this.#characters += text.length
    try {
      const frame = new Fields(JSON.parse(text))
      if (frame.all['TrafficWatchType'] !== 'Http') return
      if (this.#isOurs(frame.textOrNull('RequestUri') ?? '')) {
        this.#ours++
        return
      }
      const ms = frame.number('ElapsedMilliseconds')
      const status = frame.number('ResponseStatusCode')
      const type = frame.textOrNull('Type') ?? 'None'
      let kind = this.#kinds.get(type)
      if (kind === undefined) this.#kinds.set(type, (kind = { ms: [], failed: 0 }))
      kind.ms.push(ms)
      if (status >= 400) kind.failed++
      this.#requests++
    } catch {
      // Skips a frame that cannot be read.
    }
    if (this.#requests >= MOST_REQUESTS || this.#characters >= MOST_CHARACTERS)
      this.#end(governor, 'done', 'It ended early: there were more requests than are listened to at once.')
  }

  #end({ env }: Governor, phase: 'done' | 'failed', message = ''): void {
    if (this.#phase !== 'running') return
    this.#phase = phase
    this.#message = message
    this.#stopListening?.()
    this.#stopListening = null
    this.#socket?.close()
    this.#socket = null
    if (this.#timer !== null) env.clearTimeout(this.#timer)
    this.#timer = null
  }
}

/** Percentile by nearest rank: a measured value, without interpolation. `sorted` must not be empty. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN

function rowOf(type: string, { ms, failed }: Kind): LatencyRow {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number): number => percentile(sorted, share)
  return { type, requests: ms.length, failed, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), longestMs: at(1) }
}

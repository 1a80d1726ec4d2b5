import { ENDPOINTS } from '../../../../ravendb/endpoints.ts'
import type { TimerId } from '../../../../ravendb/env.ts'
import type { RavenErrorInfo } from '../../../../ravendb/errors/errors.ts'
import type { Governor } from '../../../../ravendb/governor/governor.ts'
import type { SocketControl } from '../../../../ravendb/sockets/sockets.ts'
import { AUDIENCE } from '../polling.ts'
import { readAnsweredWrite, readLoggedError, type LoggedError } from '../wire/traffic-wire.ts'
import type { WriteCounts } from './writes.ts'

/**
 * Requests that are listened to at once, and how many more each second. The server writes each down for the listener, at
 * 0.05 to 0.2 ms: with the openings at most 0.2 % of a core, whatever its load is. A server with fewer requests is
 * listened to all the time.
 */
const MOST_REQUESTS = 80
const REQUESTS_PER_SECOND = 4
/** Number of them with which a sample begins again: six seconds after one that was used up. */
const BEGINS_WITH = 24
/** Characters of a frame that count as one more request. */
const CHARACTERS = 4000
/** Interval, ms, in which what was seen is passed on. */
const PASS_ON_MS = 1000

/** Time, ms, in which the log has to name the reason, and after which it is read again. */
const LOG_MS = 4000
const LOG_AGAIN_MS = 60_000
/** Maximum number of lines: the log of a busy server has thousands a second. */
const MOST_LINES = 3000

/** Time, ms, after which a refused listener tries again. */
const REFUSED_AGAIN_MS = 300_000

const isFailure = (status: number): boolean => status >= 500

export interface WriteWatchHost {
  readonly governor: Governor
  readonly isRecording: () => boolean
  readonly counted: (counts: readonly WriteCounts[]) => void
  readonly explained: (database: string | null, error: LoggedError) => void
  /** Called at failures, to read again what may explain them. */
  readonly failing: () => void
  readonly refused: (error: RavenErrorInfo | null) => void
}

/**
 * Listens to single requests, since nothing else of the server shows that writes fail: it counts neither requests nor
 * writes that fail, raises no alert, and its next figure of free space may come a minute later. A few at a time, so that
 * the cost has a bound. Where one fails, the server's log names the reason.
 */
export class WriteWatch {
  readonly #host: WriteWatchHost
  #left = MOST_REQUESTS
  #filledMs: number
  #socket: SocketControl | null = null
  #log: SocketControl | null = null
  readonly #timers = new Set<TimerId>()
  readonly #counts = new Map<string | null, WriteCounts>()
  #isPassingOn = false
  /** Time until which the log is not read again for a database and status, ms. */
  readonly #explained = new Map<string, number>()
  #isEnded = false

  constructor(host: WriteWatchHost) {
    this.#host = host
    this.#filledMs = host.governor.env.now()
    this.#listen()
  }

  close(): void {
    this.#isEnded = true
    this.#socket?.close()
    this.#log?.close()
    for (const timer of this.#timers) this.#host.governor.env.clearTimeout(timer)
  }

  #later(delayMs: number, run: () => void): void {
    const { env } = this.#host.governor
    const timer = env.setTimeout(() => {
      this.#timers.delete(timer)
      if (!this.#isEnded) run()
    }, delayMs)
    this.#timers.add(timer)
  }

  #fill(): void {
    const nowMs = this.#host.governor.env.now()
    this.#left = Math.min(MOST_REQUESTS, this.#left + ((nowMs - this.#filledMs) / 1000) * REQUESTS_PER_SECOND)
    this.#filledMs = nowMs
  }

  #listen(): void {
    const { governor, isRecording, counted, refused } = this.#host
    this.#socket = governor.openSocket(
      'trafficWatch',
      {},
      {
        onPhase: ({ phase, error }) => {
          if (phase === 'open') counted([])
          if (phase !== 'refused') return
          refused(error)
          this.#stop(REFUSED_AGAIN_MS)
        },
        onFrame: (text) => this.#take(text),
      },
      { audience: AUDIENCE, inBackground: isRecording, isRecurring: true },
    )
  }

  #stop(againMs: number): void {
    this.#socket?.close()
    this.#socket = null
    this.#later(againMs, () => this.#listen())
  }

  #take(text: string): void {
    if (this.#socket === null) return
    this.#fill()
    this.#left -= 1 + text.length / CHARACTERS
    try {
      const write = readAnsweredWrite(text)
      if (write !== null) this.#count(write)
    } catch {
      // Skips a frame that cannot be read.
    }
    if (this.#left < 1) this.#stop(((BEGINS_WITH - this.#left) / REQUESTS_PER_SECOND) * 1000)
  }

  #count({ database, status, request }: NonNullable<ReturnType<typeof readAnsweredWrite>>): void {
    const before = this.#counts.get(database) ?? { database, done: 0, failed: [], failedSince: 0 }
    if (!isFailure(status)) this.#counts.set(database, { ...before, done: before.done + 1, failedSince: 0 })
    else {
      const known = before.failed.find((each) => each.status === status)
      const others = before.failed.filter((each) => each !== known)
      const failed = [...others, { status, request, count: (known?.count ?? 0) + 1 }]
      this.#counts.set(database, { ...before, failed, failedSince: before.failedSince + 1 })
      this.#explain(database, status)
    }
    if (this.#isPassingOn) return
    this.#isPassingOn = true
    this.#later(PASS_ON_MS, () => {
      this.#isPassingOn = false
      const counts = [...this.#counts.values()]
      this.#counts.clear()
      this.#host.counted(counts)
      if (counts.some(({ failed }) => failed.length > 0)) this.#host.failing()
    })
  }

  /** Reads the log until it says why. */
  #explain(database: string | null, status: number): void {
    const { governor, isRecording, explained } = this.#host
    const key = `${String(status)}|${database ?? ''}`
    const nowMs = governor.env.now()
    if (this.#log !== null || (this.#explained.get(key) ?? 0) > nowMs) return
    let lines = 0
    const log = governor.openSocket(
      'logsWatch',
      {},
      {
        onPhase: ({ phase }) => {
          if (phase === 'refused') end()
        },
        onFrame: (text) => {
          const error = readLoggedError(text)
          if (error !== null && isFailure(error.status)) {
            const of = databaseOf(error.request)
            this.#explained.set(`${String(error.status)}|${of ?? ''}`, governor.env.now() + LOG_AGAIN_MS)
            explained(of, error)
            end()
          } else if (++lines >= MOST_LINES) end()
        },
      },
      { audience: AUDIENCE, inBackground: isRecording, isRecurring: true },
    )
    const end = (): void => {
      if (this.#log !== log) return
      log.close()
      this.#log = null
    }
    this.#log = log
    this.#later(LOG_MS, end)
  }
}

/** Database of a request such as `PUT /databases/demo/docs`. */
function databaseOf(request: string): string | null {
  const [, name] = / \/databases\/([^/]+)\//.exec(request) ?? []
  if (name === undefined) return null
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Name of the figures and the route that is refused without the right. */
export const WRITE_WATCH = { what: 'writes that fail', route: ENDPOINTS.trafficWatch.route }

import type { Costs } from '../budget/costs.ts'
import { pollPart, type Audience, type Plan, type PollWant } from '../budget/plan.ts'
import type { Slowdown } from '../health/slowdown.ts'
import { ENDPOINTS, type EndpointKey, type Params } from '../endpoints.ts'
import type { GovernorEnv } from '../env.ts'
import { REQUESTED_ELSEWHERE, Poll, type PollHost, type PollOptions } from './poll.ts'
import type { Requests } from './requests.ts'
import { SharedPoll } from './shared-poll.ts'
import { parseJson } from './transport.ts'

interface PollsHost {
  readonly env: GovernorEnv
  readonly costs: Costs
  readonly slowdown: Slowdown
  readonly requests: Requests
  readonly isHidden: () => boolean
  readonly isFront: (audience: Audience) => boolean
  /** Computes what each poll and socket may cost from what all of them want. */
  readonly plan: () => Plan
}

/** Response that pages share, and the time of its request, wall clock, ms. */
interface Shared<Reported> {
  readonly reported: Reported
  readonly requestedMs: number
}

/** Slowdown by the overhead limit from which on it is mentioned; the overhead view lists all. */
const WORTH_SAYING = 1.5

/** The polls of a page, each at the pace that server and overhead limit allow. */
export class Polls {
  readonly #host: PollsHost
  readonly #pollHost: PollHost
  readonly #all = new Set<Poll<unknown>>()
  /** Channels of the polls that pages share. */
  readonly #shared = new Set<{ readonly close: () => void }>()
  /** The plan, while all polls are armed or read. */
  #planned: Plan | null = null

  constructor(host: PollsHost) {
    const { env, slowdown, requests, isHidden, isFront, plan } = host
    this.#host = host
    this.#pollHost = {
      env,
      isHidden,
      isBarred: () => requests.isBarred,
      pace: (isVital) => (isVital ? slowdown.vitalFactor : slowdown.factor),
      stretch: (want) => {
        if (want.share === 0) return 0
        const { front, background } = this.#planned ?? plan()
        return want.share / pollPart(want, want.isFront && want.vital === 0 ? front : background)
      },
      isFront,
      notBeforeMs: (isVital) => (isVital ? slowdown.vitalNotBeforeMs : slowdown.notBeforeMs),
    }
  }

  /**
   * Sends the request now and then every `everyMs`, until the returned function is called. Polling a database more
   * often than the server's idle time (15 min) keeps it loaded, but never loads it.
   */
  poll<T = unknown>(key: EndpointKey, params: Params, options: PollOptions<T>): () => void {
    const path = ENDPOINTS[key].path(params)
    const parse = (bytes: Uint8Array<ArrayBuffer> | null): T => (bytes === null ? null : parseJson(bytes, path)) as T
    return this.#addShared(key, path, options, this.#flyAgain(key, params, options.vital === true), parse)
  }

  /** Polls without parsing, for large responses that are read from their bytes. */
  pollBytes(key: EndpointKey, params: Params, options: PollOptions<Uint8Array<ArrayBuffer>>): () => void {
    const fly = this.#flyAgain(key, params, options.vital === true)
    const path = ENDPOINTS[key].path(params)
    return this.#addShared(key, path, options, fly, (bytes) => bytes?.slice() ?? new Uint8Array(0))
  }

  /** Repeats several calls together, as `poll` does; `key` is the most expensive. `request` uses the governor. */
  repeat<T>(key: EndpointKey, request: (signal: AbortSignal) => Promise<T>, options: PollOptions<T>): () => void {
    return this.#begin(new Poll<T>(this.#pollHost, ENDPOINTS[key].route, this.#costOf(key, options), options, request))
  }

  /** Repeats calls once for all pages, which share the responses of the same `name`; the data are cloneable. */
  repeatShared<T>(
    key: EndpointKey,
    name: string,
    request: (signal: AbortSignal) => Promise<T>,
    options: PollOptions<T>,
  ): () => void {
    return this.#addShared(key, name, options, request, (response) => response)
  }

  /** Wants of the polls that are not paused, by path. */
  get wants(): (readonly [path: string, want: PollWant])[] {
    return [...this.#all].map(({ endpoint, want }) => [endpoint, want] as const).filter(([, { share }]) => share > 0)
  }

  get slowed(): NonNullable<Poll<unknown>['slowed']>[] {
    return this.#byOnePlan(() => [...this.#all].map((poll) => poll.slowed).filter((slowed) => slowed !== null))
  }

  /** Whether the overhead limit slows down a poll by more than a little. */
  get isStretched(): boolean {
    return this.#byOnePlan(() => [...this.#all].some((poll) => poll.stretched > WORTH_SAYING))
  }

  /** Applies a change of pace, visibility or plan. */
  arm(): void {
    this.#byOnePlan(() => {
      for (const poll of this.#all) poll.arm()
    })
  }

  /** Uses one plan for all: it depends on what all polls want, which neither arming nor reading changes. */
  #byOnePlan<Result>(run: () => Result): Result {
    this.#planned = this.#host.plan()
    try {
      return run()
    } finally {
      this.#planned = null
    }
  }

  /** Retries soon, since the server answers again. */
  retrySoon(): void {
    for (const poll of this.#all) poll.retrySoon()
  }

  close(): void {
    for (const poll of this.#all) poll.stop()
    this.#all.clear()
    for (const channel of this.#shared) channel.close()
    this.#shared.clear()
  }

  /** The first request of a poll counts as part of opening its panel. */
  #flyAgain(key: EndpointKey, params: Params, isVital: boolean) {
    const priority = isVital ? 'user' : 'poll'
    let isOnce = true
    return (signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> => {
      const flight = this.#host.requests.fly(key, params, { signal, priority, isOnce })
      isOnce = false
      return flight
    }
  }

  /** Adds a poll whose responses the pages of one browser share. */
  #addShared<Reported, T>(
    key: EndpointKey,
    name: string,
    options: PollOptions<T>,
    fly: (signal: AbortSignal) => Promise<Reported>,
    parse: (reported: Reported) => T,
  ): () => void {
    const { env, requests } = this.#host
    const shared =
      env.tabs === null
        ? null
        : new SharedPoll<Shared<Reported>>(env.tabs, name, ({ reported, requestedMs }) => {
            poll.received(() => parse(reported), requestedMs)
            requests.answered(name)
          })
    const request = async (signal: AbortSignal): Promise<T | typeof REQUESTED_ELSEWHERE> => {
      const share = async (): Promise<Shared<Reported>> => {
        const requestedMs = env.now()
        return { reported: await fly(signal), requestedMs }
      }
      const response = shared === null ? await share() : await shared.request(share)
      return response === undefined ? REQUESTED_ELSEWHERE : parse(response.reported)
    }
    const poll = new Poll<T>(this.#pollHost, name, this.#costOf(key, options), options, request)
    const stop = this.#begin(poll)
    if (shared !== null) this.#shared.add(shared)
    return () => {
      stop()
      if (shared === null) return
      shared.close()
      this.#shared.delete(shared)
    }
  }

  #costOf<T>(key: EndpointKey, options: PollOptions<T>): () => number {
    const { costs } = this.#host
    const { loadsDatabase, movesLastWork } = ENDPOINTS[key]
    // Cost of the requests before it, which find whether the database is loaded and had work.
    const gateMs = (): number =>
      (loadsDatabase ? costs.costMs(ENDPOINTS.isLoaded) : 0) +
      (movesLastWork ? costs.costMs(ENDPOINTS.idleDatabases) : 0)
    return () => options.costMs?.() ?? costs.costMs(ENDPOINTS[key]) + gateMs()
  }

  #begin<T>(poll: Poll<T>): () => void {
    this.#all.add(poll as Poll<unknown>)
    this.arm()
    return () => {
      poll.stop()
      this.#all.delete(poll as Poll<unknown>)
      this.arm()
    }
  }
}

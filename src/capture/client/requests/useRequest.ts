import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CaptureClient } from '../client.ts'
import { errorInfoOf } from './queries.ts'
import { RequestPace } from './request-pace.ts'
import type { ParamsOf, RequestName, ResponseOf } from './requests.ts'
import { isSeeded, keyOf, queryHashOf, type Held, type Wanted } from './seed.ts'
import type { ErrorInfo } from '../state.ts'
import { useCapture } from '../view.ts'

export interface Outcome<Params, Response> {
  /** The newest response, maybe for older parameters; null: none yet. */
  readonly response: Response | null
  /** Parameters of the response; null: none yet. */
  readonly params: Params | null
  /** Whether the response is for the current parameters, maybe with older data. */
  readonly isCurrent: boolean
  /** Why the newest request failed; the earlier response stays. */
  readonly error: ErrorInfo | null
}

export type Requested<Name extends RequestName> = Outcome<ParamsOf<Name>, ResponseOf<Name>>

/** `changedEveryMs` for parameters that change by a click. */
export const BY_CLICK_MS = 250

/** When a request is sent again. */
export interface Renewal {
  /** Request again when it changes: version of the data, a time counter, or both. */
  readonly version: number | string
  /** Minimum interval, ms. */
  readonly everyMs: number
  /**
   * Minimum interval after a change of parameters, ms; `everyMs` by default. For parameters that change by a click, not
   * with time.
   */
  readonly changedEveryMs?: number
  /** As in `RequestPaceOptions`. */
  readonly firstAfterMs?: number
}

/**
 * Keeps a response up to date: requests again when `params` or the version changes. The earlier response stays until
 * the next one arrives. `params` undefined: nothing is requested, and the response stays.
 */
export function useRequest<Name extends RequestName>(
  name: Name,
  params: ParamsOf<Name> | undefined,
  renewal: Renewal,
): Requested<Name> {
  return usePacedQuery(name, requestOne<Name>, params, renewal)
}

/** Requests of the same name for several things at once; the response has them together, in the same order. */
export function useRequests<Name extends RequestName>(
  name: Name,
  params: readonly ParamsOf<Name>[] | undefined,
  renewal: Renewal,
): Outcome<readonly ParamsOf<Name>[], readonly ResponseOf<Name>[]> {
  return usePacedQuery(name, requestAll<Name>, params, renewal)
}

type Send<Name extends string, Params, Response> = (
  capture: CaptureClient,
  name: Name,
  params: Params,
  signal: AbortSignal,
) => Promise<Response>

const requestOne = <Name extends RequestName>(
  capture: CaptureClient,
  name: Name,
  params: ParamsOf<Name>,
  signal: AbortSignal,
): Promise<ResponseOf<Name>> => capture.request(name, params, signal)

const requestAll = <Name extends RequestName>(
  capture: CaptureClient,
  name: Name,
  params: readonly ParamsOf<Name>[],
  signal: AbortSignal,
): Promise<readonly ResponseOf<Name>[]> => Promise.all(params.map((each) => capture.request(name, each, signal)))

/**
 * The same for a result made from several requests. `name`: unique name of the result. `read` is called once for each
 * set of parameters and must not change.
 */
export const useReading = <Params, Response>(
  name: `reading ${string}`,
  read: (request: CaptureClient['request'], params: Params, signal: AbortSignal) => Promise<Response>,
  params: Params | undefined,
  renewal: Renewal,
): Outcome<Params, Response> =>
  usePacedQuery(name, (capture, _name, own, signal) => read(capture.request, own, signal), params, renewal)

/** Content on screen. */
interface Shown<Params, Response> {
  readonly held: Held<Params, Response> | undefined
  readonly error: Error | null
}

interface Sent<Name, Params, Response> {
  readonly wanted: Wanted<Name, Params>
  /** Content that stays until the response arrives. */
  readonly before: Shown<Params, Response>
}

const isSame = (a: Wanted<string, unknown>, b: Wanted<string, unknown>): boolean =>
  a.name === b.name && a.version === b.version && a.key === b.key

const NOTHING_SHOWN = { held: undefined, error: null }

/**
 * `useQuery` for data that changes all the time: `RequestPace` decides when a query begins. A response that the worker
 * has pushed (`seed.ts`) is shown in the first render.
 */
function usePacedQuery<Name extends string, Params, Response>(
  name: Name,
  send: Send<Name, Params, Response>,
  params: Params | undefined,
  { version, everyMs, changedEveryMs, firstAfterMs = 0 }: Renewal,
): Outcome<Params, Response> {
  const capture = useCapture()
  const queries = useQueryClient()
  const [sent, setSent] = useState<Sent<Name, Params, Response> | null>(null)
  const shownRef = useRef<Shown<Params, Response>>(NOTHING_SHOWN)
  const paceRef = useRef<RequestPace<Wanted<Name, Params>> | null>(null)
  const key = params === undefined ? '' : keyOf(params)
  const wanted = params === undefined ? null : { name, params, key, version }
  const to = sent?.wanted

  const request = (wanted: Wanted<Name, Params>, signal: AbortSignal): Promise<Response> =>
    send(capture, wanted.name, wanted.params, signal)

  const { data, error } = useQuery({
    queryKey: [to?.name, to],
    queryHash: to === undefined ? 'nothing' : queryHashOf(to),
    queryFn:
      to === undefined
        ? skipToken
        : async ({ signal }): Promise<Held<Params, Response>> => ({
            response: await request(to, signal),
            to,
          }),
    staleTime: Number.POSITIVE_INFINITY,
    // Typed arrays of a range that left the view are not needed again.
    gcTime: 0,
    placeholderData: () => sent?.before.held,
  })
  // A placeholder belongs to another request; a failure keeps it on screen.
  const isSettled = to !== undefined && (error !== null || (data !== undefined && isSame(data.to, to)))
  const held = data ?? sent?.before.held
  const shownError = isSettled || sent === null ? error : sent.before.error
  const isSent = wanted !== null && to !== undefined && isSame(to, wanted)
  if (wanted !== null && !isSent && isSeeded(queries.getQueryCache(), wanted))
    setSent({ wanted, before: { held, error: shownError } })

  useEffect(() => {
    shownRef.current = { held, error: shownError }
  }, [held, shownError])
  useEffect(() => {
    const pace = new RequestPace<Wanted<Name, Params>>({
      send: (wanted) => setSent({ wanted, before: shownRef.current }),
      same: isSame,
      everyMs,
      ...(changedEveryMs === undefined
        ? {}
        : { changes: { everyMs: changedEveryMs, isChange: (wanted, last) => wanted.key !== last.key } }),
      firstAfterMs,
    })
    paceRef.current = pace
    return () => pace.dispose()
  }, [everyMs, changedEveryMs, firstAfterMs])
  const settled = isSettled ? sent : null
  useEffect(() => {
    if (settled !== null) paceRef.current?.settled()
  }, [settled])
  // After every render; a request that is wanted already is not repeated.
  useEffect(() => {
    if (wanted === null) return
    if (isSent && isSettled) paceRef.current?.met(wanted)
    else paceRef.current?.want(wanted)
  })

  return {
    response: held?.response ?? null,
    params: held?.to.params ?? null,
    isCurrent: params !== undefined && held?.to.key === key,
    error: errorInfoOf(name, shownError),
  }
}

import { useEffect, useState } from 'react'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { RequestsLike, ResponseOf } from '../../../capture/client/requests/requests.ts'
import { useRequest, type Requested } from '../../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import type { SeriesKey } from '../contract/series.ts'
import type { ServerWatch } from '../contract/watch.ts'

type TimedRequest = RequestsLike<null, object>

/** While the first figures are awaited: so often, ms, and so many times. */
const EARLY_EVERY_MS = 100
const MOST_EARLY = 30

/**
 * Requests by the one clock of the page, at most one at a time; more often for the first seconds, until the response
 * `isComplete`: figures arrive some tenths of a second after the page requested them.
 */
function useEverySecond<Name extends TimedRequest>(
  name: Name,
  seconds = 1,
  isComplete: (response: ResponseOf<Name>) => boolean = () => true,
): Requested<Name> {
  const [early, setEarly] = useState(0)
  const version = Math.floor(useNow() / 1000 / seconds) * (MOST_EARLY + 1) + early
  const requested = useRequest<Name>(name, null, { version, everyMs: EARLY_EVERY_MS })
  const { response } = requested
  const isEarly = early < MOST_EARLY && (response === null || !isComplete(response))
  useEffect(() => {
    if (!isEarly) return
    const timer = setTimeout(() => setEarly(early + 1), EARLY_EVERY_MS)
    return () => clearTimeout(timer)
  }, [isEarly, early])
  return requested
}

/** Keeps the collecting on while it is rendered. */
export const useServerWatch = (): ServerWatch | null => useWanted('server.want', null)

export const useServerNow = (): Requested<'server.now'> => useEverySecond('server.now', 1, ({ cpu }) => cpu !== null)

/**
 * Keeps what costs more up to date in `server.now` while it is rendered; requested every 20 s, the worker sends its
 * requests less often.
 */
export function useMemoryDetail(files: boolean): { readonly canFiles: boolean } {
  const version = Math.floor(useNow() / 20_000)
  const { response } = useRequest('server.memory', { files }, { version, everyMs: 500 })
  return { canFiles: response?.canFiles === true }
}

export const useTriage = (): Requested<'server.triage'> =>
  useEverySecond('server.triage', 1, ({ hasFigures }) => hasFigures)
export const useActivity = (): Requested<'server.activity'> =>
  useEverySecond('server.activity', 2, ({ busiest }) => busiest !== null)
export const useAlerts = (): Requested<'server.alerts'> => useEverySecond('server.alerts', 5)
export const useCluster = (): Requested<'server.cluster'> => useEverySecond('server.cluster', 2)

/** Once a second, without starting one. */
export function useLatency(): Requested<'server.latency'> {
  const version = Math.floor(useNow() / 1000)
  return useRequest('server.latency', { start: false }, { version, everyMs: 500 })
}

/** Most points of one response, by the contract. */
const MAX_POINTS = 4000
const MAX_KEYS = 64

/** Wider than the view by a good part of it, snapped, so that a small move needs no new response. */
export function seriesWindow(range: TimeRange, widthPx: number): TimeRange & { readonly maxPoints: number } {
  const span = Math.max(1, range.endTicks - range.startTicks)
  const step = 2 ** Math.ceil(Math.log2(span / 4))
  const startTicks = Math.floor(range.startTicks / step) * step - step
  const endTicks = Math.ceil(range.endTicks / step) * step + step
  const maxPoints = Math.ceil((widthPx * (endTicks - startTicks)) / span)
  return {
    startTicks: startTicks as Ticks,
    endTicks: endTicks as Ticks,
    maxPoints: Math.max(1, Math.min(MAX_POINTS, maxPoints)),
  }
}

/** Series of a range and a little around it. No keys: only which there are. */
export function useSeries(
  keys: readonly SeriesKey[],
  range: TimeRange,
  widthPx: number,
  version: number,
): Requested<'server.series'> {
  const params = { ...seriesWindow(range, widthPx), keys: keys.slice(0, MAX_KEYS) }
  return useRequest('server.series', params, { version, everyMs: 400 })
}

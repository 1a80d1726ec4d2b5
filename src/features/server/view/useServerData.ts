import type { TimeRange } from '../../../base/ticks.ts'
import { seriesWindow } from '../../../capture/client/requests/series-window.ts'
import { useEverySecond } from '../../../capture/client/requests/useEverySecond.ts'
import { useRequest, type Requested } from '../../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type {} from '../../archive/contract.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import type { SeriesKey, ServerSeriesParams } from '../../../feeds/server/contract/series.ts'
import type { ServerWatch } from '../../../feeds/server/contract/watch.ts'

/** Keeps collection of the server's figures running while the component is rendered. */
export const useServerWatch = (): ServerWatch | null => useWanted('server.want', null)

export const useServerNow = (): Requested<'server.now'> => useEverySecond('server.now', 1, ({ cpu }) => cpu !== null)

/**
 * Keeps the expensive part of `server.now` up to date while the component is rendered. It is requested every 20 s; the
 * worker sends its own requests to the server less often.
 */
export function useMemoryDetail(files: boolean): { readonly canFiles: boolean } {
  const version = Math.floor(useNow() / 20_000)
  const { response } = useRequest('server.memory', { files }, { version, everyMs: 500 })
  return { canFiles: response?.canFiles === true }
}

export const useAlerts = (): Requested<'server.alerts'> => useEverySecond('server.alerts', 5)
export const useCluster = (): Requested<'server.cluster'> => useEverySecond('server.cluster', 2)

/** Reads the latency measurement once a second, without starting one. */
export function useLatency(): Requested<'server.latency'> {
  const version = Math.floor(useNow() / 1000)
  return useRequest('server.latency', { start: false }, { version, everyMs: 500 })
}

const MAX_KEYS = 64

/** Series of a range and a little around it. Without keys the response has only the list of available series. */
export function useSeries(
  keys: readonly SeriesKey[],
  range: TimeRange,
  widthPx: number,
  version: number,
): Requested<'server.series'> {
  return useRequest('server.series', seriesParams(keys, range, widthPx), { version, everyMs: 400 })
}

/** As {@link useSeries}, for the recorded server that the sources belong to. */
export function useRecordedSeries(
  keys: readonly SeriesKey[],
  range: TimeRange,
  widthPx: number,
  version: number,
  sources: readonly SourceId[],
): Requested<'archive.series'> {
  const params = { ...seriesParams(keys, range, widthPx), sources }
  return useRequest('archive.series', params, { version, everyMs: 400 })
}

const seriesParams = (keys: readonly SeriesKey[], range: TimeRange, widthPx: number): ServerSeriesParams => ({
  ...seriesWindow(range, widthPx),
  keys: keys.slice(0, MAX_KEYS),
})

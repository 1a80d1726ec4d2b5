import type { Ticks } from '../../../base/brand.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { useAsk as useCaptureAsk, type Asked as CaptureAsked } from '../../../capture/client/useRequest.ts'
import { useRepeatedAsk } from '../../../capture/client/useRepeatedRequest.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import type { SeriesKey, ServerQueries } from '../contract.ts'

type Asked<Name extends keyof ServerQueries> = CaptureAsked<ServerQueries[Name]['answer']>

/** Collecting goes on for 30 s after each. */
const WANT_MS = 10_000
/** Questions that take nothing; `useAsk` takes null for not asking. */
const NOTHING = {}

/** Once a second by the one clock of the page, at most one question at a time. */
function useEverySecond<Name extends keyof ServerQueries>(name: Name, seconds = 1): Asked<Name> {
  const second = Math.floor(useNow() / 1000 / seconds)
  return useCaptureAsk<ServerQueries[Name]['answer']>(name, NOTHING, '', second, 500)
}

/** Keeps the collecting on while it is rendered. */
export const useServerWatch = (): ServerQueries['server.want']['answer'] | null =>
  useRepeatedAsk('server.want', WANT_MS) as ServerQueries['server.want']['answer'] | null

export const useServerNow = (): Asked<'server.now'> => useEverySecond('server.now')
const LIMIT_ONLY = { files: false }
const WITH_FILES = { files: true }
/** Keeps what costs more up to date in `server.now` while it is rendered; asked every 20 s, the worker asks less often. */
export function useMemoryDetail(files: boolean): { readonly canFiles: boolean } {
  const step = Math.floor(useNow() / 20_000)
  const ask = files ? WITH_FILES : LIMIT_ONLY
  const { answer } = useCaptureAsk<ServerQueries['server.memory']['answer']>(
    'server.memory',
    ask,
    String(files),
    step,
    500,
  )
  return { canFiles: answer?.canFiles === true }
}

export const useTriage = (): Asked<'server.triage'> => useEverySecond('server.triage')
export const useActivity = (): Asked<'server.activity'> => useEverySecond('server.activity', 2)
export const useQueries = (): Asked<'server.queries'> => useEverySecond('server.queries')
export const useAlerts = (): Asked<'server.alerts'> => useEverySecond('server.alerts', 5)
export const useCluster = (): Asked<'server.cluster'> => useEverySecond('server.cluster', 2)

const LOOK = { start: false }
/** Once a second, without starting one. */
export function useLatency(): Asked<'server.latency'> {
  const second = Math.floor(useNow() / 1000)
  return useCaptureAsk<ServerQueries['server.latency']['answer']>('server.latency', LOOK, '', second, 500)
}

/** What one answer may hold at most, by the contract. */
const MAX_POINTS = 4000
const MAX_KEYS = 64

/** Wider than the view by a good part of it, snapped, so that a small move needs no new answer. */
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
): Asked<'server.series'> {
  const ask = { ...seriesWindow(range, widthPx), keys: keys.slice(0, MAX_KEYS) }
  const key = `${ask.startTicks}-${ask.endTicks}|${ask.maxPoints}|${ask.keys.join('\n')}`
  return useCaptureAsk<ServerQueries['server.series']['answer']>('server.series', ask, key, version, 400)
}

import type { ServerRequests } from '../contract.ts'
import type { ServerAlert } from '../contract/alerts.ts'
import type { ServerDatabasesParams } from '../contract/databases.ts'
import type { ServerSeriesParams, ServerSeriesResponse } from '../contract/series.ts'
import { atWork } from './figures/databases/work-store.ts'
import type { ServerModel } from './model.ts'

const MOST_KEYS = 64

export function seriesResponse(model: ServerModel, params: ServerSeriesParams, nowMs: number): ServerSeriesResponse {
  const { keys, startTicks, endTicks, maxPoints } = params
  const range = { startTicks, endTicks }
  const nowTicks = model.nowTicks(nowMs)
  const points = Math.min(4000, Math.max(1, Math.floor(maxPoints)))
  return {
    available: model.series.available,
    series: keys.slice(0, MOST_KEYS).map((key) => model.series.rows(key, range, points)),
    gaps: [...model.coverage.gaps(range, false, nowTicks), ...model.detailCoverage.gaps(range, true, nowTicks)],
  }
}

export function databasesResponse(
  model: ServerModel,
  params: ServerDatabasesParams,
  nowMs: number,
): ServerRequests['server.databases']['response'] {
  const { databases, volumes } = model
  const nowTicks = model.nowTicks(nowMs) ?? Number.NaN
  const failures = model.failures(nowTicks)
  const work = new Map(model.freshWork(nowTicks).map((known) => [known.database, known]))
  return databases.response(params, nowTicks, (name) => {
    const known = work.get(name)
    const isReported = known !== undefined && !known.isPast
    return {
      work: isReported ? atWork(known) : null,
      failure: failures.get(name) ?? null,
      volumeFreeBytes: volumes.freeOf(name, databases),
    }
  })
}

/** Alerts, newest first. */
export const alertsOf = ({ alerts }: ServerModel): ServerAlert[] =>
  [...alerts.values()].toSorted((a, b) => (b.createdTicks ?? 0) - (a.createdTicks ?? 0))

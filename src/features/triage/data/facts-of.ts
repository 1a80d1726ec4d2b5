import { GREW_TICKS } from '../../../ravendb/limits.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { OtherFacts, TriageFacts } from './facts.ts'
import type { ClusterResponse, ServerAlert, ServerModel, ServerNow } from '../../../feeds/server/contract.ts'

/** Time for which a finished silence of the server is shown. */
const STALL_SHOWN_TICKS = 600 * TICKS_PER_SECOND
/** Maximum age of figures that are judged; the slowest of them arrive every 15 s. */
const RECENT_TICKS = 60 * TICKS_PER_SECOND

/** Facts that the model does not contain. `alerts`: newest first; `isDetailed`, `workEveryMs`: see `TriageFacts`. */
export interface GivenFacts {
  readonly now: ServerNow
  readonly nowMs: number
  readonly alerts: readonly ServerAlert[]
  readonly cluster: ClusterResponse
  readonly others: OtherFacts
  readonly isDetailed: boolean
  readonly workEveryMs: number | null
}

/** Collects the facts that Triage judges by. */
export function factsOf(model: ServerModel, given: GivenFacts): TriageFacts {
  const { now, nowMs } = given
  const nowTicks = model.nowTicks(nowMs) ?? model.clock.at(nowMs)
  return {
    ...given,
    now: recentOf(now, nowTicks),
    nowTicks,
    recent: (key, spanMs) => model.series.recent(key, nowTicks, spanMs),
    states: model.databases.states,
    statesTicks: model.databases.listedTicks,
    indexErrors: model.databases.withErrors(nowTicks - GREW_TICKS).map(({ name, overview, grewTicks, failing }) => ({
      database: name,
      erroredIndexes: overview.erroredIndexes,
      indexingErrors: overview.indexingErrors,
      grewTicks,
      failing,
    })),
    erroredIndexesOf: (database) => model.databases.erroredIndexesOf(database),
    failures: model.failures(nowTicks),
    jumps: model.time.jumps,
    replaced: model.replaced === null ? null : { ...model.replaced, atTicks: model.clock.at(model.replaced.atMs) },
    silences: model.coverage
      .gaps({ startTicks: (nowTicks - STALL_SHOWN_TICKS) as Ticks, endTicks: nowTicks })
      .filter(({ reason }) => reason === 'server-unresponsive'),
    queries: model.queries,
    queriesTicks: model.queriesTicks,
    work: model.databases.pollable === null ? null : model.freshWork(nowTicks),
    unpolled: model.unpolledNow(),
    writes: model.writes.isKnown ? model.writes.failing(nowTicks) : null,
    answers: null,
    knownSince: (id) => model.findings.since(id, nowTicks),
  }
}

/** Clears outdated figures among those that are collected only while a panel of the server is open. */
function recentOf(now: ServerNow, nowTicks: Ticks): ServerNow {
  const recent = <Part extends { readonly atTicks: Ticks }>(part: Part | null): Part | null =>
    part !== null && nowTicks - part.atTicks <= RECENT_TICKS ? part : null
  return {
    ...now,
    cpu: recent(now.cpu),
    memory: recent(now.memory),
    gc: recent(now.gc),
    traffic: recent(now.traffic),
    credits: recent(now.credits),
  }
}

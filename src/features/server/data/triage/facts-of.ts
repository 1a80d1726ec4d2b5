import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { ServerAlert } from '../../contract/alerts.ts'
import type { ServerNow } from '../../contract/now.ts'
import { GREW_TICKS } from './thresholds.ts'
import { clusterResponse } from '../figures/cluster.ts'
import type { ServerModel } from '../model.ts'
import type { OtherFacts, TriageFacts } from './triage-facts.ts'

/** A silence of the server is shown for so long. */
const STALL_SHOWN_TICKS = 600 * TICKS_PER_SECOND
/** The slowest of the figures that are judged comes every 15 s. */
const RECENT_TICKS = 60 * TICKS_PER_SECOND

/** Collects the facts that the triage judges by. `alerts`: newest first; `isDetailed`: see the facts. */
export function factsOf(
  model: ServerModel,
  now: ServerNow,
  nowMs: number,
  alerts: readonly ServerAlert[],
  others: OtherFacts,
  isDetailed: boolean,
): TriageFacts {
  const nowTicks = model.nowTicks(nowMs) ?? model.clock.at(nowMs)
  return {
    now: recentOf(now, nowTicks),
    nowTicks,
    nowMs,
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
    alerts,
    failures: model.failures(nowTicks),
    jumps: model.time.jumps,
    silences: model.coverage
      .gaps({ startTicks: (nowTicks - STALL_SHOWN_TICKS) as Ticks, endTicks: nowTicks })
      .filter(({ reason }) => reason === 'server-unresponsive'),
    cluster: clusterResponse(model.topology, model.nodes),
    others,
    queries: model.queries,
    queriesTicks: model.queriesTicks,
    work: model.databases.askable === null ? null : model.freshWork(nowTicks),
    unasked: model.unaskedNow(),
    answers: null,
    isDetailed,
    knownSince: (id) => model.findings.since(id, nowTicks),
  }
}

/** Figures that are collected only while a panel of the server is open are judged only while they are recent. */
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

import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { Governor } from '../../../ravendb/budget/governor.ts'
import { activityOf } from './figures/activity.ts'
import { operationsOverTime } from './figures/operation-spans.ts'
import { LatencySample } from './figures/latency-sample.ts'
import { MemoryDetail } from './wire/memory-detail.ts'
import type { ServerModel } from './model.ts'
import { bottlenecksResponse } from './bottleneck/bottlenecks.ts'
import { NewestBottleneck } from './bottleneck/newest.ts'
import type { JournalSource } from './bottleneck/steps.ts'
import type { Bottleneck } from '../contract/bottleneck.ts'
import type { ServerLaterRequests } from '../contract.ts'
import type { Triage, TriageItem } from '../contract/triage.ts'
import type { TriageFacts } from './triage/triage-facts.ts'
import { Checks } from './triage/server-check.ts'
import { TriageJudge } from './triage/triage.ts'

/** State at the time of the request; the model is another one after another server came to this address. */
export interface LaterSource {
  readonly model: ServerModel
  readonly slowedToMs: number | null
  readonly facts: (governor: Governor) => TriageFacts
}

/** Age up to which a judgement is reused: it is made in steps of 10 s, and more often shows nothing more. */
const BOTTLENECK_TICKS = 5 * TICKS_PER_SECOND

/** Handlers whose code is fetched after the first picture. `journal`: what is known of journal writes, where I/O is watched. */
export function laterResponses(source: LaterSource, journal: JournalSource | null = null) {
  const latency = new LatencySample()
  const memoryDetail = new MemoryDetail()
  const checks = new Checks()
  const judges = new WeakMap<ServerModel, TriageJudge>()
  const limits = new WeakMap<ServerModel, NewestBottleneck>()
  let limit: { readonly model: ServerModel; readonly atTicks: Ticks; readonly newest: Bottleneck | null } | null = null
  const bottleneckOf = (model: ServerModel, nowTicks: Ticks): Bottleneck | null => {
    if (limit?.model !== model || Math.abs(nowTicks - limit.atTicks) >= BOTTLENECK_TICKS) {
      const judge = limits.get(model) ?? new NewestBottleneck(model, journal)
      limits.set(model, judge)
      limit = { model, atTicks: nowTicks, newest: judge.at(nowTicks) }
    }
    return limit.newest
  }
  const triage = (governor: Governor): Triage => {
    const { model } = source
    const judge = judges.get(model) ?? new TriageJudge()
    judges.set(model, judge)
    const facts = { ...source.facts(governor), answers: checks.answersOf(model) }
    const judged = judge.judge(model.version, facts)
    model.findings.note([...judged.items, ...judged.more], facts.nowTicks)
    return { ...judged, bottleneck: bottleneckOf(model, facts.nowTicks) }
  }
  const responses = {
    'server.triage': (_, governor) => triage(governor),
    'server.badge': (_, governor) => {
      const { items, more } = triage(governor)
      const all = [...items, ...more]
      const count = (level: TriageItem['level']): number => all.filter((item) => item.level === level).length
      return { critical: count('critical'), warning: count('warning'), worst: all[0]?.title ?? null }
    },
    'server.check': (_, governor) => checks.run(source.model, governor),
    'server.bottlenecks': (params, governor) => {
      const { model } = source
      const nowTicks = model.nowTicks(governor.env.now()) ?? params.endTicks
      return bottlenecksResponse(model, params, journal, nowTicks)
    },
    'server.operations': (range, governor) => {
      const { model } = source
      const nowTicks = model.nowTicks(governor.env.now()) ?? range.endTicks
      return operationsOverTime(model.operationLog, model.operations.all, range, nowTicks)
    },
    'server.queries': () => {
      const { queries, queriesTicks, topology, endedQueries } = source.model
      const nodeTag = topology?.ownTag ?? null
      return { atTicks: queriesTicks, nodeTag, running: queries, ended: endedQueries.ended }
    },
    'server.memory': ({ files }, governor) => {
      memoryDetail.ask(files, governor, source.model)
      return { canFiles: source.model.memory.now(null)?.source === 'kernel' }
    },
    'server.activity': (_, governor) =>
      activityOf(source.model, source.model.nowTicks(governor.env.now()), source.slowedToMs),
    'server.latency': ({ start }, governor) => {
      if (start) latency.start(governor)
      return latency.response()
    },
  } satisfies Handlers<keyof ServerLaterRequests>
  return { responses, judge: (governor: Governor): void => void triage(governor) }
}

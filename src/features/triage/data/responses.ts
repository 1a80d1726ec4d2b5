import type { Ticks } from '../../../base/ticks.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import type {
  Bottleneck,
  ClusterResponse,
  ServerAlert,
  ServerModel,
  ServerNow,
} from '../../../feeds/server/contract.ts'
import type { TriageRequests } from '../contract.ts'
import type { Triage, TriageItem } from '../contract/findings.ts'
import { activityOf } from './activity.ts'
import { withCheck } from './answered-work.ts'
import type { OtherFacts } from './facts.ts'
import { factsOf } from './facts-of.ts'
import { TriageJudge } from './judge.ts'
import { Checks } from './server-check.ts'

/** Server that is judged. Its model is replaced if another server answers at this address. */
export interface JudgedServer {
  readonly model: ServerModel
  readonly slowedToMs: number | null
  readonly isDetailed: boolean
  readonly workEveryMs: (governor: Governor) => number
  readonly responses: {
    readonly 'server.now': (params: null, governor: Governor) => ServerNow
    readonly 'server.alerts': () => { readonly alerts: readonly ServerAlert[] }
    readonly 'server.cluster': () => ClusterResponse
  }
}

/** Sources of facts that are not among the server's figures, connected in `app/`. */
export interface JudgingSources {
  readonly others: () => OtherFacts
  readonly bottleneckOf: (model: ServerModel, nowTicks: Ticks) => Bottleneck | null
}

/** Returns the handlers of requests, and `judge`, which the server's feed calls every few seconds. */
export function triageResponses(server: JudgedServer, { others, bottleneckOf }: JudgingSources) {
  const checks = new Checks()
  const judges = new WeakMap<ServerModel, TriageJudge>()
  const judge = (governor: Governor): Triage => {
    const { model, isDetailed, responses } = server
    const rules = judges.get(model) ?? new TriageJudge()
    judges.set(model, rules)
    const facts = factsOf(model, {
      now: responses['server.now'](null, governor),
      nowMs: governor.env.now(),
      alerts: responses['server.alerts']().alerts,
      cluster: responses['server.cluster'](),
      others: others(),
      isDetailed,
      workEveryMs: server.workEveryMs(governor),
    })
    const judged = rules.judge(model.version, withCheck(facts, checks.answersOf(model)))
    model.findings.note([...judged.items, ...judged.more], facts.nowTicks)
    return { ...judged, bottleneck: bottleneckOf(model, facts.nowTicks) }
  }
  const responses = {
    'triage.now': (_, governor) => judge(governor),
    'triage.badge': (_, governor) => {
      const { items, more } = judge(governor)
      const all = [...items, ...more]
      const count = (level: TriageItem['level']): number => all.filter((item) => item.level === level).length
      return { critical: count('critical'), warning: count('warning'), worst: all[0]?.title ?? null }
    },
    'triage.check': (_, governor) => checks.run(server.model, governor),
    'triage.checks': () => checks.of(server.model),
    'triage.activity': (_, governor) =>
      activityOf(server.model, server.model.nowTicks(governor.env.now()), server.slowedToMs),
  } satisfies Handlers<keyof TriageRequests>
  return { responses, judge }
}

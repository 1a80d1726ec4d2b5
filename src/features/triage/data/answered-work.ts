import type { Ticks } from '../../../base/ticks.ts'
import type { DatabaseAnswers } from '../../../ravendb/answers/answers.ts'
import type { IndexFacts } from '../../../ravendb/answers/database-answers.ts'
import { valueOf } from '../../../ravendb/entry-names.ts'
import type { KnownWork, ServerAlert } from '../../../feeds/server/contract.ts'
import type { ServerAnswers, TriageFacts } from './facts.ts'

export const isPaused = ({ status }: IndexFacts): boolean => status === 'Paused'
export const isDisabled = ({ state, status }: IndexFacts): boolean => state === 'Disabled' || status === 'Disabled'

/**
 * Work that is left to stopped indexes, from single responses of a database. Running indexes are left out: they may
 * catch up, which a single response does not show. Another rule judges them.
 */
export function answeredWork(name: string, answers: DatabaseAnswers, atTicks: Ticks): KnownWork[] {
  const indexes = valueOf(answers.indexes)
  if (indexes === null) return []
  return [
    {
      database: name,
      atTicks,
      indexesTicks: atTicks,
      statesTicks: atTicks,
      isPast: false,
      counts: null,
      indexes: indexes
        .filter((index) => index.isStale && (isPaused(index) || isDisabled(index)))
        .map((index) => ({
          index: index.name,
          status: isDisabled(index) ? 'Disabled' : 'Paused',
          itemsLeft: index.behind + Math.min(index.deletionLag, valueOf(answers.counts)?.tombstones ?? 0),
          itemsPerSecond: 0,
        })),
      states: indexes
        .filter(({ isStale, state }) => isStale || (state !== 'Normal' && state !== 'Idle'))
        .map(({ name: index, state, isStale, indexedTicks }) => ({ index, state, isStale, indexedTicks })),
      merger: null,
      mergerTimes: [],
      waiting: null,
      operations: null,
    },
  ]
}

/** Alerts that a database keeps itself. Hints and information stay on its page. */
export const answeredAlerts = ({ name, answers }: ServerAnswers['databases'][number]): ServerAlert[] =>
  (valueOf(answers.notices)?.notices ?? []).flatMap((notice) =>
    notice.type !== 'AlertRaised'
      ? []
      : [
          {
            id: `${name}/${notice.id}`,
            createdTicks: notice.atTicks,
            type: notice.type,
            kind: notice.kind,
            severity: notice.severity,
            title: notice.title,
            message: notice.message,
            database: name,
            isOfDatabase: true,
            exception: null,
          },
        ],
  )

/**
 * Combines the facts of a live server with the result of a check. A check is the only source for idle databases, which
 * get no other requests; for databases at work the facts are newer than the check.
 */
export function withCheck(facts: TriageFacts, check: ServerAnswers | null): TriageFacts {
  if (check === null) return facts
  const { work, unpolled, states } = facts
  const alerts = [...facts.alerts, ...check.databases.flatMap(answeredAlerts)]
  if (work === null) return { ...facts, alerts, answers: check }
  const known = new Set(work.map(({ database }) => database))
  const checked = check.databases
    .filter(({ name }) => !known.has(name))
    .flatMap(({ name, answers }) => answeredWork(name, answers, check.atTicks))
  // A database that has been unloaded since is among the unloaded ones.
  const loaded = checked.filter(({ database }) => (states.get(database)?.state ?? 'online') === 'online').length
  return {
    ...facts,
    alerts,
    answers: check,
    work: [...work, ...checked],
    unpolled: unpolled === null ? null : { ...unpolled, resting: Math.max(0, unpolled.resting - loaded) },
  }
}

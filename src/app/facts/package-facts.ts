import { GREW_TICKS } from '../../ravendb/limits.ts'
import type { Bytes } from '../../base/brand.ts'
import { msFromTicks, type Ticks } from '../../base/ticks.ts'
import type { IndexFacts } from '../../ravendb/answers/database-answers.ts'
import { type Answer, valueOf } from '../../ravendb/entry-names.ts'
import { readQueries } from '../../ravendb/answers/database-answers.ts'
import type { AnsweredDatabase, AnsweredServer } from '../../features/package/data/packages.ts'
import type { ServerNow } from '../../feeds/server/contract/now.ts'
import type { ServerWatch } from '../../feeds/server/contract/watch.ts'
import { clusterResponse } from '../../feeds/server/data/figures/cluster.ts'
import { judgedSeverity, loggedLimit } from '../../feeds/server/data/figures/memory.ts'
import { ServerModel } from '../../feeds/server/data/model.ts'
import { answeredAlerts, answeredWork, isDisabled, isPaused } from '../../features/triage/data/answered-work.ts'
import { factsOf } from '../../features/triage/data/facts-of.ts'
import { NO_OTHERS, type TriageFacts } from '../../features/triage/data/facts.ts'
import { readCredits, readLowMemoryLog } from '../../feeds/server/data/wire/polls-wire.ts'
import { readRunningQueries } from '../../feeds/server/data/wire/running-queries.ts'
import { readTopology, type Topology } from '../../feeds/server/data/wire/topology-wire.ts'

/* Facts that triage judges by, of a server in a package: the same as of a live one, of one moment. */

const NOT_WATCHED: ServerWatch = {
  role: 'off',
  recording: false,
  phase: null,
  message: '',
  retryAtMs: null,
  lastReceivedMs: null,
  unresponsive: null,
  withheld: null,
  lacking: [],
  kept: { works: false, message: '', savedMs: null },
}

/** Reads an answer; null: missing in the package, or not readable. */
function readOrNull<Value>(answer: Answer<unknown>, read: (response: unknown) => Value): Value | null {
  if (answer.kind !== 'answered') return null
  try {
    return read(answer.value)
  } catch {
    return null
  }
}

export const topologyOf = ({ own }: AnsweredServer): Topology | null => readOrNull(own.topology, readTopology)

/** Facts of a server that is not watched: only the time is known. */
export function factsOfMoment(nowTicks: Ticks): TriageFacts {
  const nowMs = msFromTicks(nowTicks)
  const model = new ServerModel()
  const facts = factsOf(model, {
    now: model.now(NOT_WATCHED, nowMs),
    nowMs,
    alerts: [],
    cluster: clusterResponse(null, new Map()),
    others: NO_OTHERS,
    isDetailed: false,
    workEveryMs: null,
  })
  return { ...facts, nowTicks }
}

export function factsOfPackaged(server: AnsweredServer): TriageFacts {
  const nowTicks = server.atTicks ?? (0 as Ticks)
  const facts = factsOfMoment(nowTicks)
  const { own, databases } = server
  const queries = databases.filter(({ answers }) => answers.queries.kind === 'answered')
  return {
    ...facts,
    alerts: server.databases.flatMap(answeredAlerts),
    cluster: clusterResponse(topologyOf(server), new Map()),
    now: {
      ...facts.now,
      nowTicks,
      memory: memoryOf(server, nowTicks),
      lowMemory: readOrNull(own.lowMemoryLog, readLowMemoryLog)?.events ?? null,
      credits: creditsOf(server, nowTicks),
      databases: totalsOf(server),
    },
    states: new Map(databases.map((database) => [database.name, stateOf(database, nowTicks)])),
    indexErrors: databases.flatMap((database) => errorsOf(database, nowTicks)),
    queries:
      queries.length === 0
        ? null
        : queries.flatMap(
            ({ name, answers }) =>
              readOrNull(answers.queries, (response) => readRunningQueries(readQueries(name)(response))) ?? [],
          ),
    queriesTicks: nowTicks,
    work: databases.flatMap(({ name, answers }) => answeredWork(name, answers, nowTicks)),
    unpolled: { waiting: [], resting: 0, unloaded: 0 },
    answers: { own, databases, settings: server.settings, atTicks: nowTicks, isPackage: true },
  }
}

function memoryOf({ own }: AnsweredServer, atTicks: Ticks): ServerNow['memory'] {
  const memory = valueOf(own.memory)
  if (memory === null) return null
  const { physicalBytes, availableBytes, freeBytes, workingSetBytes } = memory
  if (physicalBytes === null || availableBytes === null) return null
  const log = readOrNull(own.lowMemoryLog, readLowMemoryLog)
  const limit = loggedLimit(log, physicalBytes as Bytes)
  return {
    atTicks,
    source: 'server',
    whyServer: 'system',
    physicalBytes: physicalBytes as Bytes,
    freeBytes: (freeBytes ?? 0) as Bytes,
    availableBytes: availableBytes as Bytes,
    unwrittenBytes: null,
    residentBytes: (workingSetBytes ?? 0) as Bytes,
    swapBytes: null,
    process: null,
    files: null,
    own: null,
    ...judgedSeverity(availableBytes as Bytes, limit, log),
    lowLimit: limit,
  }
}

function totalsOf({ databases }: AnsweredServer): ServerNow['databases'] {
  if (databases.length === 0) return null
  const disabled = databases.filter(({ answers }) => valueOf(answers.record)?.isDisabled === true).length
  const online = databases.filter(({ answers }) => valueOf(answers.counts) !== null).length
  const sum = (of: (database: AnsweredDatabase) => number): number => databases.reduce((all, each) => all + of(each), 0)
  return {
    total: databases.length,
    online,
    disabled,
    offline: databases.length - online - disabled,
    indexes: sum(({ answers }) => valueOf(answers.counts)?.indexes ?? 0),
    alerts: sum(({ answers }) => valueOf(answers.notices)?.total ?? 0),
  }
}

function creditsOf({ own }: AnsweredServer, atTicks: Ticks): ServerNow['credits'] {
  const credits = readOrNull(own.credits, readCredits)
  return credits === null ? null : { ...credits, atTicks, emptyInMs: null, consequences: [] }
}

/** Error of a database that failed to load, from its responses; null: there is a response, or at most one failed. */
export function loadErrorOf({ answers }: AnsweredDatabase): string | null {
  const { record: _, ...own } = answers
  const all = Object.values(own) as Answer<unknown>[]
  const failed = all.filter((answer) => answer.kind === 'failed')
  return failed.length > 1 && all.every(({ kind }) => kind !== 'answered') ? (failed[0]?.message ?? null) : null
}

/** Common state of a database's indexes if all are stopped; null otherwise. */
function indexingStopped(indexes: readonly IndexFacts[]): string | null {
  const own = indexes.filter(({ state }) => state !== 'Error')
  if (own.length < 2) return null
  return own.every(isPaused) ? 'Paused' : own.every(isDisabled) ? 'Disabled' : null
}

function stateOf(database: AnsweredDatabase, sinceTicks: Ticks) {
  const { answers } = database
  const error = loadErrorOf(database)
  const isOff = valueOf(answers.record)?.isDisabled === true
  return {
    state: isOff ? 'disabled' : error !== null ? 'faulted' : 'online',
    error,
    indexingStopped: indexingStopped(valueOf(answers.indexes) ?? []),
    sinceTicks,
    sinceIsBound: true,
  } as const
}

function errorsOf({ name, answers }: AnsweredDatabase, nowTicks: Ticks): TriageFacts['indexErrors'] {
  const indexes = valueOf(answers.indexes)
  if (indexes === null) return []
  const kept = valueOf(answers.errors)
  const failing = indexes
    .map(({ name: index, state, errors }) => ({
      index,
      isErrored: state === 'Error',
      errors,
      grewTicks: kept?.get(index)?.newestTicks ?? null,
    }))
    .filter(({ isErrored, errors }) => isErrored || errors > 0)
    .toSorted((a, b) => Number(b.isErrored) - Number(a.isErrored) || b.errors - a.errors)
  if (failing.length === 0) return []
  const newest = [...(kept?.values() ?? [])].reduce((last, { newestTicks }) => Math.max(last, newestTicks ?? 0), 0)
  return [
    {
      database: name,
      erroredIndexes: failing.filter(({ isErrored }) => isErrored).length,
      indexingErrors: failing.reduce((sum, { errors }) => sum + errors, 0),
      grewTicks: nowTicks - newest <= GREW_TICKS ? (newest as Ticks) : null,
      failing,
    },
  ]
}

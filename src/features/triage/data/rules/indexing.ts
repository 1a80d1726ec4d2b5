import { DATABASES_OF_TURN, GREW_TICKS } from '../../../../ravendb/limits.ts'
import { groupBy } from '../../../../base/columns/group-by.ts'
import { formatCount, formatPlural, formatRate } from '../../../../base/text/format.ts'
import { type Ticks, TICKS_PER_MS } from '../../../../base/ticks.ts'
import { FAR_BEHIND_DOCUMENTS, STUCK_MS } from '../thresholds.ts'
import type { Finding, IndexTrouble, TriageFacts, TriageRule } from '../facts.ts'
import { isErrored, isStopped } from '../../../../ravendb/index-state.ts'
import { databaseFaulted } from './databases.ts'
import { polledAtWork, asOf, endedAt, MINUTE_MS, toDatabase, toIndexing, arrived, span } from './helpers.ts'
import type { IndexState, IndexWork, KnownWork, UnpolledDatabases } from '../../../../feeds/server/contract.ts'

/* Rules on indexes that do not work as they should. */

const MOST_NAMES = 5

type Failing = TriageFacts['indexErrors'][number]['failing']

/**
 * Names of indexes in error: from the database's report of its errors, from its report of indexes at work, and from its
 * watched indexing. Each may lack some of them.
 */
function erroredNames(failing: Failing, { work, others }: TriageFacts, database: string): string[] {
  const reported = failing.flatMap(({ index, isErrored: is }) => (is ? [index] : []))
  const states = work?.find((known) => known.database === database)?.states ?? []
  const atWork = states.filter(isErrored).map(({ index }) => index)
  const watched = erroredOf(others.indexes ?? [], database).map(({ index }) => index)
  return [...new Set([...reported, ...atWork, ...watched])]
}

const erroredOf = (watched: readonly IndexTrouble[], database: string): readonly IndexTrouble[] =>
  watched.filter((each) => each.isErrored === true && databaseOf(each.source) === database)

/** List of names, unless there is only one, which the title contains. `total`: number of things, named or not. */
function listed(words: readonly string[], total = words.length): string[] {
  if (words.length === 0 || Math.max(words.length, total) < 2) return []
  const more = words.length > MOST_NAMES ? `, and ${formatCount(words.length - MOST_NAMES)} more` : ''
  return [`${words.slice(0, MOST_NAMES).join(', ')}${more}.`]
}

const named = (name: string): string => `“${name}”`

export const indexErrored: TriageRule = {
  rule: 'index-errored',
  title: 'An index stopped with errors',
  reason:
    'An index in the state Error indexes nothing any more: queries on it fail or answer with what it had. It stays so until a user resets or repairs it.',
  unknown: (facts) => arrived(facts.now.databases),
  find: (facts) =>
    facts.indexErrors.flatMap(({ database, erroredIndexes, indexingErrors, failing }): Finding[] => {
      if (erroredIndexes === null || erroredIndexes === 0) return []
      const names = erroredNames(failing, facts, database)
      const [first] = names
      return [
        {
          about: database,
          level: 'critical',
          weight: 0.6,
          title:
            erroredIndexes === 1 && names.length === 1 && first !== undefined
              ? `The index ${named(first)} of “${database}” stopped with errors.`
              : `${formatPlural(erroredIndexes, 'index', 'indexes')} of “${database}” stopped with errors.`,
          evidence: [
            ...listed(names.map(named), erroredIndexes),
            // Omitted at 0: a server that was just started counts the errors while it opens the indexes.
            ...(indexingErrors === 0
              ? []
              : [`${formatPlural(indexingErrors, 'indexing error')} kept in this database.`]),
          ],
          link: toIndexing(database, names, true),
          errorsOf: { database, indexes: names },
          actsOn: { kind: 'index', database, names },
        },
      ]
    }),
}

export const indexingErrors: TriageRule = {
  rule: 'indexing-errors',
  title: 'Documents fail to be indexed',
  reason:
    'Each is missing from query results. Old errors that were not cleared are no news: reported only while their number grew in the last 10 minutes.',
  unknown: (facts) => arrived(facts.now.databases),
  find: ({ indexErrors, nowTicks }) =>
    indexErrors.flatMap(({ database, indexingErrors: count, grewTicks, failing }): Finding[] => {
      if (grewTicks === null) return []
      const grown = grownOf(failing, count, nowTicks)
      // An index that stopped with errors is reported by its own rule.
      const indexes = grown.filter((each) => !each.isErrored)
      if (grown.length > 0 && indexes.length === 0) return []
      const moreTicks =
        indexes.length === grown.length ? grewTicks : Math.max(...indexes.map((each) => each.grewTicks ?? 0))
      const [first] = indexes
      return [
        {
          about: database,
          level: 'warning',
          weight: 0.5,
          title:
            indexes.length === 1 && first !== undefined
              ? `Indexing errors in ${named(first.index)} of “${database}”.`
              : `Indexing errors in “${database}”.`,
          evidence: [
            ...listed(indexes.map(({ index, errors }) => `${named(index)}: ${formatCount(errors)}`)),
            `${formatPlural(count, 'error')} kept in this database; more came ${span((nowTicks - moreTicks) / TICKS_PER_MS)} ago.`,
            ...(indexes.length === 0 && failing.length > 1
              ? [`In which of ${formatPlural(failing.length, 'index', 'indexes')} with errors is not known yet.`]
              : []),
          ],
          held: endedAt(moreTicks),
          link: toIndexing(
            database,
            indexes.map(({ index }) => index),
            true,
          ),
          errorsOf: { database, indexes: indexes.map(({ index }) => index) },
          // Without names there is no menu: it might belong to an index that is not the cause.
          ...(indexes.length === 0
            ? {}
            : { actsOn: { kind: 'index', database, names: indexes.map(({ index }) => index) } }),
        },
      ]
    }),
}

/**
 * Indexes whose errors grew lately: the only index with errors, if all `count` errors are its own; otherwise those with
 * a known growth.
 */
const grownOf = (failing: Failing, count: number, nowTicks: Ticks): Failing =>
  failing.length === 1 && (failing[0]?.errors ?? 0) >= count
    ? failing
    : failing.filter(({ grewTicks }) => grewTicks !== null && nowTicks - grewTicks <= GREW_TICKS)

const TROUBLES = {
  stopped: { level: 'critical', weight: 0.55, says: 'does not run', say: 'do not run' },
  behind: { level: 'warning', weight: 0.45, says: 'is far behind', say: 'are far behind' },
  throttled: { level: 'info', weight: 0.4, says: 'is held back', say: 'are held back' },
} as const

const CATCH_UP_MS = MINUTE_MS

/** Trouble of an index, from its progress as reported by a database in use. Null: it is up to date, or soon will be. */
function troubleOf(work: IndexWork, base: TroubleBase): IndexTrouble | null {
  const { status, itemsLeft, itemsPerSecond, growsPerSecond } = work
  const behind = `${formatPlural(itemsLeft, 'document')} behind`
  if (isStopped({ status }))
    return { ...base, trouble: 'stopped', detail: `Its status is ${status}, and it is ${behind}.` }
  const untilMs = itemsPerSecond > 0 ? (itemsLeft / itemsPerSecond) * 1000 : Number.POSITIVE_INFINITY
  const isFar = itemsLeft >= FAR_BEHIND_DOCUMENTS && untilMs >= CATCH_UP_MS
  if (!isFar && !isSlow(work, untilMs)) return null
  const pace =
    itemsPerSecond > 0
      ? `at ${formatRate(itemsPerSecond)} it has caught up in ${span(untilMs)}, if nothing more is written`
      : 'and it does not get on'
  const growth = (growsPerSecond ?? 0) > 0 ? [` Its backlog grows by ${formatRate(growsPerSecond ?? 0)}.`] : []
  return { ...base, trouble: 'behind', detail: [`It is ${behind}, ${pace}.`, ...growth].join('') }
}

/**
 * Whether an expensive index does not keep up: at its pace it needs long for few documents. The pace is a mean that
 * includes idle time, so that two responses must agree.
 */
const isSlow = ({ itemsLeft, itemsPerSecond, growsPerSecond }: IndexWork, untilMs: number): boolean =>
  itemsPerSecond > 0 &&
  untilMs >= STUCK_MS &&
  growsPerSecond !== undefined &&
  -growsPerSecond * (STUCK_MS / 1000) < itemsLeft

/** Trouble of an index, from its state without progress. Null: none. The state Error has a rule of its own. */
function stateTrouble({ state, indexedTicks }: IndexState, atTicks: Ticks, base: TroubleBase): IndexTrouble | null {
  if (state === 'Disabled') return { ...base, trouble: 'stopped', detail: 'Its state is Disabled, and it is stale.' }
  if (state === 'Error' || indexedTicks === null) return null
  const quietMs = (atTicks - indexedTicks) / TICKS_PER_MS
  if (quietMs < STUCK_MS) return null
  const detail = `It is stale, and its last batch ended ${span(quietMs)} before it was asked.`
  return { ...base, trouble: 'behind', detail, sinceTicks: indexedTicks }
}

type TroubleBase = Pick<IndexTrouble, 'source' | 'index' | 'sinceTicks' | 'atTicks'>

/**
 * Troubles of a database, at most one for each index: that from its progress replaces that from its state.
 * `erroredIndexes`: number of indexes in error as counted by the server; null: not known.
 */
function troublesOf(work: KnownWork, erroredIndexes: number | null): IndexTrouble[] {
  const { database, indexesTicks, statesTicks, indexes, states } = work
  const base = (index: string, atTicks: Ticks): TroubleBase => ({
    source: `db:${database}`,
    index,
    sinceTicks: null,
    atTicks,
  })
  const found = new Map<string, IndexTrouble>()
  // Progress has all stale indexes, also disabled ones.
  const areReplaced = indexes !== null && statesTicks < indexesTicks
  for (const state of areReplaced ? [] : (states ?? [])) {
    const trouble = state.isStale ? stateTrouble(state, statesTicks, base(state.index, statesTicks)) : null
    if (trouble !== null) found.set(state.index, trouble)
  }
  // An index in error also counts as paused; it has a finding of its own, unless it was reset since its state was read.
  const errored = new Set((states ?? []).filter(isErrored).map(({ index }) => index))
  const areInError = !areReplaced || erroredIndexes === null || erroredIndexes >= errored.size
  for (const each of indexes ?? []) {
    if (areInError && errored.has(each.index)) continue
    const trouble = troubleOf(each, base(each.index, indexesTicks))
    if (trouble !== null) found.set(each.index, trouble)
  }
  return [...found.values()]
}

export const indexTrouble: TriageRule = {
  rule: 'index-trouble',
  title: 'An index is stopped, far behind or held back',
  samples: polledAtWork,
  reason: 'Queries on such an index answer with old data.',
  when: `Reported when it was stopped while it has work left, when it is ${formatCount(FAR_BEHIND_DOCUMENTS)} documents and more than a minute behind, or 5 minutes at its pace, or stale for 5 minutes without a batch that ended. That an index is held back (low memory, CPU credits) is known only where its indexing is watched.`,
  unknown: ({ others, work }) =>
    others.indexes === null ? arrived(work, 'No data yet on which databases are in use.') : null,
  partly: (facts) => {
    const words = [...(facts.unpolled === null ? [] : unpolledWords(facts.unpolled, facts)), ...seldomWords(facts)]
    return words.length === 0 ? null : words.join(' ')
  },
  find: ({ others, work, states, indexErrors, erroredIndexesOf }) => {
    const watched = stillWatched(others.indexes ?? [], work ?? [])
    const known = new Set(watched.map(({ source, index }) => `${source}|${index}`))
    const polled = (work ?? []).flatMap((each) => troublesOf(each, erroredIndexesOf(each.database)))
    // All indexes in error of a database are one finding of another rule, if the server counts them.
    const counted = new Set(
      indexErrors.flatMap(({ database, erroredIndexes }) =>
        (erroredIndexes ?? 0) >= Math.max(1, erroredOf(watched, database).length) ? [database] : [],
      ),
    )
    const further = watched.filter((each) => each.isErrored !== true || !counted.has(databaseOf(each.source)))
    const all = [...further, ...polled.filter(({ source, index }) => !known.has(`${source}|${index}`))]
    // If all indexing of a database is stopped, another rule reports that once.
    const single = all.filter(
      ({ source, trouble }) =>
        trouble !== 'stopped' || (states.get(databaseOf(source))?.indexingStopped ?? null) === null,
    )
    return groupBy(single, ({ source, trouble }) => `${source}|${trouble}`).map(([about, troubles]) =>
      troubleFinding(about, troubles),
    )
  },
}

/**
 * Watched troubles without those that a newer report of the database replaces: after a user has left Indexing, its
 * facts may be two minutes old, and an index that was resumed meanwhile would still not run.
 */
function stillWatched(watched: readonly IndexTrouble[], work: readonly KnownWork[]): readonly IndexTrouble[] {
  const reported = new Map<string, Ticks>(
    work.flatMap(({ database, isPast, indexes, indexesTicks }) =>
      isPast || indexes === null ? [] : [[`db:${database}`, indexesTicks] as const],
    ),
  )
  return watched.filter(
    ({ source, trouble, isErrored: isInError, atTicks }) =>
      trouble === 'throttled' || isInError === true || !((reported.get(source) ?? atTicks) > atTicks),
  )
}

const databaseOf = (source: string): string => source.slice('db:'.length)

const MOST_NAMED = 3

/** Joins indexes of one database with the same trouble into one finding, so that they do not hide other problems. */
function troubleFinding(about: string, troubles: readonly [IndexTrouble, ...IndexTrouble[]]): Finding {
  const [first] = troubles
  const { level, weight, says, say } = TROUBLES[first.trouble]
  const of = `of “${databaseOf(first.source)}”`
  const more = troubles.length - MOST_NAMED
  const named = troubles.slice(0, MOST_NAMED).map(({ index, detail }) => `“${index}”: ${detail}`)
  const since = troubles.flatMap(({ sinceTicks }) => (sinceTicks === null ? [] : [sinceTicks]))
  const sinceTicks = since.length < troubles.length ? null : (since.toSorted((a, b) => a - b)[0] ?? null)
  const isOne = troubles.length === 1
  return {
    about,
    level,
    weight,
    title: isOne
      ? `The index “${first.index}” ${of} ${says}.`
      : `${formatPlural(troubles.length, 'index', 'indexes')} ${of} ${say}.`,
    evidence: isOne ? [first.detail] : more > 0 ? [...named, `And ${formatCount(more)} more.`] : named,
    sinceTicks,
    held: asOf(Math.max(...troubles.map(({ atTicks }) => atTicks)) as Ticks),
    link: toIndexing(
      databaseOf(first.source),
      troubles.map(({ index }) => index),
    ),
    actsOn: { kind: 'index', database: databaseOf(first.source), names: troubles.map(({ index }) => index) },
  }
}

/** Time between two requests to a database from which on an index that was stopped is missed for too long. */
const SELDOM_MS = MINUTE_MS

const turnsMs = (databases: number, everyMs: number): number => Math.ceil(databases / DATABASES_OF_TURN) * everyMs

const namesOf = (names: readonly string[]): string =>
  `${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ` and ${formatCount(names.length - MOST_NAMES)} more` : ''}`

/** Describes how old the responses of databases are that are polled seldom; empty: none are. */
function seldomWords({ work, workEveryMs, nowTicks }: TriageFacts): string[] {
  const polled = (work ?? []).filter(({ isPast, indexes }) => !isPast && indexes !== null)
  if (workEveryMs === null || polled.length === 0) return []
  const everyMs = turnsMs(polled.length, workEveryMs)
  if (everyMs < SELDOM_MS) return []
  const asked = polled
    .toSorted((a, b) => a.indexesTicks - b.indexesTicks)
    .map(({ database, indexesTicks }) => `${named(database)} ${span((nowTicks - indexesTicks) / TICKS_PER_MS)} ago`)
  return [
    `Requested only every ${span(everyMs)}, to leave the server its CPU: ${namesOf(asked)}. An index that was stopped since then is found by the next request.`,
  ]
}

/** Describes the databases for which nothing is known; empty: none. */
function unpolledWords(
  { waiting, resting, unloaded }: UnpolledDatabases,
  { work, workEveryMs }: TriageFacts,
): string[] {
  const parts = [
    ...(resting > 0 ? [`for ${formatPlural(resting, 'loaded database')} without activity`] : []),
    ...(unloaded > 0 ? [`for ${formatPlural(unloaded, 'unloaded database')}`] : []),
  ]
  const words =
    parts.length === 0 ? [] : [`Unknown ${parts.join(' and ')}: a request would load them or keep them loaded.`]
  if (waiting.length > 0) {
    const all = waiting.length + (work ?? []).filter(({ isPast }) => !isPast).length
    const when = workEveryMs === null ? '' : `, which comes within ${span(turnsMs(all, workEveryMs))}`
    words.push(`Not judged before its turn${when}: ${namesOf(waiting.map(named))}.`)
  }
  return words
}

export const indexingStopped: TriageRule = {
  rule: 'indexing-stopped',
  title: 'Indexing of a database is stopped',
  reason:
    'A user paused or disabled it: no index takes in what is written, and queries answer with older and older data until it is resumed. A pause ends with the next load of the database.',
  unknown: databaseFaulted.unknown,
  find: ({ states, statesTicks, work }) =>
    [...states].flatMap(([name, { state, indexingStopped: how, sinceTicks, sinceIsBound }]): Finding[] => {
      if (state !== 'online' || how === null) return []
      const left = Math.max(
        0,
        ...(work ?? []).flatMap(({ database, indexes }) =>
          database === name ? (indexes ?? []).map(({ itemsLeft }) => itemsLeft) : [],
        ),
      )
      return [
        {
          about: name,
          level: left > 0 ? 'critical' : 'warning',
          weight: left > 0 ? TROUBLES.stopped.weight : 0.5,
          title: `Indexing of “${name}” is ${how.toLowerCase()}.`,
          evidence: [
            'Nothing that is written reaches an index.',
            ...(left > 0 ? [`The one furthest behind misses ${formatPlural(left, 'document')}.`] : []),
          ],
          sinceTicks: sinceIsBound ? null : sinceTicks,
          held: asOf(statesTicks),
          link: toDatabase(name),
          actsOn: { kind: 'index', database: name, names: [] },
        },
      ]
    }),
}

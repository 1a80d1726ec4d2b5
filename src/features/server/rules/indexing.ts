import { groupBy } from '../../../base/group-by.ts'
import type { Ticks } from '../../../base/brand.ts'
import { formatCount, formatPlural, formatRate } from '../../../base/format.ts'
import { TICKS_PER_MS } from '../../../base/ticks.ts'
import type { Finding, IndexTrouble, TriageRule } from '../triage-facts.ts'
import { isErrored, isStopped, type KnownWork, type UnaskedDatabases } from '../work-book.ts'
import type { IndexState, IndexWork } from '../work-wire.ts'
import { databaseFaulted } from './databases.ts'
import { MINUTE_MS, toIndexing, around, arrived, span } from './helpers.ts'

/* Indexes that do not do what they should. */

const MOST_NAMES = 5

/** Which they are, of a database that was asked. */
function namesOf(work: readonly KnownWork[] | null, database: string): string[] {
  const states = work?.find((known) => known.database === database)?.states ?? []
  const names = states.filter(isErrored).map(({ index }) => `“${index}”`)
  if (names.length === 0) return []
  const more = names.length > MOST_NAMES ? `, and ${formatPlural(names.length - MOST_NAMES, 'more', 'more')}` : ''
  return [`${names.slice(0, MOST_NAMES).join(', ')}${more}.`]
}

export const indexErrored: TriageRule = {
  rule: 'index-errored',
  title: 'An index stopped with errors',
  reason:
    'An index in the state Error indexes nothing any more: queries on it fail or answer with what it had. It stays so until somebody resets or repairs it.',
  unknown: (facts) => arrived(facts.now.databases),
  find: ({ indexErrors, work }) =>
    indexErrors.flatMap(({ database, erroredIndexes, indexingErrors }): Finding[] =>
      erroredIndexes === null || erroredIndexes === 0
        ? []
        : [
            {
              about: database,
              level: 'harm',
              weight: 0.6,
              title: `${formatPlural(erroredIndexes, 'index', 'indexes')} of “${database}” stopped with errors.`,
              evidence: [
                ...namesOf(work, database),
                `${formatPlural(indexingErrors, 'indexing error')} in this database.`,
              ],
              sinceTicks: null,
              link: toIndexing(database),
            },
          ],
    ),
}

export const indexingErrors: TriageRule = {
  rule: 'indexing-errors',
  title: 'Documents fail to be indexed',
  reason:
    'Each is missing from query results. Old errors that nobody cleared are no news: said only while their number grew in the last 10 minutes.',
  unknown: (facts) => arrived(facts.now.databases),
  find: ({ indexErrors, nowTicks }) =>
    indexErrors.flatMap(({ database, indexingErrors: count, grewTicks }): Finding[] =>
      grewTicks === null
        ? []
        : [
            {
              about: database,
              level: 'danger',
              weight: 0.5,
              title: `Documents of “${database}” fail to be indexed.`,
              evidence: [
                `${formatPlural(count, 'indexing error')}; more came ${span((nowTicks - grewTicks) / TICKS_PER_MS)} ago.`,
              ],
              sinceTicks: null,
              link: toIndexing(database),
            },
          ],
    ),
}

const TROUBLES = {
  stopped: { level: 'harm', weight: 0.55, says: 'does not run', say: 'do not run' },
  behind: { level: 'danger', weight: 0.45, says: 'is far behind', say: 'are far behind' },
  throttled: { level: 'notice', weight: 0.4, says: 'is held back', say: 'are held back' },
} as const

/** Fewer are caught up before anybody has looked. */
const FAR_BEHIND = 10_000
const CATCH_UP_MS = MINUTE_MS

/** Stale for so long without a batch that ended: not what writing leaves behind, which is caught up in moments. */
const STUCK_MS = 5 * MINUTE_MS

/** What a database in use told of an index that is not up to date; null: it will be in a moment. */
function troubleOf({ index, status, itemsLeft, itemsPerSecond }: IndexWork, base: TroubleBase): IndexTrouble | null {
  const behind = `${formatPlural(itemsLeft, 'document')} behind`
  if (isStopped({ index, status, itemsLeft, itemsPerSecond }))
    return { ...base, trouble: 'stopped', detail: `Its status is ${status}, and it is ${behind}.` }
  const untilMs = itemsPerSecond > 0 ? (itemsLeft / itemsPerSecond) * 1000 : Number.POSITIVE_INFINITY
  if (itemsLeft < FAR_BEHIND || untilMs < CATCH_UP_MS) return null
  const pace =
    itemsPerSecond > 0
      ? `at ${formatRate(itemsPerSecond)} it has caught up in ${span(untilMs)}, if nothing more is written`
      : 'and it does not get on'
  return { ...base, trouble: 'behind', detail: `It is ${behind}, ${pace}.` }
}

/** What its state tells of one whose progress says nothing; null: nothing. Error is told by a rule of its own. */
function stateTrouble({ state, indexedTicks }: IndexState, atTicks: Ticks, base: TroubleBase): IndexTrouble | null {
  if (state === 'Disabled') return { ...base, trouble: 'stopped', detail: 'Its state is Disabled, and it is stale.' }
  if (state === 'Error' || indexedTicks === null) return null
  const quietMs = (atTicks - indexedTicks) / TICKS_PER_MS
  if (quietMs < STUCK_MS) return null
  const detail = `It is stale, and its last batch ended ${span(quietMs)} before it was asked.`
  return { ...base, trouble: 'behind', detail, sinceTicks: indexedTicks }
}

type TroubleBase = Pick<IndexTrouble, 'source' | 'index' | 'sinceTicks'>

/** One trouble an index at most: its progress says more than its state. */
function troublesOf({ database, atTicks, indexes, states }: KnownWork): IndexTrouble[] {
  const base = (index: string): TroubleBase => ({ source: `db:${database}`, index, sinceTicks: null })
  const found = new Map<string, IndexTrouble>()
  for (const state of states ?? []) {
    const trouble = state.isStale ? stateTrouble(state, atTicks, base(state.index)) : null
    if (trouble !== null) found.set(state.index, trouble)
  }
  for (const work of indexes ?? []) {
    const trouble = troubleOf(work, base(work.index))
    if (trouble !== null) found.set(work.index, trouble)
  }
  return [...found.values()]
}

export const indexTrouble: TriageRule = {
  rule: 'index-trouble',
  title: 'An index is stopped, far behind or held back',
  reason: 'Queries on it answer with old data.',
  when: 'Said when somebody stopped it while it has work left, when it is 10,000 documents and more than a minute behind, or stale for 5 minutes without a batch that ended. Asked only of databases that others write to, read more than 20 times a second or hold open; that an index is held back (low memory, CPU credits) is known only where its indexing is watched.',
  unknown: ({ others, work }) =>
    others.indexes === null && work === null ? 'The server has not told yet which databases are in use.' : null,
  partly: ({ unasked }) => (unasked === null ? null : unaskedWords(unasked)),
  find: ({ others, work, states }) => {
    const watched = others.indexes ?? []
    const known = new Set(watched.map(({ source, index }) => `${source}|${index}`))
    const asked = (work ?? []).flatMap(troublesOf)
    const all = [...watched, ...asked.filter(({ source, index }) => !known.has(`${source}|${index}`))]
    // Where all indexing of a database is stopped that is said, once.
    const single = all.filter(
      ({ source, trouble }) =>
        trouble !== 'stopped' || (states.get(databaseOf(source))?.indexingStopped ?? null) === null,
    )
    return groupBy(single, ({ source, trouble }) => `${source}|${trouble}`).map(([about, troubles]) =>
      troubleFinding(about, troubles),
    )
  },
}

const databaseOf = (source: string): string => source.slice('db:'.length)

const MOST_NAMED = 3

/** Indexes of one database in the same trouble: one finding, so that they do not hide what else is wrong. */
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
    link: {
      panel: 'indexing',
      params: {},
      sources: [first.source],
      range: sinceTicks === null ? null : around(sinceTicks),
    },
  }
}

/** Of which databases nothing is known, once; null: of none. */
function unaskedWords({ waiting, resting, unloaded }: UnaskedDatabases): string | null {
  const parts = [
    ...(resting > 0 ? [`of ${formatPlural(resting, 'loaded database')} in which nothing goes on`] : []),
    ...(unloaded > 0 ? [`of ${formatPlural(unloaded, 'unloaded database')}`] : []),
  ]
  const words =
    parts.length === 0 ? [] : [`Not known ${parts.join(' and ')}: asking would load them or keep them loaded.`]
  if (waiting > 0) words.push(`The turn of ${formatPlural(waiting, 'database')} in use has not come yet.`)
  return words.length === 0 ? null : words.join(' ')
}

export const indexingStopped: TriageRule = {
  rule: 'indexing-stopped',
  title: 'Indexing of a database is stopped',
  reason:
    'Somebody paused or disabled it: no index takes in what is written, and queries answer with older and older data until it is resumed. A pause ends with the next load of the database.',
  unknown: databaseFaulted.unknown,
  find: ({ states, work }) =>
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
          level: left > 0 ? 'harm' : 'danger',
          weight: left > 0 ? TROUBLES.stopped.weight : 0.5,
          title: `Indexing of “${name}” is ${how.toLowerCase()}.`,
          evidence: [
            'Nothing that is written reaches an index.',
            ...(left > 0 ? [`The one furthest behind misses ${formatPlural(left, 'document')}.`] : []),
          ],
          sinceTicks: sinceIsBound ? null : sinceTicks,
          link: toIndexing(name),
        },
      ]
    }),
}

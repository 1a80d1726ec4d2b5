import { formatPlural, formatRate } from '../../../base/format.ts'
import type { Finding, IndexTrouble, TriageRule } from '../triage-facts.ts'
import type { IndexWork } from '../work-wire.ts'
import { databaseFaulted } from './databases.ts'
import { MINUTE_MS, toIndexing, around, arrived, span } from './helpers.ts'

/* Indexes that do not do what they should. */

export const indexErrored: TriageRule = {
  rule: 'index-errored',
  title: 'An index stopped with errors',
  reason:
    'An index in the state Error indexes nothing any more: queries on it fail or answer with what it had. It stays so until somebody resets or repairs it.',
  unknown: (facts) => arrived(facts.now.databases),
  find: ({ indexErrors }) =>
    indexErrors.flatMap(({ database, erroredIndexes, indexingErrors }): Finding[] =>
      erroredIndexes === 0
        ? []
        : [
            {
              about: database,
              level: 'harm',
              weight: 0.6,
              title: `${formatPlural(erroredIndexes, 'index', 'indexes')} of “${database}” stopped with errors.`,
              evidence: [`${formatPlural(indexingErrors, 'indexing error')} in this database.`],
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
  find: ({ indexErrors }) =>
    indexErrors.flatMap(({ database, indexingErrors: count, grewTicks }): Finding[] =>
      grewTicks === null
        ? []
        : [
            {
              about: database,
              level: 'danger',
              weight: 0.5,
              title: `Documents of “${database}” fail to be indexed.`,
              evidence: [`${formatPlural(count, 'indexing error')}, and more are coming.`],
              sinceTicks: null,
              link: toIndexing(database),
            },
          ],
    ),
}

const TROUBLES = {
  stopped: { level: 'harm', weight: 0.55, says: 'does not run' },
  behind: { level: 'danger', weight: 0.45, says: 'is far behind' },
  throttled: { level: 'notice', weight: 0.4, says: 'is held back' },
} as const

/** Fewer are caught up before anybody has looked. */
const FAR_BEHIND = 10_000
const CATCH_UP_MS = MINUTE_MS

/** What a database at work told of an index that is not up to date; null: it will be in a moment. */
function troubleOf({ index, status, itemsLeft, itemsPerSecond }: IndexWork, database: string): IndexTrouble | null {
  const base = { source: `db:${database}`, index, sinceTicks: null }
  const behind = `${formatPlural(itemsLeft, 'document')} behind`
  if (status === 'Paused' || status === 'Disabled')
    return { ...base, trouble: 'stopped', detail: `Its status is ${status}, and it is ${behind}.` }
  const untilMs = itemsPerSecond > 0 ? (itemsLeft / itemsPerSecond) * 1000 : Number.POSITIVE_INFINITY
  if (itemsLeft < FAR_BEHIND || untilMs < CATCH_UP_MS) return null
  const pace =
    itemsPerSecond > 0
      ? `at ${formatRate(itemsPerSecond)} it has caught up in ${span(untilMs)}, if nothing more is written`
      : 'and it does not get on'
  return { ...base, trouble: 'behind', detail: `It is ${behind}, ${pace}.` }
}

export const indexTrouble: TriageRule = {
  rule: 'index-trouble',
  title: 'An index is stopped, far behind or held back',
  reason:
    'Queries on it answer with old data. Said of an index that somebody stopped while it has work left, and of one that is 10,000 documents and more than a minute behind. Known of databases in which something is written or indexed, and of those whose indexing is watched: idle ones are not asked, since that would keep them loaded.',
  unknown: ({ others, work }) =>
    others.indexes === null && work === null ? 'No database at work was asked yet.' : null,
  find: ({ others, work }) => {
    const watched = others.indexes ?? []
    const known = new Set(watched.map(({ source, index }) => `${source}|${index}`))
    const asked = (work ?? []).flatMap(({ database, indexes }) =>
      (indexes ?? []).flatMap((index) => troubleOf(index, database) ?? []),
    )
    return [...watched, ...asked.filter(({ source, index }) => !known.has(`${source}|${index}`))].map(
      ({ source, index, trouble, detail, sinceTicks }): Finding => {
        const { level, weight, says } = TROUBLES[trouble]
        return {
          about: `${source}|${index}|${trouble}`,
          level,
          weight,
          title: `The index “${index}” of “${source.slice('db:'.length)}” ${says}.`,
          evidence: [detail],
          sinceTicks,
          link: {
            panel: 'indexing',
            params: {},
            sources: [source],
            range: sinceTicks === null ? null : around(sinceTicks),
          },
        }
      },
    )
  },
}

export const indexingStopped: TriageRule = {
  rule: 'indexing-stopped',
  title: 'Indexing of a database is stopped',
  reason:
    'Somebody paused or disabled it: no index takes in what is written, and queries answer with older and older data until it is resumed. A pause ends with the next load of the database.',
  unknown: databaseFaulted.unknown,
  find: ({ states }) =>
    [...states].flatMap(([name, { state, indexingStopped: how, sinceTicks, sinceIsBound }]): Finding[] =>
      state !== 'online' || how === null
        ? []
        : [
            {
              about: name,
              level: 'danger',
              weight: 0.5,
              title: `Indexing of “${name}” is ${how.toLowerCase()}.`,
              evidence: ['Nothing that is written reaches an index.'],
              sinceTicks: sinceIsBound ? null : sinceTicks,
              link: toIndexing(name),
            },
          ],
    ),
}

import { formatPlural } from '../../../base/format.ts'
import type { Finding, TriageRule } from '../triage-facts.ts'
import { toIndexing, around, arrived } from './helpers.ts'

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

export const indexTrouble: TriageRule = {
  rule: 'index-trouble',
  title: 'An index is stopped, far behind or held back',
  reason: 'Queries on it answer with old data. Known only for databases whose indexing is being watched.',
  unknown: ({ others }) =>
    others.indexes === null ? 'No indexing is watched: open the panel Indexing for a database.' : null,
  find: ({ others }) =>
    (others.indexes ?? []).map(({ source, index, trouble, detail, sinceTicks }): Finding => {
      const { level, weight, says } = TROUBLES[trouble]
      return {
        about: `${source}|${index}|${trouble}`,
        level,
        weight,
        title: `The index “${index}” ${says}.`,
        evidence: [detail],
        sinceTicks,
        link: {
          panel: 'indexing',
          params: {},
          sources: [source],
          range: sinceTicks === null ? null : around(sinceTicks),
        },
      }
    }),
}

import { formatCount, formatPlural } from '../../../../../base/text/format.ts'
import { TICKS_PER_MS } from '../../../../../base/ticks.ts'
import type { IndexFacts } from '../../../../../ravendb/answers/database-answers.ts'
import { MINUTE_MS, span, toIndexing } from '../helpers.ts'
import { FAR_BEHIND_DOCUMENTS, STUCK_MS } from '../../thresholds.ts'
import type { Finding, TriageRule } from '../../facts.ts'
import { answeredAt, exceptSome, ofEach, someOf, unlessSome } from './helpers.ts'

/* Rules on single responses about the indexes of a database. */

const isRunning = ({ state, status }: IndexFacts): boolean =>
  state !== 'Disabled' && state !== 'Error' && status !== 'Paused' && status !== 'Disabled'

/** Single finding for the given indexes of a database. */
function ofIndexes(
  database: string,
  indexes: readonly IndexFacts[],
  words: {
    readonly one: (name: string) => string
    readonly many: (count: string) => string
    readonly fact: (index: IndexFacts) => string
    readonly level: Finding['level']
    readonly weight: number
  },
): Finding[] {
  const [first] = indexes
  if (first === undefined) return []
  return [
    {
      about: database,
      level: words.level,
      weight: words.weight,
      title:
        indexes.length === 1 ? words.one(first.name) : words.many(formatPlural(indexes.length, 'index', 'indexes')),
      evidence: someOf(
        indexes.map((index) => (indexes.length === 1 ? words.fact(index) : `“${index.name}”: ${words.fact(index)}`)),
      ),
      link: toIndexing(
        database,
        indexes.map(({ name }) => name),
      ),
    },
  ]
}

/** Maximum age of the newest batch, at the time of the response, for an index to count as at work. */
const AT_WORK_MS = MINUTE_MS

/** Number of changes from which on a lag is reported, if no batch of the index ended lately. */
const BEHIND_QUIET = 128

export const indexBehind: TriageRule = {
  rule: 'index-behind',
  title: 'An index is far behind',
  reason: 'Queries on such an index answer with old data.',
  when: `Reported for running indexes from ${formatCount(FAR_BEHIND_DOCUMENTS)} changes on; as info from ${BEHIND_QUIET} on, where no batch ended for a minute. One moment does not show whether they catch up.`,
  unknown: unlessSome('indexes'),
  partly: exceptSome('indexes'),
  find: (facts) =>
    ofEach(facts, 'indexes', (indexes, database) => {
      const agoMs = ({ indexedTicks }: IndexFacts): number =>
        indexedTicks === null ? Number.POSITIVE_INFINITY : (answeredAt(facts) - indexedTicks) / TICKS_PER_MS
      const isFar = ({ behind: changes }: IndexFacts): boolean => changes >= FAR_BEHIND_DOCUMENTS
      // An index without a batch for longer than `STUCK_MS` has a rule of its own.
      const isQuiet = (index: IndexFacts): boolean => agoMs(index) > AT_WORK_MS
      const behind = indexes.filter(
        (index) =>
          isRunning(index) &&
          index.isStale &&
          (isFar(index) || (index.behind >= BEHIND_QUIET && isQuiet(index) && agoMs(index) < STUCK_MS)),
      )
      return ofIndexes(database, behind, {
        one: (name) => `The index “${name}” of “${database}” is ${behind.some(isFar) ? 'far ' : ''}behind.`,
        many: (count) => `${count} of “${database}” are ${behind.some(isFar) ? 'far ' : ''}behind.`,
        fact: (index) =>
          `up to ${formatPlural(index.behind, 'change')} behind, ${
            index.indexedTicks === null ? 'without a batch that ended' : `last batch ${span(agoMs(index))} before`
          }.`,
        level: behind.some((index) => isFar(index) && isQuiet(index)) ? 'warning' : 'info',
        weight: 0.45,
      })
    }),
}

const OUTPUTS_MANY = 10_000

export const largeFanOut: TriageRule = {
  rule: 'index-fan-out',
  title: 'An index makes very many entries of one document',
  reason: 'A change of one such document rewrites all of its entries; batches get slow and take much memory.',
  when: `Reported from ${formatCount(OUTPUTS_MANY)} entries on.`,
  unknown: unlessSome('indexes'),
  partly: exceptSome('indexes'),
  find: (facts) =>
    ofEach(facts, 'indexes', (indexes, database) =>
      ofIndexes(
        database,
        indexes.filter(({ outputs }) => (outputs ?? 0) > OUTPUTS_MANY),
        {
          one: (name) => `The index “${name}” of “${database}” makes very many entries of one document.`,
          many: (count) => `${count} of “${database}” make very many entries of one document.`,
          fact: ({ outputs }) => `up to ${formatCount(outputs ?? 0)}.`,
          level: 'warning',
          weight: 0.25,
        },
      ),
    ),
}

const REFERENCES_MANY = 4

export const manyReferences: TriageRule = {
  rule: 'index-references',
  title: 'An index loads documents of many collections',
  reason: 'Each change of a document that it loads indexes again all documents that refer to it.',
  when: `Reported from ${REFERENCES_MANY} collections on.`,
  unknown: unlessSome('indexes'),
  partly: exceptSome('indexes'),
  find: (facts) =>
    ofEach(facts, 'indexes', (indexes, database) =>
      ofIndexes(
        database,
        indexes.filter(({ references }) => references.length >= REFERENCES_MANY),
        {
          one: (name) => `The index “${name}” of “${database}” loads documents of many collections.`,
          many: (count) => `${count} of “${database}” load documents of many collections.`,
          fact: ({ references }) => `${references.slice(0, 6).join(', ')}${references.length > 6 ? ', …' : ''}.`,
          level: 'info',
          weight: 0.15,
        },
      ),
    ),
}

export const storesAllFields: TriageRule = {
  rule: 'index-stores-all',
  title: 'An index stores all of its fields',
  reason:
    'Such an index holds the values once more: it takes more space, and each batch writes more. Queries can project from the documents.',
  unknown: unlessSome('storesAll'),
  partly: exceptSome('storesAll'),
  find: (facts) =>
    ofEach(facts, 'storesAll', (names, database): Finding[] =>
      names.length === 0
        ? []
        : [
            {
              about: database,
              level: 'info',
              weight: 0.1,
              title:
                names.length === 1
                  ? `The index “${names.join('')}” of “${database}” stores all of its fields.`
                  : `${formatPlural(names.length, 'index', 'indexes')} of “${database}” store all of their fields.`,
              evidence: names.length === 1 ? [] : someOf(names.map((name) => `“${name}”.`)),
              link: toIndexing(database, names),
            },
          ],
    ),
}

/** Whether an index is automatic. Such an index becomes idle by itself and is removed later, which is not a fault. */
const isAutomatic = ({ type }: IndexFacts): boolean => type.startsWith('Auto')

export const staticIndexIdle: TriageRule = {
  rule: 'index-idle',
  title: 'An index is idle',
  reason:
    'An idle index sees changes seldom, and queries answer with old data. The server makes automatic indexes idle that no query uses, which is not reported; one that was defined stays in use.',
  unknown: unlessSome('indexes'),
  partly: exceptSome('indexes'),
  find: (facts) =>
    ofEach(facts, 'indexes', (indexes, database) =>
      ofIndexes(
        database,
        indexes.filter((index) => index.state === 'Idle' && !isAutomatic(index)),
        {
          one: (name) => `The index “${name}” of “${database}” is idle.`,
          many: (count) => `${count} of “${database}” are idle.`,
          fact: ({ queriedTicks }) =>
            queriedTicks === null
              ? 'No query has used it.'
              : `The last query was ${span((answeredAt(facts) - queriedTicks) / TICKS_PER_MS)} before.`,
          level: 'warning',
          weight: 0.2,
        },
      ),
    ),
}

/** Finds indexes that are stopped but up to date. Once they miss changes, `index-trouble` reports them. */
export const indexOff: TriageRule = {
  rule: 'index-off',
  title: 'An index is paused or disabled',
  reason: 'Such an index is up to date, but will take in nothing that is written from now on.',
  unknown: unlessSome('indexes'),
  partly: exceptSome('indexes'),
  find: (facts) =>
    ofEach(facts, 'indexes', (indexes, database) => {
      // If all indexing of a database is stopped, another rule reports that once.
      if ((facts.states.get(database)?.indexingStopped ?? null) !== null) return []
      return ofIndexes(
        database,
        indexes.filter((index) => index.state !== 'Error' && !isRunning(index) && !index.isStale),
        {
          one: (name) => `The index “${name}” of “${database}” is stopped.`,
          many: (count) => `${count} of “${database}” are stopped.`,
          fact: ({ state, status }) =>
            state === 'Disabled' ? 'Its state is Disabled.' : `Its status is ${status ?? ''}.`,
          level: 'info',
          weight: 0.2,
        },
      )
    }),
}

import { groupBy } from '../../../../base/columns/group-by.ts'
import { formatPlural } from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { parseSourceId, type SourceId } from '../../../../capture/client/state.ts'
import type { Finding, TriageFacts } from '../facts.ts'
import { endedAt, findingId, worseFirst } from './helpers.ts'

/** Storages of a database from which on their findings become one: indexes wait for the same disk. */
const FOLDED_FROM = 3
const MOST_NAMED = 3

/** Facts about a storage that a finding is made of. */
export interface StorageFacts {
  readonly source: SourceId
  /** Name of the environment in the I/O panel. */
  readonly environment: string
  readonly sinceTicks: Ticks
  readonly untilTicks: Ticks
}

/** Finding of one storage, and its part in the finding of all storages of its database. */
export interface StorageFinding<Facts extends StorageFacts> {
  readonly facts: Facts
  readonly finding: Finding & { readonly about: string }
  /** Figures as a sentence that follows the name of the storage. */
  readonly figures: string
  /** Further sentences, shown of the worst storage only. */
  readonly details: readonly string[]
}

/** Non-empty facts of the storages of one finding. */
export type Storages<Facts extends StorageFacts> = readonly [Facts, ...Facts[]]

/** ` of demo`; empty where the source is not a database of the live server. */
export function ofDatabase(source: SourceId): string {
  const ref = parseSourceId(source)
  return ref?.kind === 'database' ? ` of ${ref.name}` : ''
}

/** `Orders`; `60 storages`. */
export const nameStorages = ([first, ...others]: Storages<StorageFacts>): string =>
  others.length === 0 ? first.environment : formatPlural(others.length + 1, 'storage')

/** Time of the first and the last of the facts. */
export const timeOf = (storages: readonly StorageFacts[]): Pick<StorageFacts, 'sinceTicks' | 'untilTicks'> => ({
  sinceTicks: Math.min(...storages.map(({ sinceTicks }) => sinceTicks)) as Ticks,
  untilTicks: Math.max(...storages.map(({ untilTicks }) => untilTicks)) as Ticks,
})

/**
 * Findings of one rule that differ only in the storage: one of each database that has three or more. It stays one until
 * the last storage leaves, so that it does not end and begin again whenever their number passes the limit. `kind` tells
 * apart findings of the rule that are of the same storages.
 */
export function foldStorages<Facts extends StorageFacts>(
  findings: readonly StorageFinding<Facts>[],
  { knownSince }: Pick<TriageFacts, 'knownSince'>,
  words: {
    readonly rule: string
    readonly kind: string
    readonly fold: (storages: Storages<Facts>) => Pick<Finding, 'title' | 'past' | 'link'>
  },
): Finding[] {
  return groupBy(findings, ({ facts }) => facts.source).flatMap(([source, own]): Finding[] => {
    const about = ['storages', words.kind, source].join('|')
    const known = knownSince(findingId(words.rule, about))
    if (own.length < FOLDED_FROM && known === null) return own.map(({ finding }) => finding)
    const worst = own.toSorted((a, b) => worseFirst(a.finding, b.finding))
    const [first] = worst
    if (first === undefined) return []
    const { sinceTicks, untilTicks } = timeOf(own.map(({ facts }) => facts))
    const before = [known, ...own.map(({ finding }) => knownSince(findingId(words.rule, finding.about)))]
    const more = own.length - MOST_NAMED
    return [
      {
        about,
        level: first.finding.level,
        weight: first.finding.weight,
        ...words.fold([own[0].facts, ...own.slice(1).map(({ facts }) => facts)]),
        evidence: [
          ...worst
            .slice(0, MOST_NAMED)
            .map(({ facts, figures, details }) =>
              [`${facts.environment}: ${figures}`, ...(facts === first.facts ? details : [])].join(' '),
            ),
          ...(more > 0 ? [`And ${formatPlural(more, 'more storage')}${ofDatabase(source)}.`] : []),
        ],
        // The log knows a start that has left the ten minutes of the facts.
        sinceTicks: Math.min(sinceTicks, ...before.map((each) => each?.ticks ?? sinceTicks)) as Ticks,
        held: endedAt(untilTicks),
      },
    ]
  })
}

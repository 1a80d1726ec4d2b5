import { groupBy } from '../../../base/columns/group-by.ts'
import { formatBytes, formatCount } from '../../../base/text/format.ts'
import { formatTicks } from '../../../base/ticks.ts'
import type { IndexFacts } from '../../../ravendb/answers/database-answers.ts'
import { valueOf } from '../../../ravendb/entry-names.ts'
import type { DatabaseNotices } from '../../../ravendb/databases/database-details.ts'
import type { PackageChange, PackageTriage } from '../contract.ts'
import type { Settings } from '../../../ravendb/answers/configuration.ts'
import { readDatabaseSettings, type AnsweredDatabase, type AnsweredServer } from './packages.ts'

/** Id of a server, which never changes; null: not in the package. */
function idOf({ own }: AnsweredServer): string | null {
  const body = valueOf(own.serverId)
  const id = typeof body === 'object' && body !== null && 'ServerId' in body ? body.ServerId : null
  return typeof id === 'string' ? id : null
}

interface Pair {
  readonly before: AnsweredServer
  readonly after: AnsweredServer
}

/**
 * Servers that both packages contain; empty: they have no server in common. Packages of a single database are matched
 * by its name.
 */
export function pairsOf(before: readonly AnsweredServer[], after: readonly AnsweredServer[]): Pair[] {
  return after.flatMap((later) => {
    const id = idOf(later)
    const earlier = before.find((each) =>
      id !== null ? idOf(each) === id : idOf(each) === null && each.databases[0]?.name === later.databases[0]?.name,
    )
    return earlier === undefined ? [] : [{ before: earlier, after: later }]
  })
}

type JudgedFindings = Pick<PackageTriage, 'findings' | 'unknown'>

/**
 * Titles of the findings in `of` whose id is not among those in `others`. Ids are compared because figures in a title may
 * differ. `unjudged`: of rules that lack entries in `others`, which may have the finding as well.
 */
export function findingsBeyond(of: JudgedFindings, others: JudgedFindings): { certain: string[]; unjudged: string[] } {
  const ids = new Set(others.findings.map(({ id }) => id))
  const lacking = new Set(others.unknown.flatMap(({ rule, isLack }) => (isLack ? [rule] : [])))
  const beyond = of.findings.filter(({ id }) => !ids.has(id))
  const titles = (isUnjudged: boolean): string[] =>
    beyond.flatMap(({ rule, title }) => (lacking.has(rule) === isUnjudged ? [title] : []))
  return { certain: titles(false), unjudged: titles(true) }
}

type Figure = readonly [what: string, value: string | null]

/** Changes between two packages of a server. Reads the settings of their databases. */
export async function readChanges({ before, after }: Pair): Promise<PackageChange[]> {
  const settings = await readDatabaseSettings([...before.databases, ...after.databases])
  return [
    ...differences(null, serverFigures(before), serverFigures(after)),
    ...settingChanges(null, before.settings, after.settings),
    ...databaseChanges(before.databases, after.databases, (database) => settings.get(database) ?? null),
  ]
}

function serverFigures({ own, databases }: AnsweredServer): Figure[] {
  const log = valueOf(own.log)
  const start = valueOf(own.start)?.startTicks ?? null
  return [
    ['Version', valueOf(own.build)?.fullVersion ?? null],
    ['Started', start === null ? null : formatTicks(start)],
    ['Role', log?.role ?? null],
    ['Databases', formatCount(databases.length)],
    ['Cluster log, committed', log === null ? null : formatCount(log.commitIndex)],
  ]
}

function databaseChanges(
  before: readonly AnsweredDatabase[],
  after: readonly AnsweredDatabase[],
  settingsOf: (database: AnsweredDatabase) => Settings['database'] | null,
): PackageChange[] {
  const earlier = new Map(before.map((database) => [database.name, database]))
  const later = new Map(after.map((database) => [database.name, database]))
  return [...new Set([...earlier.keys(), ...later.keys()])].toSorted().flatMap((name) => {
    const [was, is] = [earlier.get(name), later.get(name)]
    const set = settingChanges(name, was && settingsOf(was), is && settingsOf(is))
    // Without the response of both, an index that one lacks is not one that was added or removed.
    const isKnown = ({ answers: { indexes } }: AnsweredDatabase): boolean => indexes.kind === 'answered'
    const hasIndexes = [was, is].every((each) => each === undefined || isKnown(each))
    const figures = (each: AnsweredDatabase | undefined): Figure[] =>
      hasIndexes ? figuresOf(each).concat(indexFigures(each)) : figuresOf(each)
    return differences(name, figures(was), figures(is)).concat(set, redefined(was, is))
  })
}

/** Changed settings; empty if a package does not contain them. A missing setting has its default value. */
function settingChanges(
  database: string | null,
  before: Settings['server'] | null | undefined,
  after: Settings['server'] | null | undefined,
): PackageChange[] {
  if (before == null || after == null) return []
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key)?.value ?? DEFAULT, after.get(key)?.value ?? DEFAULT]
    return was === is ? [] : [{ database, what: `Setting ${key}`, before: was, after: is }]
  })
}

const DEFAULT = 'default'

const stateOf = ({ state, status, isStale }: IndexFacts): string =>
  `${state === 'Normal' ? (status ?? state) : state}${isStale ? ', stale' : ''}`.toLowerCase()

function figuresOf(database: AnsweredDatabase | undefined): Figure[] {
  if (database === undefined) return [['Database', null]]
  const { answers } = database
  const record = valueOf(answers.record)
  const counts = valueOf(answers.counts)
  const count = (value: number | null | undefined): string | null => (value == null ? null : formatCount(value))
  return [
    ['Database', record?.isDisabled === true ? 'disabled' : 'there'],
    ['Documents', count(counts?.documents)],
    ['Tombstones', count(counts?.tombstones)],
    ['On disk', counts?.bytes == null ? null : formatBytes(counts.bytes)],
    ['Notifications', count(valueOf(answers.notices)?.total)],
    ...noticesOf(valueOf(answers.notices)),
  ]
}

const indexFigures = (database: AnsweredDatabase | undefined): Figure[] =>
  (database === undefined ? [] : (valueOf(database.answers.indexes) ?? [])).flatMap((index): Figure[] => [
    [`Index “${index.name}”`, stateOf(index)],
    [`Errors of “${index.name}”`, formatCount(index.errors)],
    [`Entries of “${index.name}”`, index.entries === null ? null : formatCount(index.entries)],
  ])

/** Number of notifications by title; empty if the package contains only some of them, which are not comparable. */
function noticesOf(known: DatabaseNotices | null): Figure[] {
  if (known === null || known.total > known.notices.length) return []
  return groupBy(known.notices, ({ title }) => title).map(([title, of]): Figure => [
    `Notification “${title}”`,
    formatCount(of.length),
  ])
}

/** Indexes whose definitions differ between the packages. */
function redefined(before: AnsweredDatabase | undefined, after: AnsweredDatabase | undefined): PackageChange[] {
  if (before === undefined || after === undefined) return []
  const earlier = valueOf(before.answers.record)?.definitions
  const later = valueOf(after.answers.record)?.definitions
  return [...(later ?? [])].flatMap(([index, definition]): PackageChange[] => {
    const was = earlier?.get(index)
    if (was === undefined || was === definition) return []
    return [{ database: after.name, what: `Definition of “${index}”`, before: 'as it was', after: 'redefined' }]
  })
}

/** Differing figures in the order of the later package; figures that only the earlier one has come last. */
function differences(database: string | null, before: readonly Figure[], after: readonly Figure[]): PackageChange[] {
  const earlier = new Map(before)
  const later = new Map(after)
  const all = [...new Set([...later.keys(), ...earlier.keys()])]
  return all.flatMap((what) => {
    const [was, is] = [earlier.get(what) ?? null, later.get(what) ?? null]
    return was === is ? [] : [{ database, what, before: was, after: is }]
  })
}

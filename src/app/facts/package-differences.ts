import { groupBy } from '../../base/columns/group-by.ts'
import { formatCount, formatPlural } from '../../base/text/format.ts'
import { valueOf } from '../../ravendb/entry-names.ts'
import type { AnsweredDatabase, AnsweredServer } from '../../features/package/data/packages.ts'
import { toDatabase, toIndexing, toCluster } from '../../features/triage/data/rules/helpers.ts'
import { someOf } from '../../features/triage/data/rules/answers/helpers.ts'
import type { Found } from '../../features/triage/data/judge.ts'
import type { Finding, TriageRule } from '../../features/triage/data/facts.ts'
import { topologyOf } from './package-facts.ts'

/* In what the nodes of a cluster differ, by a package of them all. */

const DIFFERENCES: TriageRule = {
  rule: 'node-differences',
  title: 'Nodes of the cluster differ',
  reason: 'Clients get other answers from one node than from another, and a fail-over changes what they see.',
  when: 'Reported for versions, settings but places and names, definitions of indexes, entries of indexes that are up to date (more than 10 % and 100, or 10,000), the cluster log (1,000 entries; those that wait: more than 128 and a tenth), and nodes that are missing.',
  unknown: () => null,
  find: () => [],
}

const LOG_APART = 1000
/** Entries that wait for a moment on one node are no difference. */
const WAITING_LEAST = 128
const ENTRIES_APART = 10_000
const ENTRIES_LEAST = 100
const ENTRIES_SHARE = 0.1

/** Differences within each cluster of the package; empty for a single server. */
export function differencesOf(servers: readonly AnsweredServer[]): Found[] {
  const [first = null, ...others] = new Set(servers.flatMap((server) => idOf(server) ?? []))
  const only = others.length === 0 ? first : null
  // A node whose topology could not be gathered is of the only cluster there is, if its package names it.
  const clusterOf = (server: AnsweredServer): string | null => idOf(server) ?? (server.tag === null ? null : only)
  return groupBy(servers, clusterOf).flatMap(([, all]) => {
    const nodes = newestOfEach(all)
    if (nodes.length < 2) return []
    return [...ofNodes(nodes), ...ofDatabases(nodes)].map((finding) => ({ rule: DIFFERENCES, finding }))
  })
}

/** Id of the cluster of a server; null: not in the package. */
function idOf({ own }: AnsweredServer): string | null {
  const topology = valueOf(own.topology)?.['Topology']
  const id = typeof topology === 'object' && topology !== null && 'TopologyId' in topology ? topology.TopologyId : null
  return typeof id === 'string' ? id : null
}

/** The newest of the packages of each node: earlier ones of the same node are no other node. */
const newestOfEach = (servers: readonly AnsweredServer[]): AnsweredServer[] =>
  groupBy(servers, tagOf).flatMap(([, all]) => all.toSorted((a, b) => (b.atTicks ?? 0) - (a.atTicks ?? 0)).slice(0, 1))

const tagOf = (server: AnsweredServer): string => server.tag ?? server.prefix

function ofNodes(servers: readonly AnsweredServer[]): Finding[] {
  const link = toCluster
  const known = new Set(servers.map(tagOf))
  const missing = new Set(
    servers
      .flatMap((server) => (topologyOf(server)?.nodes ?? []).map(({ tag }) => tag))
      .filter((tag) => !known.has(tag)),
  )
  const versions = groupBy(
    servers.flatMap((server) => {
      const version = valueOf(server.own.build)?.fullVersion
      return version === undefined ? [] : [{ version, tag: tagOf(server) }]
    }),
    ({ version }) => version,
  )
  const commits = servers.flatMap((server) => {
    const log = valueOf(server.own.log)
    return log === null
      ? []
      : [{ tag: tagOf(server), index: log.commitIndex, waiting: log.lastIndex - log.commitIndex }]
  })
  const settings = settingsApart(servers)
  const most = commits.reduce((index, each) => Math.max(index, each.index), 0)
  const behind = commits.filter(({ index }) => most - index > LOG_APART)
  const waiting = commits.map((each) => each.waiting)
  const mostWaiting = Math.max(0, ...waiting)
  const waitingApart = mostWaiting - Math.min(mostWaiting, ...waiting)
  const isWaitingApart = waitingApart > LOG_APART || (waitingApart > WAITING_LEAST && waitingApart > mostWaiting * 0.1)
  return [
    ...(missing.size === 0
      ? []
      : [
          {
            about: 'missing',
            level: 'warning' as const,
            weight: 0.75,
            title: `The package has nothing of ${missing.size === 1 ? 'node' : 'nodes'} ${[...missing].join(', ')}.`,
            evidence: ['It did not answer when the package was made, or was left out.'],
            link,
          },
        ]),
    ...(versions.length < 2
      ? []
      : [
          {
            about: 'versions',
            level: 'warning' as const,
            weight: 0.4,
            title: 'The nodes run different versions.',
            evidence: versions.map(([version, nodes]) => `${version}: ${nodes.map(({ tag }) => tag).join(', ')}.`),
            link,
          },
        ]),
    ...(settings.length === 0
      ? []
      : [
          {
            about: 'settings',
            level: 'info' as const,
            weight: 0.3,
            title: `${formatPlural(settings.length, 'setting')} of the nodes ${settings.length === 1 ? 'differs' : 'differ'}.`,
            evidence: someOf(settings),
            link,
          },
        ]),
    ...(!isWaitingApart
      ? []
      : [
          {
            about: 'waiting',
            level: 'warning' as const,
            weight: 0.65,
            title: 'More entries of the cluster log wait on one node than on another.',
            evidence: commits.map(
              (each) => `${each.tag}: ${formatPlural(each.waiting, 'entry', 'entries')} not committed.`,
            ),
            link,
          },
        ]),
    ...(behind.length === 0
      ? []
      : [
          {
            about: 'log',
            level: 'warning' as const,
            weight: 0.7,
            title: `The cluster log of ${behind.map(({ tag }) => tag).join(', ')} is behind.`,
            evidence: commits.map(({ tag, index }) => `${tag}: committed up to ${formatCount(index)}.`),
            link,
          },
        ]),
  ]
}

/** Settings that differ between nodes, in words; without those that each node has of its own. */
function settingsApart(servers: readonly AnsweredServer[]): string[] {
  const known = servers.flatMap((server) =>
    server.settings === null ? [] : [{ tag: tagOf(server), settings: server.settings }],
  )
  const keys = new Set(
    known.flatMap(({ settings }) => [...settings].flatMap(([key, { isOfNode }]) => (isOfNode ? [] : [key]))),
  )
  return [...keys].toSorted().flatMap((key) => {
    const values = groupBy(
      known.map(({ tag, settings }) => ({ tag, value: settings.get(key)?.value ?? 'default' })),
      ({ value }) => value,
    )
    if (values.length < 2) return []
    return [`${key}: ${values.map(([value, of]) => `${value} on ${of.map(({ tag }) => tag).join(', ')}`).join('; ')}.`]
  })
}

interface OnNode {
  readonly tag: string
  readonly database: AnsweredDatabase
}

function ofDatabases(servers: readonly AnsweredServer[]): Finding[] {
  const byName = new Map<string, OnNode[]>()
  for (const server of servers)
    for (const database of server.databases)
      byName.set(database.name, [...(byName.get(database.name) ?? []), { tag: tagOf(server), database }])
  const shared = [...byName].filter(([, nodes]) => nodes.length > 1)
  return [
    ...shared.flatMap(([name, nodes]) => definitions(name, nodes)),
    ...shared.flatMap(([name, nodes]) => entries(name, nodes)),
  ]
}

/** Definitions are replicated through the cluster log, so they are equal on all nodes unless a node is behind. */
function definitions(name: string, nodes: readonly OnNode[]): Finding[] {
  const of = nodes.flatMap(({ tag, database }) => {
    const record = valueOf(database.answers.record)
    return record === null ? [] : [{ tag, definitions: record.definitions }]
  })
  const indexes = new Set(of.flatMap((each) => [...each.definitions.keys()]))
  const apart = [...indexes].filter((index) => new Set(of.map((each) => each.definitions.get(index))).size > 1)
  if (apart.length === 0) return []
  return [
    {
      about: `definitions ${name}`,
      level: 'warning',
      weight: 0.5,
      title: `${formatPlural(apart.length, 'index', 'indexes')} of “${name}” ${apart.length === 1 ? 'is' : 'are'} defined differently on its nodes.`,
      evidence: someOf(apart.map((index) => `“${index}”.`)),
      link: toDatabase(name),
      database: name,
    },
  ]
}

function entries(name: string, nodes: readonly OnNode[]): Finding[] {
  const counts = new Map<string, { readonly tag: string; readonly entries: number }[]>()
  for (const { tag, database } of nodes)
    for (const index of valueOf(database.answers.indexes) ?? [])
      if (index.state === 'Normal' && !index.isStale && index.entries !== null)
        counts.set(index.name, [...(counts.get(index.name) ?? []), { tag, entries: index.entries }])
  const apart = [...counts].flatMap(([index, of]) => {
    const values = of.map((each) => each.entries)
    const most = Math.max(...values)
    const difference = most - Math.min(...values)
    const isApart = difference > ENTRIES_APART || (difference > ENTRIES_LEAST && difference > most * ENTRIES_SHARE)
    return isApart ? [{ index, words: of.map((each) => `${formatCount(each.entries)} on ${each.tag}`).join(', ') }] : []
  })
  if (apart.length === 0) return []
  return [
    {
      about: `entries ${name}`,
      level: 'warning',
      weight: 0.5,
      title: `${formatPlural(apart.length, 'index', 'indexes')} of “${name}” ${apart.length === 1 ? 'has' : 'have'} other numbers of entries on its nodes.`,
      evidence: someOf(apart.map(({ index, words }) => `“${index}”: ${words}.`)),
      link: toIndexing(
        name,
        apart.map(({ index }) => index),
      ),
      database: name,
    },
  ]
}

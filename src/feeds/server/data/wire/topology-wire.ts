import type { Bytes } from '../../../../base/brand.ts'
import { asString } from '../../../../base/json/check.ts'
import { Fields } from '../../../../base/json/fields.ts'
import type { ClusterNode } from '../../contract/cluster.ts'

const ROLES = [
  ['Members', 'Member'],
  ['Promotables', 'Promotable'],
  ['Watchers', 'Watcher'],
] as const

export type TopologyNode = Pick<
  ClusterNode,
  | 'tag'
  | 'url'
  | 'type'
  | 'cores'
  | 'usedCores'
  | 'memoryBytes'
  | 'os'
  | 'serverVersion'
  | 'connected'
  | 'connectionError'
>

export interface Topology {
  readonly leader: string | null
  readonly term: number | null
  readonly etag: number | null
  /** Tag of the server; `?` until it belongs to a cluster, which it does from its first database on. */
  readonly ownTag: string
  readonly ownState: string | null
  readonly lastChange: string | null
  /** Nodes by tag. */
  readonly nodes: readonly TopologyNode[]
}

/** Maximum number of nodes that are read; a cluster has few. */
const MOST_NODES = 100

/**
 * Reads `/cluster/topology`, and the `ClusterTopologyChanged` notification, which has the same fields. Source: 7.1.5,
 * 6.2.4, 5.4.207 with one node; the status of other nodes follows `NodeStatus` of the client: `{Connected,
 * ErrorDetails}`. Errors: `ParseError`.
 */
export function readTopology(response: unknown): Topology {
  const body = new Fields(response)
  const topology = body.in('Topology')
  const details = body.inOrNull('NodeLicenseDetails')
  const status = body.inOrNull('Status')
  const nodes = new Map<string, TopologyNode>()
  const add = (field: string, type: TopologyNode['type']): void => {
    for (const [tag, url] of Object.entries(topology.inOrNull(field)?.all ?? {})) {
      if (nodes.has(tag) || nodes.size >= MOST_NODES) continue
      nodes.set(tag, {
        tag,
        url: asString(url, `$.Topology.${field}.${tag}`),
        type,
        ...readDetails(own(details, tag)),
        connected: own(status, tag)?.flagOrNull('Connected') ?? null,
        connectionError: own(status, tag)?.textOrNull('ErrorDetails') ?? null,
      })
    }
  }
  for (const [field, type] of ROLES) add(field, type)
  add('AllNodes', 'unknown')
  const leader = body.textOrNull('Leader')
  return {
    leader: leader === '' ? null : leader,
    term: body.numberOrNull('CurrentTerm'),
    etag: topology.numberOrNull('Etag'),
    ownTag: body.text('NodeTag'),
    ownState: body.textOrNull('CurrentState'),
    lastChange: body.textOrNull('LastStateChangeReason'),
    nodes: [...nodes.values()].toSorted((a, b) => (a.tag < b.tag ? -1 : 1)),
  }
}

const own = (of: Fields | null, tag: string): Fields | null =>
  of !== null && Object.hasOwn(of.all, tag) ? of.inOrNull(tag) : null

function readDetails(
  of: Fields | null,
): Pick<TopologyNode, 'cores' | 'usedCores' | 'memoryBytes' | 'os' | 'serverVersion'> {
  const gigabytes = of?.numberOrNull('InstalledMemoryInGb') ?? null
  return {
    cores: of?.quantityOrNull('NumberOfCores') ?? null,
    usedCores: of?.quantityOrNull('UtilizedCores') ?? null,
    memoryBytes: gigabytes === null ? null : (Math.round(gigabytes * 1024 ** 3) as Bytes),
    os: of?.inOrNull('OsInfo')?.textOrNull('FullName') ?? null,
    serverVersion: of?.inOrNull('BuildInfo')?.textOrNull('FullVersion') ?? null,
  }
}

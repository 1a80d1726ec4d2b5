import type { Bytes } from '../../../../base/brand.ts'
import {
  asBoolean,
  asNumber,
  asObject,
  asString,
  orNull,
  unlessNegative,
  type JsonObject,
} from '../../../../base/json/check.ts'
import type { ClusterNode } from '../../contract.ts'

const ROLES = [
  ['Members', 'Member'],
  ['Promotables', 'Promotable'],
  ['Watchers', 'Watcher'],
] as const

export type TopologyNode = Pick<
  ClusterNode,
  'tag' | 'url' | 'type' | 'cores' | 'memoryBytes' | 'os' | 'serverVersion' | 'connected' | 'connectionError'
>

export interface Topology {
  readonly leader: string | null
  readonly term: number | null
  readonly etag: number | null
  /** `?` until the server is of a cluster; it is of one from its first database on. */
  readonly ownTag: string
  readonly ownState: string | null
  readonly lastChange: string | null
  /** By tag. */
  readonly nodes: readonly TopologyNode[]
}

/** A cluster has few nodes; what is beyond is not looked at. */
const MOST_NODES = 100

/**
 * `/cluster/topology`, and the `ClusterTopologyChanged` notification, which has the same fields. Source: 7.1.5, 6.2.4,
 * 5.4.207 with one node; the status of other nodes as `NodeStatus` of the client has it: `{Connected, ErrorDetails}`.
 * Errors: `ParseError`.
 */
export function readTopology(response: unknown): Topology {
  const body = asObject(response, '$')
  const topology = asObject(body['Topology'], '$.Topology')
  const details = orNull(asObject, body['NodeLicenseDetails'], '$.NodeLicenseDetails') ?? {}
  const status = orNull(asObject, body['Status'], '$.Status') ?? {}
  const nodes = new Map<string, TopologyNode>()
  const add = (field: string, type: TopologyNode['type']): void => {
    for (const [tag, url] of Object.entries(orNull(asObject, topology[field], `$.Topology.${field}`) ?? {})) {
      if (nodes.has(tag) || nodes.size >= MOST_NODES) continue
      nodes.set(tag, {
        tag,
        url: asString(url, `$.Topology.${field}.${tag}`),
        type,
        ...readDetails(own(details, tag)),
        ...readStatus(own(status, tag)),
      })
    }
  }
  for (const [field, type] of ROLES) add(field, type)
  add('AllNodes', 'unknown')
  const leader = orNull(asString, body['Leader'], '$.Leader')
  return {
    leader: leader === '' ? null : leader,
    term: orNull(asNumber, body['CurrentTerm'], '$.CurrentTerm'),
    etag: orNull(asNumber, topology['Etag'], '$.Topology.Etag'),
    ownTag: asString(body['NodeTag'], '$.NodeTag'),
    ownState: orNull(asString, body['CurrentState'], '$.CurrentState'),
    lastChange: orNull(asString, body['LastStateChangeReason'], '$.LastStateChangeReason'),
    nodes: [...nodes.values()].toSorted((a, b) => (a.tag < b.tag ? -1 : 1)),
  }
}

const own = (object: JsonObject, tag: string): JsonObject | null =>
  Object.hasOwn(object, tag) ? orNull(asObject, object[tag], `$…${tag}`) : null

function readDetails(of: JsonObject | null): Pick<TopologyNode, 'cores' | 'memoryBytes' | 'os' | 'serverVersion'> {
  const gigabytes = orNull(asNumber, of?.['InstalledMemoryInGb'], '$…InstalledMemoryInGb')
  const build = orNull(asObject, of?.['BuildInfo'], '$…BuildInfo')
  const os = orNull(asObject, of?.['OsInfo'], '$…OsInfo')
  return {
    cores: unlessNegative(of?.['NumberOfCores'], '$…NumberOfCores'),
    memoryBytes: gigabytes === null ? null : (Math.round(gigabytes * 1024 ** 3) as Bytes),
    os: orNull(asString, os?.['FullName'], '$…FullName'),
    serverVersion: orNull(asString, build?.['FullVersion'], '$…FullVersion'),
  }
}

function readStatus(of: JsonObject | null): Pick<TopologyNode, 'connected' | 'connectionError'> {
  return {
    connected: orNull(asBoolean, of?.['Connected'], '$…Connected'),
    connectionError: orNull(asString, of?.['ErrorDetails'], '$…ErrorDetails'),
  }
}

import type { Ticks } from '../../../../base/ticks.ts'
import type { ClusterResponse, ClusterNode } from '../../contract/cluster.ts'
import type { ServerMemory } from '../../contract/machine.ts'
import type { Topology, TopologyNode } from '../wire/topology-wire.ts'
import type { CpuWidget, NodeWidget, TrafficWidget } from '../wire/widgets.ts'

/** Newest widget values of a node. */
export interface NodeFigures {
  node: NodeWidget | null
  cpu: CpuWidget | null
  memory: Pick<ServerMemory, 'physicalBytes' | 'residentBytes' | 'availableBytes'> | null
  traffic: TrafficWidget | null
  receivedTicks: Ticks | null
  state: ClusterNode['figures']
  message: string
}

export const noFigures = (): NodeFigures => ({
  node: null,
  cpu: null,
  memory: null,
  traffic: null,
  receivedTicks: null,
  state: 'connecting',
  message: '',
})

/** Joins the nodes of the topology with the figures that each node reported itself, by tag. */
export function clusterResponse(topology: Topology | null, figures: ReadonlyMap<string, NodeFigures>): ClusterResponse {
  const ownTag = topology?.ownTag ?? null
  const nodes = topology?.nodes ?? []
  return {
    leader: topology?.leader ?? null,
    term: topology?.term ?? null,
    ownTag,
    lastChange: topology?.lastChange ?? null,
    nodes: nodes.map((node) =>
      nodeOf(node, node.tag === ownTag, stateIn(node, topology), figures.get(node.tag) ?? noFigures()),
    ),
  }
}

const stateIn = (node: TopologyNode, topology: Topology | null): string | null => {
  if (topology === null) return null
  if (node.tag === topology.leader) return 'Leader'
  return node.tag === topology.ownTag ? topology.ownState : null
}

function nodeOf(node: TopologyNode, isOwn: boolean, state: string | null, of: NodeFigures): ClusterNode {
  return {
    tag: node.tag,
    url: node.url,
    isOwn,
    type: node.type,
    state: of.node?.state ?? state,
    serverVersion: of.node?.serverVersion ?? node.serverVersion,
    os: of.node?.os ?? node.os,
    startTicks: of.node?.startTicks ?? null,
    cores: of.cpu?.cores ?? node.cores,
    usedCores: node.usedCores,
    memoryBytes: of.memory?.physicalBytes ?? node.memoryBytes,
    connected: isOwn ? true : node.connected,
    connectionError: node.connectionError,
    figures: of.state,
    message: of.message,
    cpuProcessPercent: of.cpu?.processPercent ?? null,
    cpuMachinePercent: of.cpu?.machinePercent ?? null,
    residentBytes: of.memory?.residentBytes ?? null,
    availableBytes: of.memory?.availableBytes ?? null,
    requestsPerSecond: of.traffic?.requestsPerSecond ?? null,
    receivedTicks: of.receivedTicks,
  }
}

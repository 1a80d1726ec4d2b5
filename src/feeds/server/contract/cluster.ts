import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'

export interface ClusterResponse {
  /** Tag of the leader; null: not known yet. Before the first database a server is of no cluster: tag `?`. */
  readonly leader: string | null
  readonly term: number | null
  readonly ownTag: string | null
  readonly lastChange: string | null
  readonly nodes: readonly ClusterNode[]
}

export interface ClusterNode {
  readonly tag: string
  readonly url: string
  readonly isOwn: boolean
  /** In the topology. */
  readonly type: 'Member' | 'Promotable' | 'Watcher' | 'unknown'
  /** `Leader`, `Follower`, `Candidate`, `Passive`, or what the server reported; null: not reported. */
  readonly state: string | null
  readonly serverVersion: string | null
  readonly os: string | null
  readonly startTicks: Ticks | null
  readonly cores: number | null
  /** Cores that the server uses by its licence and its settings; null: not reported. */
  readonly usedCores: number | null
  readonly memoryBytes: Bytes | null
  /** Connection to the node by the leader's report; null: not reported (only leaders report it). */
  readonly connected: boolean | null
  readonly connectionError: string | null
  /** Whether its own figures arrive, through the server this page talks to. */
  readonly figures: 'arriving' | 'connecting' | 'unreachable'
  /** Why not, and which right or setting would allow it; empty: nothing to say. */
  readonly message: string
  readonly cpuProcessPercent: number | null
  readonly cpuMachinePercent: number | null
  readonly residentBytes: Bytes | null
  readonly availableBytes: Bytes | null
  readonly requestsPerSecond: number | null
  readonly receivedTicks: Ticks | null
}

import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'

export interface ClusterResponse {
  /**
   * Tag of the leader; null: not known yet. Before its first database, a server belongs to no cluster and has the tag
   * `?`.
   */
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
  /** Role of the node in the topology. */
  readonly type: 'Member' | 'Promotable' | 'Watcher' | 'unknown'
  /** `Leader`, `Follower`, `Candidate`, `Passive`, or another value that the server reported; null: not reported. */
  readonly state: string | null
  readonly serverVersion: string | null
  readonly os: string | null
  readonly startTicks: Ticks | null
  readonly cores: number | null
  /** Number of cores that the server uses under its licence and settings; null: not reported. */
  readonly usedCores: number | null
  readonly memoryBytes: Bytes | null
  /** Whether the leader reports a connection to the node; null: not reported (only leaders report it). */
  readonly connected: boolean | null
  readonly connectionError: string | null
  /** Whether the node's own figures arrive, through the server that this page is connected to. */
  readonly figures: 'arriving' | 'connecting' | 'unreachable'
  /** Reason why they do not arrive, and the right or setting that would allow it; empty: no message. */
  readonly message: string
  readonly cpuProcessPercent: number | null
  readonly cpuMachinePercent: number | null
  readonly residentBytes: Bytes | null
  readonly availableBytes: Bytes | null
  readonly requestsPerSecond: number | null
  readonly receivedTicks: Ticks | null
}

import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'

/** Lanes of the log of the cluster. */
export const clusterLogLanes: readonly LaneDefinition[] = [
  {
    id: 'cluster-log.commands',
    title: 'Cluster log',
    explains: 'Commands of the cluster log: what changed databases, indexes and nodes, when it was created',
    scope: 'server',
    heightPx: 24,
    load: () => import('./view/lanes/commands-lane.ts'),
  },
]

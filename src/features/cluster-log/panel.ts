import { definePanel } from '../../capture/frame/panel.ts'

/** Commands of the cluster over time: what changed databases, indexes and nodes, and whether it is committed. */
export const clusterLogPanel = definePanel({
  id: 'cluster-log',
  title: 'Cluster log',
  group: 'server',
  icon: 'log',
  needsSource: false,
  lackedByRecordings: 'the log of the cluster',
  lackedByPackages: 'the log of the cluster over time',
  load: () => import('./view/ClusterLogPanel.tsx'),
})

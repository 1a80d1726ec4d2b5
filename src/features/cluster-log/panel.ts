import { definePanel } from '../../capture/frame/panel.ts'

/** Commands of the cluster over time: what changed databases, indexes and nodes, and whether it is committed. */
export const clusterLogPanel = definePanel({
  id: 'cluster-log',
  title: 'Cluster log',
  group: 'server',
  icon: 'cluster',
  needsSource: false,
  load: () => import('./view/ClusterLogPanel.tsx'),
  keys: [
    {
      title: 'Cluster log',
      keys: [
        { keys: ['+', '−', 'W', 'S'], does: 'zoom in, out' },
        { keys: ['←', '→', 'A', 'D'], does: 'earlier, later' },
        { keys: ['M', 'Enter'], does: 'focus a command; then arrows step, Enter selects, Esc leaves' },
        { keys: ['0'], does: 'all commands' },
        { keys: ['Home', 'End'], does: 'the beginning, live' },
      ],
    },
  ],
})

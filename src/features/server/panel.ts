import { definePanel } from '../../capture/frame/panel.ts'

/** The server as a whole: the machine over time, alerts, and the monitoring overhead. */
export const serverPanel = definePanel({
  id: 'server',
  title: 'Vitals',
  group: 'server',
  icon: 'gauge',
  shows: ['server'],
  needsSource: false,
  load: () => import('./view/ServerPanel.tsx'),
  loadPackaged: () => import('./view/PackagedServer.tsx'),
  loadRecorded: () => import('./view/RecordedServer.tsx'),
})

/** The nodes of the cluster in a table. */
export const clusterPanel = definePanel({
  id: 'cluster',
  title: 'Cluster',
  group: 'server',
  icon: 'cluster',
  shows: ['server'],
  needsSource: false,
  lackedByRecordings: 'the nodes of the cluster',
  load: () => import('./view/ClusterPanel.tsx'),
  loadPackaged: () => import('./view/PackagedServer.tsx'),
})

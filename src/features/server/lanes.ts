import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'
import { CHART_LANES } from './view/lanes/chart-lanes.ts'

/** Lanes of the server's activity over time, and a lane for each chart of its figures. */
export const serverLanes: readonly LaneDefinition[] = [
  {
    id: 'server.bottleneck',
    title: 'Bottleneck',
    explains: 'What limited the server, of what was measured; its rules stand under Vitals › Machine',
    scope: 'server',
    heightPx: 26,
    load: () => import('./view/lanes/bottleneck-lane.ts'),
  },
  {
    id: 'server.operations',
    title: 'Operations',
    explains:
      'Operations of databases in which other clients write, read every 20 s while a panel that shows the server is open: their pace and, of bulk inserts, what the transaction merger spent its time on; and those of the server, such as compactions and restores, which it pushes',
    scope: 'server',
    heightPx: 30,
    load: () => import('./view/lanes/operations-lane.ts'),
  },
  {
    id: 'server.notifications',
    title: 'Notifications',
    explains: 'Alerts and performance hints of the server and its databases, when they were raised',
    scope: 'server',
    isRecorded: true,
    heightPx: 22,
    load: () => import('./view/lanes/notifications-lane.ts'),
  },
  ...CHART_LANES,
]

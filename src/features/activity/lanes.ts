import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'

/** What was done to the server from this browser. */
export const activityLanes: readonly LaneDefinition[] = [
  {
    id: 'activity.markers',
    title: 'Actions',
    explains: 'What was done to the server from this browser, as the markers of all timelines',
    scope: 'server',
    heightPx: 24,
    load: () => import('./view/lanes/markers-lane.ts'),
  },
]

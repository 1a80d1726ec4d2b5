import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'

/** Lanes of the actions that this browser took on the server. */
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

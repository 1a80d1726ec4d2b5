import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'

/** Lane of the findings of Triage. */
export const triageLanes: readonly LaneDefinition[] = [
  {
    id: 'server.findings',
    title: 'Findings',
    explains: 'Findings of Triage: those that hold, since they began, and those of the last day that are over',
    scope: 'server',
    heightPx: 34,
    load: () => import('./view/findings-lane.ts'),
  },
]

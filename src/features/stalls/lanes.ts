import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'

/** Lane of stalled journal writes. */
export const stallsLanes: readonly LaneDefinition[] = [
  {
    id: 'stalls.stalls',
    title: 'Stalls',
    explains: 'Journal writes that took too long by the rule of Stalls, by cause',
    scope: 'sources',
    heightPx: 26,
    load: () => import('./view/lanes/stalls-lane.ts'),
  },
]

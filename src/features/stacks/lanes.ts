import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'

/** Lanes of the threads of the server. */
export const stacksLanes: readonly LaneDefinition[] = [
  {
    id: 'stacks.cpu',
    title: 'CPU by job',
    explains:
      'CPU of the server’s threads by what they work for, of all cores together; from the server’s own list of threads, which is received while the lane is shown (2 to 4 MB a minute)',
    scope: 'server',
    heightPx: 64,
    load: () => import('./view/lanes/cpu-lane.ts'),
  },
]

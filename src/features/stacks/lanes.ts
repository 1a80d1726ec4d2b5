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
  {
    id: 'stacks.machine',
    title: 'CPU of the machine',
    explains:
      'CPU of the whole machine, all cores being 100 %: jobs of the server’s threads, the rest of its process, the rest of the machine; dark: no list of threads was received',
    scope: 'server',
    heightPx: 150,
    load: () => import('./view/lanes/machine-lane.ts'),
  },
  {
    id: 'stacks.snapshots',
    title: 'Stack snapshots',
    explains: 'Stack snapshots of all threads; a flag names the sides that Stacks shows and compares',
    scope: 'server',
    // Files have them as well.
    isRecorded: true,
    heightPx: 26,
    load: () => import('./view/lanes/snapshots-lane.ts'),
  },
]

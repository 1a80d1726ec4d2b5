import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'

/** Lane of what Triage found while a recorder watched. */
export const archiveLanes: readonly LaneDefinition[] = [
  {
    id: 'archive.findings',
    title: 'Recorded findings',
    explains: 'What Triage found while the recorder watched the server, from when to when it held',
    scope: 'sources',
    heightPx: 30,
    load: () => import('./view/findings-lane.ts'),
  },
]

import type { LaneDefinition } from '../../capture/frame/lanes/lane.ts'

/** Lanes of recordings: the recorded hours, and the findings of Triage while a recorder watched. */
export const archiveLanes: readonly LaneDefinition[] = [
  {
    id: 'archive.hours',
    title: 'Recorded hours',
    explains: 'All hours of the recording, open or not, by the time that journal writes of 10 ms or more took',
    scope: 'sources',
    heightPx: 24,
    load: () => import('./view/hours-lane.ts'),
  },
  {
    id: 'archive.findings',
    title: 'Recorded findings',
    explains: 'What Triage found while the recorder watched the server, from when to when it held',
    scope: 'sources',
    heightPx: 30,
    load: () => import('./view/findings-lane.ts'),
  },
]

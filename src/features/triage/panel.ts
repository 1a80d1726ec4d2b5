import { definePanel } from '../../capture/frame/panel.ts'

/** Landing page of what needs attention now: one sentence, the five worst findings, and a link for each. */
export const triagePanel = definePanel({
  id: 'triage',
  title: 'Triage',
  group: 'overview',
  icon: 'pulse',
  shows: ['server'],
  needsSource: false,
  yieldsToFiles: true,
  load: () => import('./view/TriagePanel.tsx'),
  loadPackaged: () => import('./view/PackagedTriage.tsx'),
  loadRecorded: () => import('./view/RecordedTriage.tsx'),
})

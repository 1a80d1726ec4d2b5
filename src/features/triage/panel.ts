import { definePanel } from '../../capture/frame/panel.ts'

/** The landing page, what needs attention now: one sentence, the worst five things, and the way to each. */
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

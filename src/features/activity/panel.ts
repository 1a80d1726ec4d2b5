import { definePanel } from '../../capture/frame/panel.ts'

/** What was done to the server from this browser, and what became of it. */
export const activityPanel = definePanel({
  id: 'activity',
  title: 'Activity',
  group: 'files',
  icon: 'history',
  scope: 'server',
  needsSource: false,
  shows: ['server'],
  load: () => import('./view/ActivityPanel.tsx'),
})

import { definePanel } from '../../capture/frame/panel.ts'

/** Panel of the actions on the server from this browser, and of their results. */
export const activityPanel = definePanel({
  id: 'activity',
  title: 'Activity',
  group: 'files',
  icon: 'history',
  scope: 'server',
  needsSource: false,
  shows: ['server'],
  lackedByRecordings: 'actions of this browser, or operations and queries that run now',
  lackedByPackages: 'actions of this browser, or operations',
  load: () => import('./view/ActivityPanel.tsx'),
})

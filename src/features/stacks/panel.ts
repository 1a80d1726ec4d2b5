import { definePanel } from '../../capture/frame/panel.ts'

/** Panel on the work of every thread of the server and its cost: live, and in stack snapshots. */
export const stacksPanel = definePanel({
  id: 'stacks',
  title: 'Stacks',
  group: 'investigate',
  icon: 'flame',
  scope: 'server',
  fileFeeds: ['stacks'],
  shows: ['stacks'],
  lackedByRecordings: 'stack snapshots or threads',
  load: () => import('./view/StacksPanel.tsx'),
})

import { definePanel } from '../../capture/frame/panel.ts'

/** What every thread of the server is doing, in whose name and at what cost: live, and in stack snapshots. */
export const stacksPanel = definePanel({
  id: 'stacks',
  title: 'Stacks',
  group: 'investigate',
  icon: 'flame',
  scope: 'server',
  fileFeeds: ['stacks'],
  shows: ['stacks'],
  load: () => import('./view/StacksPanel.tsx'),
})

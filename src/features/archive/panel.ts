import { definePanel } from '../../capture/frame/panel.ts'

/** Recordings: the hours they contain, and what happened in them. */
export const archivePanel = definePanel({
  id: 'archive',
  title: 'Archive',
  group: 'files',
  icon: 'calendar',
  needsSource: false,
  needsServer: false,
  load: () => import('./view/ArchivePanel.tsx'),
})

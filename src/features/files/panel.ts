import { definePanel } from '../../capture/frame/panel.ts'

/** Files that were opened: how far they are, what a package holds, and any of it as text or as a tree. */
export const filesPanel = definePanel({
  id: 'files',
  title: 'Files',
  group: 'files',
  icon: 'file',
  needsSource: false,
  needsServer: false,
  yieldsToFiles: true,
  load: () => import('./view/FilesPanel.tsx'),
})

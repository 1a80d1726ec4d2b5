import { definePanel } from '../../capture/frame/panel.ts'

/** Opened files: their progress, the entries of packages, and any of them as text or as a tree. */
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

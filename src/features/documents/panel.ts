import { definePanel } from '../../capture/frame/panel.ts'

/** Documents of a database: lists, one as text and tree, what belongs to it, and drafts. */
export const documentsPanel = definePanel({
  id: 'documents',
  title: 'Documents',
  group: 'database',
  icon: 'braces',
  scope: 'database',
  needsSource: false,
  lackedByRecordings: 'documents',
  lackedByPackages: 'documents',
  load: () => import('./view/DocumentsPanel.tsx'),
})

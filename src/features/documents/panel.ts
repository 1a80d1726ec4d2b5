import { definePanel } from '../../capture/frame/panel.ts'

/** Documents of a database: lists, a document as text and tree, its attachments and the like, and drafts. */
export const documentsPanel = definePanel({
  id: 'documents',
  title: 'Documents',
  group: 'database',
  icon: 'braces',
  scope: 'database',
  databaseParams: ['documents.collection', 'documents.prefix', 'documents.id', 'documents.new'],
  needsSource: false,
  lackedByRecordings: 'documents',
  lackedByPackages: 'documents',
  load: () => import('./view/DocumentsPanel.tsx'),
})

import { definePanel } from '../../capture/frame/panel.ts'

/** Indexes of a database, with their definitions as text. */
export const indexDefinitionsPanel = definePanel({
  id: 'index-definitions',
  title: 'Indexes',
  group: 'database',
  icon: 'book',
  scope: 'database',
  databaseParams: ['index-definitions.index'],
  needsSource: false,
  shows: ['indexing'],
  lackedByRecordings: 'definitions of indexes',
  lackedByPackages: 'definitions of indexes that could be edited',
  load: () => import('./view/IndexesPanel.tsx'),
})

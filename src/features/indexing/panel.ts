import { definePanel } from '../../capture/frame/panel.ts'

/** Batches of every watched index, and the memory for which indexes compete. */
export const indexingPanel = definePanel({
  id: 'indexing',
  title: 'Indexing',
  group: 'investigate',
  icon: 'layers',
  scope: 'databases',
  fileFeeds: ['indexing'],
  shows: ['indexing'],
  load: () => import('./view/IndexingPanel.tsx'),
})

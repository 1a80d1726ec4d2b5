import { definePanel } from '../../capture/frame/panel.ts'

/** Batches of every index that is watched, and the memory that they compete for. */
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

import { definePanel } from '../../capture/frame/panel.ts'

/** Compares before with after: two ranges, or two captures. */
export const comparePanel = definePanel({
  id: 'compare',
  title: 'Compare',
  group: 'investigate',
  icon: 'compare',
  shows: ['io', 'indexing', 'server'],
  load: () => import('./view/ComparePanel.tsx'),
})

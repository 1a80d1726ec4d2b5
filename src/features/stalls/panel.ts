import { definePanel } from '../../capture/frame/panel.ts'

/** Journal writes that took too long, and the evidence for their causes. */
export const stallsPanel = definePanel({
  id: 'stalls',
  title: 'Stalls',
  group: 'investigate',
  icon: 'stall',
  shows: ['io', 'server'],
  load: () => import('./view/StallsPanel.tsx'),
})

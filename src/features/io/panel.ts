import { definePanel } from '../../capture/frame/panel.ts'

/** Journal writes, flushes and syncs of every watched storage environment. */
export const ioPanel = definePanel({
  id: 'io',
  title: 'I/O',
  group: 'investigate',
  icon: 'disk',
  fileFeeds: ['io'],
  shows: ['io', 'server'],
  load: () => import('./view/IoPanel.tsx'),
})

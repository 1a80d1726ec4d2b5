import { definePanel } from '../../capture/frame/panel.ts'

/** All servers of the stand-alone server, one per row, with a link to the studio of each. */
export const serversPanel = definePanel({
  id: 'servers',
  title: 'Servers',
  group: 'overview',
  icon: 'server',
  needsSource: false,
  needsServer: false,
  load: () => import('./view/ServersPanel.tsx'),
})

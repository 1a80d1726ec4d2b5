import { serverPathOf } from '../base/http/stand-alone.mjs'
import type { PanelDefinition } from '../capture/frame/panel.ts'
import { activityPanel } from '../features/activity/panel.ts'
import { archivePanel } from '../features/archive/panel.ts'
import { clusterLogPanel } from '../features/cluster-log/panel.ts'
import { comparePanel } from '../features/compare/panel.ts'
import { databasePanel, databasesPanel } from '../features/databases/panel.ts'
import { documentsPanel } from '../features/documents/panel.ts'
import { filesPanel } from '../features/files/panel.ts'
import { indexDefinitionsPanel } from '../features/index-definitions/panel.ts'
import { indexingPanel } from '../features/indexing/panel.ts'
import { ioPanel } from '../features/io/panel.ts'
import { queryPanel } from '../features/query/panel.ts'
import { serversPanel } from '../features/servers/panel.ts'
import { clusterPanel, serverPanel } from '../features/server/panel.ts'
import { triagePanel } from '../features/triage/panel.ts'
import { stallsPanel } from '../features/stalls/panel.ts'
import { stacksPanel } from '../features/stacks/panel.ts'
import { timelinePanel } from '../features/timeline/panel.ts'

/** Whether the stand-alone server has several servers, each with a path of its own. */
const hasSeveral = serverPathOf((globalThis as { location?: Location }).location?.pathname ?? '') !== ''

/** In the order of the rail (`PANEL_GROUPS`), group by group; the first is the landing page. */
export const PANELS: readonly PanelDefinition[] = [
  triagePanel,
  ...(hasSeveral ? [serversPanel] : []),
  timelinePanel,
  databasePanel,
  documentsPanel,
  queryPanel,
  indexDefinitionsPanel,
  ioPanel,
  stallsPanel,
  indexingPanel,
  stacksPanel,
  comparePanel,
  databasesPanel,
  serverPanel,
  clusterPanel,
  clusterLogPanel,
  filesPanel,
  archivePanel,
  activityPanel,
]

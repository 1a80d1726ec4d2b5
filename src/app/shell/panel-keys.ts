import type { PanelId } from '../../capture/client/panels.ts'
import { clusterLogKeys } from '../../features/cluster-log/keys.ts'
import { documentsKeys } from '../../features/documents/keys.ts'
import { filesKeys } from '../../features/files/keys.ts'
import { indexDefinitionsKeys } from '../../features/index-definitions/keys.ts'
import { indexingKeys } from '../../features/indexing/keys.ts'
import { ioKeys } from '../../features/io/keys.ts'
import { queryKeys } from '../../features/query/keys.ts'
import { serverKeys } from '../../features/server/keys.ts'
import { stacksKeys } from '../../features/stacks/keys.ts'
import { timelineKeys } from '../../features/timeline/keys.ts'
import type { KeyGroup } from '../../ui/controls/KeyHelp.tsx'

/** Keys of panels that have their own. Loaded with the help, since the first picture does not need them. */
export const PANEL_KEYS: Partial<Record<PanelId, readonly KeyGroup[]>> = {
  io: ioKeys,
  indexing: indexingKeys,
  stacks: stacksKeys,
  server: serverKeys,
  timeline: timelineKeys,
  'cluster-log': clusterLogKeys,
  documents: documentsKeys,
  files: filesKeys,
  'index-definitions': indexDefinitionsKeys,
  query: queryKeys,
}

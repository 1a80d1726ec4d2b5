import type { ComponentType } from 'react'
import { filesPanel } from '../features/files/panel.ts'
import { databasesPanel } from '../features/databases/panel.ts'
import { indexingPanel } from '../features/indexing/panel.ts'
import { ioPanel } from '../features/io/panel.ts'
import { serverPanel, triagePanel } from '../features/server/panel.ts'
import { stacksPanel } from '../features/stacks/panel.ts'
import type { KeyGroup } from '../ui/controls/KeyHelp.tsx'

export interface Panel {
  /** In the URL, and the prefix of its settings there. */
  readonly id: string
  readonly title: string
  /** Lazy: its code comes when it is opened. */
  readonly Component: ComponentType
  /** Fetches its code. Of panels that show what a file may hold: they are fetched while it is read. */
  readonly preload?: () => void
  /** Keys of its own, for the help. */
  readonly keys?: readonly KeyGroup[]
}

/** In the order of the tabs; the first is the landing page. */
export const PANELS: readonly Panel[] = [
  triagePanel,
  databasesPanel,
  serverPanel,
  ioPanel,
  indexingPanel,
  stacksPanel,
  filesPanel,
]

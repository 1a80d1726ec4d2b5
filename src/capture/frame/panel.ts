import { createContext, useContext } from 'react'
import type { IconName } from '../../ui/Icon.tsx'
import { lazyPanel, type LazyModule, type LazyPanel } from '../../ui/lazyPanel.tsx'
import type { LinkParamKey, PanelGroup, PanelId, SourceScope } from '../client/panels.ts'

/** Properties of every panel's component. */
export interface PanelProps {
  readonly panel: PanelFacts
}

export interface PanelFacts {
  /** In the URL, and the prefix of its settings there. */
  readonly id: PanelId
  /** Unique among panels: in the rail, the palette and the title of the page. */
  readonly title: string
  /** Where it stands in the rail; within a group in the order of `app/panels.ts`. */
  readonly group: PanelGroup
  readonly icon: IconName
  /** Which sources it can draw. */
  readonly scope: SourceScope
  /** Parameters whose values belong to the database in scope. Another database in scope removes them from the address. */
  readonly databaseParams: readonly LinkParamKey[]
  /** Whether the panel draws the chosen sources; the user has to choose some first. */
  readonly needsSource: boolean
  /** Whether the panel has nothing to show without a server, unless it draws an opened file. */
  readonly needsServer: boolean
  /** Feeds that it draws: a file with one of them opens this panel, the first such panel in the order of `app/panels.ts`. */
  readonly fileFeeds: readonly string[]
  /** Feeds that it shows or judges, live: while it is in front, they have its overhead limit. */
  readonly shows: readonly string[]
  /** A file that is opened while this panel is shown opens the panel of its content. */
  readonly yieldsToFiles: boolean
  /** Subject that no recording has, after `A recording does not have`: the panel then says so; null: it can show one. */
  readonly lackedByRecordings: string | null
  /** Subject that no debug package has, after `A debug package does not have`. */
  readonly lackedByPackages: string | null
}

/** A panel as `panel.ts` of its feature defines it; its code is loaded when it is opened, or before by `preload`. */
export interface PanelDefinition extends PanelFacts, LazyPanel<PanelProps> {
  /** View of the servers of a debug package; null: the panel draws what files fill, or nothing. */
  readonly packaged: LazyPanel<PackagedProps> | null
  /** View of the servers of a recording; null: as `packaged`. */
  readonly recorded: LazyPanel<PackagedProps> | null
}

/** Props of a panel that shows the server of a package or a recording in place of a live one. */
export interface PackagedProps extends PanelProps {
  /** Name of the file, or of the recording. */
  readonly file: string
}

type Optional =
  | 'scope'
  | 'databaseParams'
  | 'needsSource'
  | 'needsServer'
  | 'fileFeeds'
  | 'shows'
  | 'yieldsToFiles'
  | 'lackedByRecordings'
  | 'lackedByPackages'

/** By default a panel draws chosen sources of every kind, from a server or a file. */
export function definePanel({
  load,
  loadPackaged,
  loadRecorded,
  ...facts
}: Omit<PanelFacts, Optional> &
  Partial<Pick<PanelFacts, Optional>> & {
    readonly load: LazyModule<PanelProps>
    readonly loadPackaged?: LazyModule<PackagedProps>
    readonly loadRecorded?: LazyModule<PackagedProps>
  }): PanelDefinition {
  return {
    scope: 'both',
    databaseParams: [],
    needsSource: true,
    needsServer: true,
    fileFeeds: [],
    shows: [],
    yieldsToFiles: false,
    lackedByRecordings: null,
    lackedByPackages: null,
    ...facts,
    ...lazyPanel(load),
    packaged: loadPackaged === undefined ? null : lazyPanel(loadPackaged),
    recorded: loadRecorded === undefined ? null : lazyPanel(loadRecorded),
  }
}

/** All panels, for links between them; provided by the app. */
export const PanelsContext = createContext<readonly PanelFacts[]>([])

/** The panel that draws a feed; null: this build has none. */
export function usePanelOfFeed(): (feed: string) => PanelFacts | null {
  const panels = useContext(PanelsContext)
  return (feed) => panels.find(({ fileFeeds }) => fileFeeds.includes(feed)) ?? null
}

/** A panel's title, as the rail has it; of one that this build does not have, its id. */
export function usePanelTitle(id: PanelId): string {
  return useContext(PanelsContext).find((panel) => panel.id === id)?.title ?? id
}

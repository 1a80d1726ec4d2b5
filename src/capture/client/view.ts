import { createContext, useContext } from 'react'
import type { TickSpan, TimeRange } from '../../base/ticks.ts'
import type { CaptureClient } from './client.ts'
import type { LinkParams, PanelId, ViewParams } from './panels.ts'
import { isFileSource, type SourceId } from './state.ts'

/** View that all panels share and the URL carries: one clock, one range, one selection. */
export interface View {
  readonly sources: readonly SourceId[]
  /** The database in scope, where `sources` do not imply it; read it by `databaseInScope`. Null: none was chosen. */
  readonly database: string | null
  /** A fixed range; null: live, the newest `liveSpan`. */
  readonly range: TimeRange | null
  readonly liveSpan: TickSpan
  /** Pinned thing, in a form of the panel that pinned it (for I/O `formatEventRef`); null: nothing. */
  readonly selection: string | null
  readonly clock: 'local' | 'utc'
  /** A panel's own settings; each panel reads and writes its own keys, prefixed with its id. */
  readonly params: ViewParams
}

/** Parts of the view that a change or a link sets. */
export interface ViewParts extends Partial<Omit<View, 'params'>> {
  /** Merged key by key; an empty text removes. */
  readonly params?: LinkParams
}

export interface ViewStore {
  readonly view: View
  /** Replaces parts. `push` makes a step of the browser's history. */
  readonly change: (parts: ViewParts, options?: { readonly push?: boolean }) => void
  /** Opens a panel (by id), keeping the shared view but for `parts`. */
  readonly open: (panel: PanelId, parts?: ViewParts) => void
  /** The address of a panel with those parts, for a link. */
  readonly href: (panel: PanelId, parts?: ViewParts) => string
}

/** Nothing more will come: what is looked at lies in files. */
export const isOnlyFiles = ({ sources }: View): boolean => sources.length > 0 && sources.every(isFileSource)

/** Parameters of a view that will be fitted to files that are opened now; null: it will not, since something is open or chosen. */
export const paramsToFit = ({ sources, range, params }: View): ViewParams | null =>
  sources.length === 0 && range === null ? params : null

export const CaptureContext = createContext<CaptureClient | null>(null)
export const ViewContext = createContext<ViewStore | null>(null)

export function useCapture(): CaptureClient {
  const client = useContext(CaptureContext)
  if (client === null) throw new Error('useCapture outside of CaptureContext')
  return client
}

export function useView(): ViewStore {
  const store = useContext(ViewContext)
  if (store === null) throw new Error('useView outside of ViewContext')
  return store
}

import { createContext, useContext } from 'react'
import type { TickSpan, TimeRange } from '../../base/ticks.ts'
import type { CaptureClient } from './client.ts'
import type { LinkParams, PanelId, ViewParams } from './panels.ts'
import { isFileSource, type SourceId } from './state.ts'

/** View shared by all panels and carried by the URL: one clock, one range, one selection. */
export interface View {
  readonly sources: readonly SourceId[]
  /** The database in scope, if `sources` do not imply it; read it with `databaseInScope`. Null: none chosen. */
  readonly database: string | null
  /** A fixed range; null: live, the newest `liveSpan`. */
  readonly range: TimeRange | null
  readonly liveSpan: TickSpan
  /** Pinned object, in the form of the panel that pinned it (`formatEventRef` for I/O); null: none. */
  readonly selection: string | null
  readonly clock: 'local' | 'utc'
  /** Settings of panels; each panel reads and writes its own keys, prefixed with its id. */
  readonly params: ViewParams
}

/** Parts of the view that a change or a link sets. */
export interface ViewParts extends Partial<Omit<View, 'params'>> {
  /** Merged key by key; an empty text removes a key. */
  readonly params?: LinkParams
}

export interface ViewStore {
  readonly view: View
  /** Replaces parts. `push` adds a step to the browser's history. */
  readonly change: (parts: ViewParts, options?: { readonly push?: boolean }) => void
  /** Opens a panel by id; keeps the shared view except for `parts`. */
  readonly open: (panel: PanelId, parts?: ViewParts) => void
  /** Address of a panel with these parts, for a link. */
  readonly href: (panel: PanelId, parts?: ViewParts) => string
}

/** Whether all chosen sources are files, so that no more data will come. */
export const isOnlyFiles = ({ sources }: View): boolean => sources.length > 0 && sources.every(isFileSource)

/** Parameters of a view that will be fitted to files opened now; null: something is open or chosen, so it will not. */
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

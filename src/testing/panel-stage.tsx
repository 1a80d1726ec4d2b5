import { render, type RenderResult } from '@testing-library/react'
import { Suspense, useState, type ReactNode } from 'react'
import { TICKS_PER_SECOND, type TickSpan } from '../base/ticks.ts'
import type { PanelId } from '../capture/client/panels.ts'
import type { CaptureClient } from '../capture/client/client.ts'
import { ViewContext, type View, type ViewParts, type ViewStore } from '../capture/client/view.ts'
import { PANELS } from '../app/panels.ts'
import { LanesContext, type LoadLanes } from '../capture/frame/lanes/lane.ts'
import { PanelsContext } from '../capture/frame/panel.ts'
import { CaptureProvider } from './CaptureProvider.tsx'
import { recordingContext, type Recording } from './recording-context.ts'

const FIRST_VIEW: View = {
  sources: [],
  database: null,
  range: null,
  liveSpan: (60 * TICKS_PER_SECOND) as TickSpan,
  selection: null,
  clock: 'utc',
  params: {},
}

export interface PanelStage extends RenderResult {
  /** The shared view as the panel has left it. */
  readonly view: () => View
  /** Panels that it opened, in order. */
  readonly opened: readonly { readonly panel: PanelId; readonly parts: ViewParts }[]
  /** Recorded calls on each canvas, in document order, since it was last sized. */
  readonly recordings: ReadonlyMap<HTMLCanvasElement, Recording>
}

/** Sizes of every element in a document without layout. */
const WIDTH_PX = 1000
const HEIGHT_PX = 400

/** Gives happy-dom sizes and recording canvases. Returns what was recorded. */
function stageCanvases(): Map<HTMLCanvasElement, Recording> {
  const recordings = new Map<HTMLCanvasElement, Recording>()
  const define = (prototype: object, name: string, value: number): void =>
    void Object.defineProperty(prototype, name, { configurable: true, get: () => value })
  define(HTMLElement.prototype, 'clientWidth', WIDTH_PX)
  define(HTMLElement.prototype, 'clientHeight', HEIGHT_PX)
  Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', {
    configurable: true,
    value(this: HTMLCanvasElement) {
      const recording = recordings.get(this) ?? recordingContext()
      recordings.set(this, recording)
      return recording.context
    },
  })
  return recordings
}

const loadLanes: LoadLanes = () => import('../app/lanes.ts')

/** For links between panels, which have the titles of the app. */
export const AllPanels = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <LanesContext value={loadLanes}>
    <PanelsContext value={PANELS}>{children}</PanelsContext>
  </LanesContext>
)

/** Renders a panel with a capture and a view that it can change, as the app does. */
export function renderPanel(panel: ReactNode, capture: CaptureClient, parts: Partial<View> = {}): PanelStage {
  const recordings = stageCanvases()
  const opened: { panel: PanelId; parts: ViewParts }[] = []
  let current: View = { ...FIRST_VIEW, ...parts }
  function Host(): ReactNode {
    const [view, setView] = useState(current)
    const change: ViewStore['change'] = (next) => {
      const params = Object.fromEntries(
        Object.entries({ ...current.params, ...next.params }).filter(([, value]) => value !== ''),
      )
      current = { ...current, ...next, params }
      setView(current)
    }
    const [actions] = useState({
      change,
      open: (to: PanelId, next: ViewParts = {}) => void opened.push({ panel: to, parts: next }),
      href: () => '#',
    })
    return (
      <ViewContext value={{ view, ...actions }}>
        <CaptureProvider capture={capture}>
          <AllPanels>
            <Suspense>{panel}</Suspense>
          </AllPanels>
        </CaptureProvider>
      </ViewContext>
    )
  }
  return { ...render(<Host />), view: () => current, opened, recordings }
}

import { useMemo, useState } from 'react'
import type { TimeRange } from '../../../base/ticks.ts'
import type { FoldRule } from '../../../charts/scale.ts'
import type { CaptureState } from '../../client/state.ts'
import { isOnlyFiles, useView } from '../../client/view.ts'
import { newestOf, useViewport, type Viewport } from './useViewport.ts'

/** CSS pixels, before a chart was measured. */
const ASSUMED_WIDTH_PX = 900

export interface PanelRange {
  readonly viewport: Viewport
  /** Everything that was seen; null: nothing yet. The same object until it changes. */
  readonly known: TimeRange | null
  /** The user moved the range and has not gone back to live. */
  readonly moved: boolean
  /** Whole CSS pixels of the chart; 0 before the first measure. */
  readonly widthPx: number
  readonly onWidth: (widthPx: number) => void
}

/** The range of time that a panel with a timeline shows. `firstPx`: width of the chart before it was measured. */
export function usePanelRange(state: CaptureState, rule: FoldRule, firstPx = ASSUMED_WIDTH_PX): PanelRange {
  const { view } = useView()
  const [widthPx, setWidthPx] = useState(0)
  const [moved, setMoved] = useState(false)
  const viewport = useViewport(state, widthPx > 0 ? widthPx : firstPx, rule, isOnlyFiles(view))
  if (viewport.moving && !moved) setMoved(true)
  if (viewport.live && moved) setMoved(false)
  return { viewport, known: useKnown(state), moved, widthPx, onWidth: setWidthPx }
}

function useKnown(state: CaptureState): TimeRange | null {
  const startTicks = state.extent?.startTicks ?? null
  const endTicks = state.extent === null ? null : newestOf(state)
  return useMemo(
    () => (startTicks === null || endTicks === null ? null : { startTicks, endTicks }),
    [startTicks, endTicks],
  )
}

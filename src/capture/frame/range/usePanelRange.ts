import { useMemo, useState } from 'react'
import type { TimeRange } from '../../../base/ticks.ts'
import type { FoldRule } from '../../../charts/scale.ts'
import type { CaptureState } from '../../client/state.ts'
import { isOnlyFiles, useView } from '../../client/view.ts'
import { newestOf, useViewport, type Viewport } from './useViewport.ts'

/** Assumed width before a chart is measured, CSS pixels. */
const ASSUMED_WIDTH_PX = 900

export interface PanelRange {
  readonly viewport: Viewport
  /** Range of all data; null: none yet. The same object until it changes. */
  readonly known: TimeRange | null
  /** Whether the user moved the range and has not returned to live. */
  readonly moved: boolean
  /** Width of the chart in whole CSS pixels; 0 before the first measurement. */
  readonly widthPx: number
  readonly onWidth: (widthPx: number) => void
}

/** Range of a panel with a timeline. `firstPx`: width of the chart before it is measured. */
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

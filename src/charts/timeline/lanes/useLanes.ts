import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { visibleSlice } from '../visible-slice.ts'
import type { LaneBox } from './contract.ts'
import type { LanePlotHandle, LaneSight } from './LanePlot.tsx'

/** What is in sight of a timeline, known to its panel before it asks for marks. */
export interface Lanes {
  readonly sight: LaneSight
  readonly setSight: (sight: LaneSight) => void
  readonly plotRef: RefObject<LanePlotHandle | null>
}

export function useLanes(): Lanes {
  const plotRef = useRef<LanePlotHandle>(null)
  const [sight, setSight] = useState<LaneSight>({ scrollPx: 0, heightPx: 0, widthPx: 0 })
  return { sight, setSight, plotRef }
}

/** Boxes beyond the edges are asked for as well, in steps, so that a scroll finds them there. */
const OVERSCAN_PX = 240

/** Those in and near sight: whose marks to ask for. None before the plot has a size. */
export function nearSight<Box extends LaneBox>(
  { scrollPx, heightPx, widthPx }: LaneSight,
  boxes: readonly Box[],
): readonly Box[] {
  if (widthPx <= 0) return []
  const from = Math.floor(scrollPx / OVERSCAN_PX) * OVERSCAN_PX - OVERSCAN_PX
  const to = Math.ceil((scrollPx + heightPx) / OVERSCAN_PX) * OVERSCAN_PX + OVERSCAN_PX
  return visibleSlice(boxes, from, to)
}

/** Brings a box into the middle when `occasion` changes and is not null. */
export function useReveal(
  { plotRef }: Lanes,
  occasion: string | null,
  box: Pick<LaneBox, 'topPx' | 'heightPx'> | null,
): void {
  const latest = useRef(box)
  useLayoutEffect(() => {
    latest.current = box
  })
  useEffect(() => {
    if (occasion !== null && latest.current !== null)
      plotRef.current?.show(latest.current.topPx, latest.current.heightPx, true)
  }, [occasion, plotRef])
}

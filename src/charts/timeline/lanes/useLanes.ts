import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { LaneBox } from './box.ts'
import type { LanePlotHandle } from './LanePlot.tsx'
import type { LaneSight } from './near-sight.ts'

/** Part of a timeline in view, known to its panel before it requests marks. */
export interface Lanes {
  readonly sight: LaneSight
  readonly setSight: (sight: LaneSight) => void
  readonly plotRef: RefObject<LanePlotHandle | null>
}

const NOTHING_IN_SIGHT: LaneSight = { scrollPx: 0, heightPx: 0, widthPx: 0 }

/** `first`: assumed part in view before the plot is measured. */
export function useLanes(first: LaneSight = NOTHING_IN_SIGHT): Lanes {
  const plotRef = useRef<LanePlotHandle>(null)
  const [sight, setSight] = useState(first)
  return { sight, setSight, plotRef }
}

/** Scrolls a box into the middle when `occasion` changes to a value other than null. */
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

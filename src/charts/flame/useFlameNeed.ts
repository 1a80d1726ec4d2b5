import { useEffect, useLayoutEffect, useRef } from 'react'
import { levelsInSight, type FlamePicture } from './flame-draw.ts'
import { withMargins, type FlameWindow } from './flame-window.ts'

/** Part of the tree that a chart needs to draw the boxes in view, with a margin. */
export interface FlameNeed {
  readonly window: FlameWindow
  /** Width of `window`, CSS pixels. */
  readonly widthPx: number
  readonly firstDepth: number
  readonly endDepth: number
}

/** Levels are requested in groups of this size, so that a scroll finds them loaded. */
const LEVEL_STEP = 24

/** Calls `onNeed` when another part of the tree is needed; not before the chart has a width. */
export function useFlameNeed(picture: FlamePicture, heightPx: number, onNeed: (need: FlameNeed) => void): void {
  const { window, widthPx } = picture
  const sight = levelsInSight(picture, heightPx)
  const wide = withMargins(window)
  const need: FlameNeed = {
    window: wide,
    widthPx: Math.round((widthPx * (wide.end - wide.start)) / (window.end - window.start)),
    firstDepth: Math.max(0, Math.floor(sight.first / LEVEL_STEP - 1) * LEVEL_STEP),
    endDepth: Math.ceil(sight.end / LEVEL_STEP + 1) * LEVEL_STEP,
  }
  const needKey = JSON.stringify(need)
  const onNeedRef = useRef(onNeed)
  useLayoutEffect(() => {
    onNeedRef.current = onNeed
  })
  useEffect(() => {
    const wanted = JSON.parse(needKey) as FlameNeed
    if (wanted.widthPx > 0) onNeedRef.current(wanted)
  }, [needKey])
}

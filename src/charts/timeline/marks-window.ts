import type { CssPx } from '../../base/brand.ts'
import type { Ticks, TimeRange } from '../../base/ticks.ts'
import { advanceAlong, buildTimeScale, type FoldRule, type ScalePiece, type TimeScale } from '../scale.ts'

/** Requested ranges begin and end at multiples of this width, so that a pan within one block requests nothing. */
const BLOCK_PX = 512

/** Range for which marks are requested: wider than the view and aligned to blocks, so that it changes seldom. */
export interface MarksWindow extends TimeRange {
  readonly pieces: readonly ScalePiece[]
  /** Ticks of a requested pixel: the largest power of two that is not above the view's resolution. */
  readonly resolutionTicks: number
  /** Equal for equal windows. */
  readonly key: string
}

/**
 * Window for a view: about one width more on either side, aligned to a pixel grid that depends only on the resolution.
 * So marks do not flicker during a pan, and a zoom by less than two requests nothing.
 */
export function marksWindow(scale: TimeScale, rule: FoldRule): MarksWindow {
  const resolutionTicks = Math.max(1, 2 ** Math.floor(Math.log2(scale.ticksPerPx)))
  const blockTicks = resolutionTicks * BLOCK_PX
  const startTicks = (Math.floor(
    advanceAlong(scale.range.startTicks, -scale.widthPx * 0.75, scale.ticksPerPx, rule) / blockTicks,
  ) * blockTicks) as Ticks
  const endTicks = (Math.ceil(
    advanceAlong(scale.range.endTicks, scale.widthPx * 0.75, scale.ticksPerPx, rule) / blockTicks,
  ) * blockTicks) as Ticks
  const widthPx = (endTicks - startTicks) / resolutionTicks
  const folded =
    scale.folds.length === 0 ? [] : buildTimeScale({ range: { startTicks, endTicks }, widthPx, rule }).folds
  const pieces: ScalePiece[] = []
  let atPx = 0
  const add = (from: number, to: number): void => {
    if (to <= from) return
    const start = Math.floor(from / resolutionTicks) * resolutionTicks
    const lengthPx = Math.ceil((to - start) / resolutionTicks)
    pieces.push({
      startTicks: start as Ticks,
      endTicks: (start + lengthPx * resolutionTicks) as Ticks,
      startPx: atPx as CssPx,
      endPx: (atPx + lengthPx) as CssPx,
    })
    atPx += lengthPx
  }
  let from: number = startTicks
  for (const fold of folded) {
    // A range folded here may be shown wide at another place of the same window; only ranges that are folded everywhere
    // are left out.
    if ((fold.endTicks - fold.startTicks) / resolutionTicks < BLOCK_PX) continue
    add(from, fold.startTicks)
    from = fold.endTicks
  }
  add(from, endTicks)
  return {
    startTicks,
    endTicks,
    pieces,
    resolutionTicks,
    key: `${resolutionTicks} ${pieces.map((piece) => `${piece.startTicks}-${piece.endTicks}`).join(' ')}`,
  }
}

import { useMemo } from 'react'
import type { Gap, SourceId } from '../../../capture/client/state.ts'
import { useView } from '../../../capture/client/view.ts'
import type { SizeScale } from '../../../charts/canvas/size-scale.ts'
import { buildSizeScale } from '../../../charts/canvas/size-scale.ts'
import { useCanvasTokens } from '../../../charts/canvas/tokens.ts'
import { chooseStepPx, layoutHeat, type HeatLayout } from './heat/layout.ts'
import type { IoLayout } from './timeline/layout.ts'
import { layoutLanes } from './timeline/layout.ts'
import type { IoPalette } from './timeline/palette.ts'
import { buildPalette } from './timeline/palette.ts'
import type { IoSettings } from './params.ts'
import { parseSettings } from './params.ts'
import { scopeOf } from './requests.ts'
import type { IoLane } from '../../../feeds/io/contract/lanes.ts'
import type { IoScope } from '../../../feeds/io/contract/rows.ts'

// Values for the whole panel stay the same object while their content is unchanged: a new object would lay out and draw
// everything again for each state of the capture. The compiler does not memoise values across hooks, so these hooks do.

/** Settings of this panel in the URL. */
export function useSettings(): IoSettings {
  const { params } = useView().view
  return useMemo(() => parseSettings(params), [params])
}

/** Gaps of the shown sources. */
export const useGapsOf = (gaps: readonly Gap[], sources: readonly SourceId[]): readonly Gap[] =>
  useMemo(() => gaps.filter((gap) => sources.includes(gap.source)), [gaps, sources])

export const useLayout = (
  lanes: readonly IoLane[],
  sources: readonly SourceId[],
  settings: IoSettings,
  thinPitchPx: number,
): IoLayout =>
  useMemo(() => layoutLanes(lanes, sources, settings, thinPitchPx), [lanes, sources, settings, thinPitchPx])

/** Layout of the heat maps; null: the lanes show none. */
export const useHeatLayout = (
  lanes: readonly IoLane[],
  sources: readonly SourceId[],
  settings: IoSettings,
  heightPx: number,
): HeatLayout | null =>
  useMemo(
    () =>
      settings.lanes === 'heat' ? layoutHeat(lanes, sources, settings, chooseStepPx(lanes.length, heightPx)) : null,
    [lanes, sources, settings, heightPx],
  )

export const useScope = (sources: readonly SourceId[], settings: IoSettings): IoScope =>
  useMemo(() => scopeOf(sources, settings), [sources, settings])

export function usePalette(): IoPalette {
  const tokens = useCanvasTokens()
  return useMemo(() => buildPalette(tokens), [tokens])
}

/**
 * Upper end of the linear scale. Flushes and compressions of a healthy server stay below it; larger ones share the
 * strongest step.
 */
const LINEAR_TOP_BYTES = 64 * 2 ** 20

export const useSizes = (kind: IoSettings['sizeScale']): SizeScale =>
  useMemo(() => buildSizeScale(kind, LINEAR_TOP_BYTES), [kind])

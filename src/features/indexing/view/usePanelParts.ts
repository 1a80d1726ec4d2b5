import { useCallback, useMemo } from 'react'
import type { TimeRange } from '../../../base/ticks.ts'
import type { Gap, SourceId } from '../../../capture/client/state.ts'
import { useView } from '../../../capture/client/view.ts'
import { buildSizeScale, type SizeScale } from '../../../charts/canvas/size-scale.ts'
import type { Draw } from '../../../charts/canvas/stage.ts'
import { useCanvasTokens } from '../../../charts/canvas/tokens.ts'
import { gapsOfIndexes, layoutLanes } from './timeline/layout.ts'
import { drawOverview } from './timeline/overview-picture.ts'
import { buildPalette, type IndexingPalette } from './palette.ts'
import { parseSettings, type IndexingSettings } from './params.ts'
import type { IndexKey } from '../../../feeds/indexing/contract/batches.ts'
import type { IndexInfo } from '../../../feeds/indexing/contract/indexes.ts'
import type { IndexingOverviewResponse } from '../../../feeds/indexing/contract/lanes.ts'

// Values for the whole panel stay the same object while their content is unchanged: a new object would lay out and draw
// everything again for each frame of a pan. The compiler does not memoise values across hooks, so these hooks do.

/** Settings of this panel in the URL. */
export function useSettings(): IndexingSettings {
  const { params } = useView().view
  return useMemo(() => parseSettings(params), [params])
}

export const useGapsOf = (gaps: readonly Gap[], indexes: readonly IndexInfo[]): readonly Gap[] =>
  useMemo(() => gapsOfIndexes(gaps, indexes), [gaps, indexes])

export interface ShownIndexes {
  readonly shown: readonly IndexInfo[]
  readonly keys: readonly IndexKey[]
}

/** Indexes that pass the filter by name. */
export const useShown = (
  all: readonly IndexInfo[],
  sources: readonly SourceId[],
  settings: IndexingSettings,
): ShownIndexes =>
  useMemo(() => {
    const found = new Set(layoutLanes(all, sources, settings, new Map()).keys)
    const shown = all.filter((index) => found.has(index.key))
    return { shown, keys: shown.map((index) => index.key) }
  }, [all, sources, settings])

export function usePalette(): IndexingPalette {
  const tokens = useCanvasTokens()
  return useMemo(() => buildPalette(tokens), [tokens])
}

/** Size above which all batches share the strongest step of the linear scale. */
const LINEAR_TOP_BYTES = 64 * 2 ** 20
/** First limit of the sizes. Most batches read some MiB: ≤ 16 KiB, 64 KiB … 64 MiB, more. */
const FIRST_LIMIT_BYTES = 16 * 2 ** 10

export const useSizes = (kind: IndexingSettings['sizeScale']): SizeScale =>
  useMemo(() => buildSizeScale(kind, LINEAR_TOP_BYTES, FIRST_LIMIT_BYTES), [kind])

/** Draws the overview strip. */
export const useStrip = (
  response: IndexingOverviewResponse | null,
  extent: TimeRange | null,
  gaps: readonly Gap[],
  palette: IndexingPalette,
): Draw =>
  useCallback(
    (context, frame) => {
      if (response !== null && extent !== null) drawOverview(context, frame, { response, extent, gaps }, palette)
    },
    [response, extent, gaps, palette],
  )

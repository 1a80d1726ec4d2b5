import type { CssPx } from '../../../base/brand.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { marksWindow } from '../../../charts/timeline/marks-window.ts'
import type { FoldRule, TimeScale } from '../../../charts/scale.ts'
import type { IoFilter, IoScope } from '../../../feeds/io/contract/rows.ts'
import type { IoLanesParams } from '../../../feeds/io/contract/lanes.ts'
import type { IoMarksParams, IoOverviewParams } from '../../../feeds/io/contract/marks.ts'
import type { IoSummaryParams } from '../../../feeds/io/contract/summary.ts'
import { parseKindKey, type IoSettings } from './params.ts'
import type { Track } from './timeline/layout.ts'

const SLOWEST_LIMIT = 50

export const lanesParams = (sources: readonly SourceId[], { find, page, openKinds }: IoSettings): IoLanesParams => ({
  sources,
  find,
  page,
  openKinds: [...openKinds].map(parseKindKey),
})

/** Scope of the sums: the rows of all pages. */
export const scopeOf = (sources: readonly SourceId[], { find, hiddenKinds }: IoSettings): IoScope => ({
  sources,
  find,
  hiddenKinds: [...hiddenKinds],
})

export const marksParams = (
  tracks: readonly Track[],
  scale: TimeScale,
  rule: FoldRule,
  filter: IoFilter,
): IoMarksParams => ({ rows: tracks.map((track) => track.ref), pieces: marksWindow(scale, rule).pieces, filter })

export const summaryParams = (
  rows: IoScope,
  { startTicks, endTicks }: TimeRange,
  filter: IoFilter,
): IoSummaryParams => ({ startTicks, endTicks, rows, filter, slowestLimit: SLOWEST_LIMIT })

export const overviewParams = (
  rows: IoScope,
  { startTicks, endTicks }: TimeRange,
  widthPx: number,
): IoOverviewParams => ({ startTicks, endTicks, rows, widthPx: Math.round(widthPx) as CssPx })

import type { Ticks, TimeRange } from '../../base/ticks.ts'
import { toLinkParams, type LinkParams, type ViewParams } from './panels.ts'
import { formatList, formatRangeAnd, parseList, parseRangeAnd } from './param-text.ts'
import type { Gap, SourceId } from './state.ts'

/** Side of a comparison, as the URL carries it for the panel Compare. */
export interface CompareSide {
  readonly sources: readonly SourceId[]
  /** Compared range; null: all that is known of the sources. */
  readonly range: TimeRange | null
}

export const SIDES = ['before', 'after'] as const
export type SideName = (typeof SIDES)[number]

/** Parameters of the view; null takes a side out. */
export const formatSides = (sides: Partial<Record<SideName, CompareSide | null>>): LinkParams =>
  toLinkParams(
    'compare',
    Object.fromEntries(
      Object.entries(sides).map(([name, side]) => [
        name,
        side === null ? '' : formatRangeAnd(side.range, formatList(new Set(side.sources))),
      ]),
    ),
  )

/** Side from the URL; null: it was not chosen, or makes no sense. */
export function parseSide(params: ViewParams, name: SideName): CompareSide | null {
  const parsed = parseRangeAnd(params[`compare.${name}`] ?? '')
  const sources = [...parseList(parsed?.rest)]
  return parsed === null || sources.length === 0 ? null : { sources, range: parsed.range }
}

/**
 * Spans of the range of which nothing is known: gaps of the sources, but for those that say only how many bytes are missing.
 * None reaches beyond the range, so that a gap that goes on does not change what is requested.
 */
export const unknownSpans = (
  gaps: readonly Gap[],
  sources: readonly SourceId[],
  range: TimeRange,
): Pick<Gap, 'source' | 'lane' | 'kind' | 'startTicks' | 'endTicks'>[] =>
  gaps
    .filter(
      (gap) =>
        sources.includes(gap.source) &&
        gap.endTicks > range.startTicks &&
        gap.startTicks < range.endTicks &&
        gap.missingBytes === null,
    )
    .map(({ source, lane, kind, startTicks, endTicks }) => ({
      source,
      lane,
      kind,
      startTicks: Math.max(startTicks, range.startTicks) as Ticks,
      endTicks: Math.min(endTicks, range.endTicks) as Ticks,
    }))

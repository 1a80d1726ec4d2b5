import type { Ticks, TimeRange } from '../../base/ticks.ts'
import { toLinkParams, type LinkParams, type ViewParams } from './panels.ts'
import { formatList, formatRangeAnd, parseList, parseRangeAnd } from './param-text.ts'
import type { Gap, SourceId } from './state.ts'

/** A side of a comparison, as in the URL of the panel Compare. */
export interface CompareSide {
  readonly sources: readonly SourceId[]
  /** Range to compare; null: all data of the sources. */
  readonly range: TimeRange | null
}

export const SIDES = ['before', 'after'] as const
export type SideName = (typeof SIDES)[number]

/** Parameters of the view; null removes a side. */
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

/** Parses a side from the URL; null: not chosen, or invalid. */
export function parseSide(params: ViewParams, name: SideName): CompareSide | null {
  const parsed = parseRangeAnd(params[`compare.${name}`] ?? '')
  const sources = [...parseList(parsed?.rest)]
  return parsed === null || sources.length === 0 ? null : { sources, range: parsed.range }
}

/**
 * Parts of the range without data: gaps of the sources, except those that only count missing bytes. Cut to the range,
 * so that an open gap does not change the request.
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

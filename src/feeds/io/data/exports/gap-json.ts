import { formatTicks } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'

/** An environment to export: its lane, and its path in the document. */
export interface ExportedLane {
  readonly id: string
  readonly source: string
  readonly path: string
}

/**
 * Coverage gaps of the exported lanes, as a last member `Gaps` with `{Path, Kind, Reason, Start, End, MissingCount,
 * MissingBytes, Detail}` each. `gap-reader.ts` reads them, so that an opened file shows the same gaps as the original
 * capture. `Path` null: all environments. Returns an empty text if there are no gaps. If there are several sources, a
 * gap of one whole source is written once for each of its environments.
 */
export function gapsJson(gaps: readonly Gap[], lanes: readonly ExportedLane[]): string {
  const sources = new Set(lanes.map(({ source }) => source))
  const entries = gaps.flatMap((gap) => {
    if (!sources.has(gap.source)) return []
    if (gap.lane === null && sources.size === 1) return [entryOf(gap, null)]
    return lanes
      .filter(({ id, source }) => (gap.lane === null ? source === gap.source : id === gap.lane))
      .map(({ path }) => entryOf(gap, path))
  })
  return entries.length === 0 ? '' : `,"Gaps":${JSON.stringify(entries)}`
}

const entryOf = (gap: Gap, path: string | null) => ({
  Path: path,
  Kind: gap.kind,
  Reason: gap.reason,
  Start: formatTicks(gap.startTicks),
  End: formatTicks(gap.endTicks),
  MissingCount: gap.missingCount,
  MissingBytes: gap.missingBytes,
  Detail: gap.detail,
})

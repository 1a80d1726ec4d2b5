import { TICKS_PER_MS } from '../../../base/ticks.ts'
import type { IoColumns, IoLaneColumns } from '../../io/contract.ts'
import type { VolumeName } from '../contract.ts'
import type { Events, Lane } from './judging/events.ts'

/**
 * Lanes for judging. Environments without a named volume share one with those of the same database only: the folders of its
 * indexes lie in its own. `originTicks`: what times count from.
 */
export function lanesOf(
  columns: readonly IoLaneColumns[],
  volumes: readonly VolumeName[],
  originTicks: number,
): Lane[] {
  const paths = columns.map(({ path }) => path)
  return columns.map(({ source, path, writes, syncs }) => {
    const named = volumes.find(({ pathContains }) => pathContains !== '' && path.includes(pathContains))
    return {
      environment: path,
      volume: named === undefined ? `${source}\n${rootOf(path, paths)}` : `\n${named.volume}`,
      isVolumeKnown: named !== undefined,
      writes: eventsOf(writes, originTicks),
      syncs: eventsOf(syncs, originTicks),
    }
  })
}

/** The shortest of the paths in which this one lies. */
function rootOf(path: string, paths: readonly string[]): string {
  let root = path
  for (const other of paths)
    if (other.length < root.length && path.startsWith(other) && /[/\\]/.test(path.charAt(other.length))) root = other
  return root
}

function eventsOf({ startTicks, durationTicks, bytes }: IoColumns, originTicks: number): Events {
  const start = startTicks.map((ticks) => (ticks - originTicks) / TICKS_PER_MS)
  return { start, end: start.map((ms, row) => ms + (durationTicks[row] ?? 0) / TICKS_PER_MS), bytes }
}

/** When the first event of any lane began; 0 where there is none. */
export function originOf(columns: readonly IoLaneColumns[]): number {
  const starts = columns.flatMap(({ writes, syncs }) => [writes.startTicks[0], syncs.startTicks[0]])
  const known = starts.filter((ticks) => ticks !== undefined)
  return known.length === 0 ? 0 : Math.min(...known)
}

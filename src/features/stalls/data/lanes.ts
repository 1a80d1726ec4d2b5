import { groupBy } from '../../../base/columns/group-by.ts'
import { TICKS_PER_MS } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IoColumns, IoLaneColumns } from '../../../feeds/io/contract.ts'
import type { StallsResponse, VolumeName } from '../contract.ts'

/** Events of one kind in one environment, sorted by start. Times in ms from a common origin. */
export interface Events {
  readonly start: Float64Array
  readonly end: Float64Array
  readonly bytes: Float64Array
}

/** Storage environment with the events from which stalls are judged. */
export interface Lane {
  readonly environment: string
  /** Name of the volume: environments with the same name share a device. An unknown volume gets a name of its own. */
  readonly volume: string
  readonly isVolumeKnown: boolean
  readonly writes: Events
  readonly syncs: Events
  readonly flushes: Events
}

/** Write, by its lane and its row in the lane's writes. */
export interface WriteRef {
  readonly lane: number
  readonly row: number
}

/** Journal write that took too long. */
export interface Stall extends WriteRef {
  readonly start: number
  readonly end: number
  readonly bytes: number
}

export const durationOf = (events: Events, row: number): number => (events.end[row] ?? 0) - (events.start[row] ?? 0)

/** Number of durations in a sample for quantiles. */
const SAMPLE = 20_000

/** Durations of the writes between two rows, ms; an even sample if there are many. */
export function durationsIn(writes: Events, from = 0, to = writes.start.length): Float64Array {
  const step = Math.max(1, Math.floor((to - from) / SAMPLE))
  return Float64Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => durationOf(writes, from + i * step))
}

type VolumeOf = (source: SourceId) => string | null

const namedBy = (volumes: readonly VolumeName[], path: string): string | null =>
  volumes.find(({ pathContains }) => pathContains !== '' && path.includes(pathContains))?.volume ?? null

/**
 * Creates the lanes for judging. The volume of an environment is the one that the user names, or else the one that the
 * server reports (`volumeOf`). If neither is known, it shares a volume only with environments of the same database,
 * since the folders of indexes lie in that of their database. `originTicks`: time from which times count.
 */
export function lanesOf(
  columns: readonly IoLaneColumns[],
  volumes: readonly VolumeName[],
  volumeOf: VolumeOf,
  originTicks: number,
): Lane[] {
  const paths = columns.map(({ path }) => path)
  return columns.map(({ source, path, writes, syncs, flushes }) => {
    const volume = namedBy(volumes, path) ?? volumeOf(source)
    return {
      environment: path,
      volume: volume === null ? `${source}\n${rootOf(path, paths)}` : `\n${volume}`,
      isVolumeKnown: volume !== null,
      writes: eventsOf(writes, originTicks),
      syncs: eventsOf(syncs, originTicks),
      flushes: eventsOf(flushes, originTicks),
    }
  })
}

/** Volumes that the server reports, for environments that the user did not name. */
export function reportedVolumes(
  columns: readonly IoLaneColumns[],
  volumes: readonly VolumeName[],
  volumeOf: VolumeOf,
): StallsResponse['reportedVolumes'] {
  const reported = columns.flatMap(({ source, path }) =>
    namedBy(volumes, path) === null ? (volumeOf(source) ?? []) : [],
  )
  return groupBy(reported, (volume) => volume).map(([volume, all]) => ({ volume, environments: all.length }))
}

/** Shortest of the paths that contain this one. */
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

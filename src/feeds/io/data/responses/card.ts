import type { Bytes } from '../../../../base/brand.ts'
import type { EventChunk } from '../../../../base/columns/event-chunk.ts'
import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import { formatTicks, msFromSpan } from '../../../../base/ticks.ts'
import type { IoCard, IoCardParams, IoEventRef } from '../../contract/rows.ts'
import type { IoStore } from '../table.ts'
import type { IoLaneTable, IoTrack } from '../lane-table.ts'
import { ACCELERATION, COMPRESSED, FILE_SIZE, NO_SIZE, wireKind } from '../reading/wire.ts'
import type { LaneNames } from './lane-names.ts'
import { forEachMatching, forEachReachingInto } from './scan.ts'
import type { Found } from './summary.ts'
import { eventRow } from './summary.ts'

const MOST_OVERLAPS = 200

/** Everything known about one event; null if the capture does not contain it. O(events of its kind) for the rank. */
export function cardResponse(store: IoStore, names: LaneNames, { ref, sources }: IoCardParams): IoCard | null {
  const lane = store.lanes.get(ref.lane)
  const track = lane?.tracks.get(ref.kind)
  if (lane === undefined || track === undefined) return null
  const { events } = track
  const row = events.find(ref.startTicks, [ref.durationTicks, ref.sizeBytes, null])
  if (row === -1) return null
  const lanes = [...store.lanes.values()].filter(({ source }) => sources.includes(source))
  const reported = (column: number): number | null => {
    const value = events.read(column, row)
    return value < 0 ? null : value
  }
  const base = eventRow(store, names, { lane: lane.id, kind: track.kind, events, row })
  const { found, count } = overlapsOf(lanes, ref)
  return {
    ...base,
    laneType: lane.type,
    laneLabelIsReal: names.labelOf(lane).labelIsReal,
    path: lane.path,
    fileSizeBytes: reported(FILE_SIZE) as Bytes | null,
    compressedBytes: reported(COMPRESSED) as Bytes | null,
    acceleration: reported(ACCELERATION),
    ...rankOf(lanes, ref),
    overlaps: found.map((each) => eventRow(store, names, each)),
    overlapCount: count,
    json: jsonOf(lane, track, row, base.file),
  }
}

/** Rank by duration among all events of its kind, 1 = slowest; equal durations share a rank. */
function rankOf(lanes: readonly IoLaneTable[], ref: IoEventRef): { rank: number; rankOf: number } {
  let slower = 0
  let all = 0
  for (const lane of lanes) {
    const events = lane.tracks.get(ref.kind)?.events
    if (events === undefined) continue
    all += events.length
    const bounds = {
      minTicks: ref.durationTicks + 1,
      maxTicks: Number.POSITIVE_INFINITY,
      minBytes: 0,
      maxBytes: Number.POSITIVE_INFINITY,
      file: -1,
    }
    forEachMatching(events, 0, events.length, bounds, () => slower++)
  }
  return { rank: slower + 1, rankOf: all }
}

/**
 * Events that ran at the same time: they start before the event ends and end after it starts (an instant counts where
 * it starts).
 */
function overlapsOf(lanes: readonly IoLaneTable[], ref: IoEventRef): { found: Found[]; count: number } {
  const found: Found[] = []
  const endTicks = ref.startTicks + Math.max(1, ref.durationTicks)
  let skippedSelf = false
  for (const lane of lanes)
    for (const { kind, events } of lane.tracks.values()) {
      const take = (chunk: EventChunk, row: number, firstRow: number): void => {
        const isSelf =
          !skippedSelf &&
          lane.id === ref.lane &&
          kind === ref.kind &&
          chunk.read(START, row) === ref.startTicks &&
          chunk.read(DURATION, row) === ref.durationTicks &&
          chunk.read(SIZE, row) === ref.sizeBytes
        if (isSelf) skippedSelf = true
        else found.push({ lane: lane.id, kind, events, row: firstRow + row, durationTicks: chunk.read(DURATION, row) })
      }
      forEachReachingInto(events, ref.startTicks, null, take)
      forEachMatching(events, events.lowerBound(ref.startTicks), events.lowerBound(endTicks), null, take)
    }
  return {
    found: found.toSorted((a, b) => b.durationTicks - a.durationTicks).slice(0, MOST_OVERLAPS),
    count: found.length,
  }
}

/** The event in the format of the server's document, with its environment and file. */
function jsonOf(lane: IoLaneTable, track: IoTrack, row: number, file: string): string {
  const { events, kind } = track
  const reported = (column: number): number | undefined => {
    const value = events.read(column, row)
    return value < 0 ? undefined : value
  }
  const size = events.read(FILE_SIZE, row) === NO_SIZE ? undefined : events.read(SIZE, row)
  const sizes =
    kind === 'Compression'
      ? { OriginalSize: size, CompressedSize: reported(COMPRESSED), Acceleration: reported(ACCELERATION) }
      : { Size: size, FileSize: reported(FILE_SIZE) }
  const event = {
    Start: formatTicks(events.read(START, row) as never),
    ...sizes,
    Duration: msFromSpan(events.read(DURATION, row) as never),
    Type: wireKind(kind),
  }
  return JSON.stringify({ Path: lane.path, Type: lane.type, File: file, Event: event }, null, 2)
}

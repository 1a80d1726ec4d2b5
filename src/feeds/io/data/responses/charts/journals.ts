import type { Bytes } from '../../../../../base/brand.ts'
import { DURATION, SIZE, START } from '../../../../../base/columns/event-chunk.ts'
import type { Ticks, TimeRange } from '../../../../../base/ticks.ts'
import { Pace } from '../../../../../capture/worker/turns.ts'
import type { IoJournal, IoJournalsParams, IoJournalsResponse } from '../../../contract/details.ts'
import type { IoFile, IoLaneTable, IoTrack } from '../../lane-table.ts'
import { isCovered, orNone, unseenBytes } from '../../rollups.ts'
import { FILE } from '../../reading/wire.ts'
import type { IoStore } from '../../table.ts'
import { forEachMatching } from '../scan.ts'

/** Number of rows visited between two checks of the clock. */
const SLICE_ROWS = 1 << 16
const NUMBERED = /^(\d{1,19})\.journal$/

/** O(journal writes of the environment), in slices between which other responses can run. */
export async function journalsResponse(
  store: IoStore,
  { lane: id, limit, unknown }: IoJournalsParams,
  signal: AbortSignal,
): Promise<IoJournalsResponse> {
  const { version } = store
  const lane = store.lanes.get(id)
  const track = lane?.tracks.get('JournalWrite')
  if (lane === undefined || track === undefined) return { version, journals: [], older: 0 }
  const files = lane.files.flatMap((file) => {
    const number = NUMBERED.exec(file.name)?.[1]
    return number === undefined || !file.spans.has('JournalWrite') ? [] : [{ file, number: Number(number) }]
  })
  const newest = files.toSorted((a, b) => b.number - a.number).slice(0, limit)
  const sums = await addUp(track, new Set(newest.map(({ file }) => file.id)), new Pace(signal))
  const journals = newest.flatMap(({ file, number }, i) => {
    const own = sums.get(file.id)
    return own === undefined ? [] : [describe(lane, file, number, own, i === 0, unknown)]
  })
  return { version, journals, older: files.length - newest.length }
}

interface Sums {
  firstTicks: number
  endTicks: number
  writes: number
  rollUps: number
  bytes: number
}

/** Sums by column FILE, over single events and the unseen part of roll-ups. */
async function addUp(
  { events, rollUps }: IoTrack,
  wanted: ReadonlySet<number>,
  pace: Pace,
): Promise<Map<number, Sums>> {
  const all = new Map<number, Sums>()
  const extend = (file: number, startTicks: number, endTicks: number): Sums | null => {
    if (!wanted.has(file)) return null
    const own = all.get(file) ?? { firstTicks: startTicks, endTicks, writes: 0, rollUps: 0, bytes: 0 }
    all.set(file, own)
    own.firstTicks = Math.min(own.firstTicks, startTicks)
    own.endTicks = Math.max(own.endTicks, endTicks)
    return own
  }
  const frozen = events.frozen()
  for (let at = 0; at < frozen.length; at += SLICE_ROWS) {
    forEachMatching(frozen, at, Math.min(frozen.length, at + SLICE_ROWS), null, (chunk, row) => {
      const start = chunk.read(START, row)
      const own = extend(chunk.read(FILE, row), start, start + chunk.read(DURATION, row))
      if (own === null) return
      own.writes++
      own.bytes += chunk.read(SIZE, row)
    })
    await pace.step()
  }
  for (const row of rollUps.rows) {
    const own = isCovered(row) ? null : extend(row.file, row.startTicks, row.endTicks)
    if (own === null) continue
    own.rollUps++
    own.bytes += orNone(unseenBytes(row))
  }
  return all
}

type Unknown = IoJournalsParams['unknown']

function describe(
  lane: IoLaneTable,
  file: IoFile,
  number: number,
  sums: Sums,
  isLast: boolean,
  unknown: Unknown,
): IoJournal {
  const of = (...kinds: readonly string[]): Unknown =>
    unknown.filter(({ kind }) => kind === null || kinds.includes(kind))
  // The newest journal may still be written to, and any journal may have been during unknown times.
  const flush = isLast ? null : firstAfter(lane.tracks.get('DataFlush'), sums.endTicks, of('DataFlush', 'JournalWrite'))
  return {
    name: file.name,
    number,
    firstTicks: sums.firstTicks as Ticks,
    endTicks: sums.endTicks as Ticks,
    writes: sums.writes,
    rollUps: sums.rollUps,
    bytes: sums.bytes as Bytes,
    fileBytes: file.sizeBytes < 0 ? null : (file.sizeBytes as Bytes),
    status: file.status,
    flush,
    sync: flush === null ? null : firstAfter(lane.tracks.get('DataSync'), flush.endTicks, of('DataSync')),
  }
}

/**
 * First event that begins at or after the time; null: none, or a roll-up or an unknown span may hide an earlier one.
 */
function firstAfter(track: IoTrack | undefined, ticks: number, unknown: Unknown): TimeRange | null {
  if (track === undefined) return null
  const row = track.events.lowerBound(ticks)
  if (row >= track.events.length) return null
  const startTicks = track.events.read(START, row)
  if (unknown.some((span) => span.startTicks < startTicks && span.endTicks > ticks)) return null
  if (track.rollUps.overlapping(ticks, startTicks).some((rollUp) => !isCovered(rollUp) && rollUp.endTicks > ticks))
    return null
  return {
    startTicks: startTicks as Ticks,
    endTicks: (startTicks + track.events.read(DURATION, row)) as Ticks,
  }
}

import type { TimeRange } from '../../../../base/ticks.ts'
import type { AxisPiece, IoRollUps } from '../../contract/marks.ts'
import type { IoTrack } from '../lane-table.ts'
import { isOfFile } from '../../contract/limits.ts'
import { isCovered, unseenBusyTicks, unseenBytes, type IoRollUp } from '../rollups.ts'

interface Band {
  startTicks: number
  endTicks: number
  sizeBytes: number
  busyTicks: number
  minTicks: number
  maxTicks: number
  count: number
}

/** Creates a new object each time: data sent to the page is transferred, and cannot be sent again. */
export const noBands = (): IoRollUps => columnsOf([])

/**
 * Bands of the roll-ups in view that were not seen event by event, ascending by start. Roll-ups that begin in the same
 * pixel and end in the same pixel (by `pixel`, which may be wider) form one band, so that the cost of a file with a
 * million of them depends on the number of pixels. O(roll-ups in view).
 */
export function rollUpBands(
  track: IoTrack,
  ranges: readonly TimeRange[],
  pixel: (ticks: number) => number,
  file: number | null,
): IoRollUps {
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (first === undefined || last === undefined || track.rollUps.rows.length === 0) return noBands()
  const bands: Band[] = []
  /** Bands that begin in the same pixel as the last one, by the pixel of their end. */
  const open = new Map<number, Band>()
  let openPx = Number.NaN
  for (const row of track.rollUps.overlapping(first.startTicks, last.endTicks)) {
    if (isCovered(row) || (file !== null && !isOfFile(file, row.file))) continue
    const [startPx, endPx] = [pixel(row.startTicks), pixel(row.endTicks)]
    if (startPx !== openPx) open.clear()
    openPx = startPx
    const known = open.get(endPx)
    if (known === undefined) {
      const band = bandOf(row)
      open.set(endPx, band)
      bands.push(band)
    } else merge(known, bandOf(row))
  }
  return columnsOf(bands)
}

const bandOf = (row: IoRollUp): Band => ({
  startTicks: row.unseenFromTicks,
  endTicks: row.endTicks,
  sizeBytes: unseenBytes(row),
  busyTicks: unseenBusyTicks(row),
  minTicks: row.minTicks,
  maxTicks: row.maxTicks,
  count: 1,
})

function merge(band: Band, other: Band): void {
  band.startTicks = Math.min(band.startTicks, other.startTicks)
  band.endTicks = Math.max(band.endTicks, other.endTicks)
  band.sizeBytes += other.sizeBytes
  band.busyTicks += other.busyTicks
  band.minTicks = Math.min(band.minTicks, other.minTicks)
  band.maxTicks = Math.max(band.maxTicks, other.maxTicks)
  band.count += other.count
}

/**
 * Returns a function that maps times, roughly ascending, to pixels; a time between two pieces maps to the end of the
 * first.
 */
export function pixelOf(pieces: readonly AxisPiece[]): (ticks: number) => number {
  let at = 0
  return (ticks) => {
    if (pieces.length === 0) return Number.NaN
    while (at > 0 && ticks < (pieces[at] as AxisPiece).startTicks) at--
    while (at < pieces.length - 1 && ticks >= (pieces[at + 1] as AxisPiece).startTicks) at++
    const { startTicks, endTicks, startPx, endPx } = pieces[at] as AxisPiece
    const share = (Math.min(ticks, endTicks) - startTicks) / Math.max(1, endTicks - startTicks)
    return Math.floor(startPx + share * (endPx - startPx))
  }
}

function columnsOf(bands: readonly Band[]): IoRollUps {
  const column = (of: (band: Band) => number): Float64Array => Float64Array.from(bands, of)
  return {
    length: bands.length,
    startTicks: column((band) => band.startTicks),
    endTicks: column((band) => band.endTicks),
    sizeBytes: column((band) => band.sizeBytes),
    busyTicks: column((band) => band.busyTicks),
    minTicks: column((band) => band.minTicks),
    maxTicks: column((band) => band.maxTicks),
    count: Uint32Array.from(bands, (band) => band.count),
  }
}

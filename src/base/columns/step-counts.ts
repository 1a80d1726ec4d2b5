import { DURATION_STEPS, stepOf } from './duration-steps.ts'
import { DURATION, type EventChunk } from './event-chunk.ts'
import { unpackRange, type PackedColumn } from './packed-column.ts'

/** Rows of a block: its count costs 0.12 bytes a row, and at most so many rows are read at an end of a range. */
const BLOCK_ROWS = 512

const durations = new Float64Array(BLOCK_ROWS)

function addRows(column: PackedColumn, from: number, to: number, into: { [step: number]: number }): void {
  for (let at = from; at < to; at += BLOCK_ROWS) {
    const end = Math.min(to, at + BLOCK_ROWS)
    unpackRange(column, at, end, durations, 0)
    for (let i = 0; i < end - at; i++) {
      const step = stepOf(durations[i] as number)
      into[step] = (into[step] as number) + 1
    }
  }
}

/** Counts of each step for whole blocks of the chunk, computed at first use and kept with the chunk. O(rows) once. */
function blocksOf(chunk: EventChunk): Uint16Array {
  if (chunk.durationSteps !== null) return chunk.durationSteps
  const blocks = Math.floor(chunk.length / BLOCK_ROWS)
  const steps = new Uint16Array(blocks * DURATION_STEPS)
  for (let block = 0; block < blocks; block++)
    addRows(
      chunk.columns[DURATION] as PackedColumn,
      block * BLOCK_ROWS,
      (block + 1) * BLOCK_ROWS,
      steps.subarray(block * DURATION_STEPS, (block + 1) * DURATION_STEPS),
    )
  chunk.durationSteps = steps
  return steps
}

/** Adds the steps of rows [from, to) to `into`, by whole blocks where they fit: O(blocks + `BLOCK_ROWS`). */
export function addDurationSteps(chunk: EventChunk, from: number, to: number, into: Uint32Array): void {
  const column = chunk.columns[DURATION] as PackedColumn
  const firstBlock = Math.ceil(from / BLOCK_ROWS)
  const endBlock = Math.floor(to / BLOCK_ROWS)
  if (endBlock <= firstBlock) return addRows(column, from, to, into)
  const blocks = blocksOf(chunk)
  addRows(column, from, firstBlock * BLOCK_ROWS, into)
  for (let at = firstBlock * DURATION_STEPS; at < endBlock * DURATION_STEPS; at++)
    into[at % DURATION_STEPS] = (into[at % DURATION_STEPS] as number) + (blocks[at] as number)
  addRows(column, endBlock * BLOCK_ROWS, to, into)
}

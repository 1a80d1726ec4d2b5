import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { Part } from '../responses/parts.ts'
import { RowCursor } from './row-cursor.ts'
import { TimeMerge } from './time-merge.ts'

const STEP_ROWS = 256

/** All rows of the parts in order of time. */
export const inOrderOfTime = (parts: readonly Part[]): TimeMerge =>
  new TimeMerge(parts.map((part, place) => new RowCursor(part, place)))

/** Writes each row of the merge, with the steps that `ExportSteps` requires; `rowsBefore` is included in the count. */
export function* rowSteps(
  merge: TimeMerge,
  out: Pieces,
  write: (row: RowCursor) => void,
  rowsBefore = 0,
): Generator<number, number, undefined> {
  let rows = rowsBefore
  for (let row = merge.top; row !== null; merge.next(), row = merge.top) {
    write(row)
    if (++rows % STEP_ROWS === 0 || out.hasPiece) yield rows
  }
  return rows
}

/** Does the same with one text per row, and a text before and after all rows. */
export function* textSteps(
  parts: readonly Part[],
  out: Pieces,
  text: { readonly head: string; readonly row: (row: RowCursor) => string; readonly tail: string },
): ExportSteps {
  out.text(text.head)
  const rows = yield* rowSteps(inOrderOfTime(parts), out, (row) => out.text(text.row(row)))
  out.text(text.tail)
  yield rows
}

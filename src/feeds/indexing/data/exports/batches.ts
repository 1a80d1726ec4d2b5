import { START } from '../../../../base/columns/event-chunk.ts'
import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { Part } from '../responses/parts.ts'
import { matches } from '../responses/parts.ts'
import type { IndexTable } from '../index-table.ts'

/** A batch at its position in a table. */
export interface ExportedBatch {
  readonly index: IndexTable
  readonly part: Part
  readonly row: number
  readonly read: (column: number) => number
}

/** Groups parts by index; parts keep their order. */
export function byIndex(parts: readonly Part[]): Part[][] {
  const groups = new Map<IndexTable, Part[]>()
  for (const part of parts) groups.set(part.index, [...(groups.get(part.index) ?? []), part])
  return [...groups.values()]
}

/**
 * Yields the batches of one index that match the filter, in order of start. Merges the few tables of the index on the
 * fly.
 */
export function* batchesOf(parts: readonly Part[]): Generator<ExportedBatch> {
  const cursors = parts.map((part) => ({ part, row: skip(part, part.from) }))
  for (;;) {
    let first: (typeof cursors)[number] | null = null
    for (const cursor of cursors)
      if (
        cursor.row < cursor.part.to &&
        (first === null || cursor.part.events.read(START, cursor.row) < first.part.events.read(START, first.row))
      )
        first = cursor
    if (first === null) return
    const { part, row } = first
    yield { index: part.index, part, row, read: (column) => part.events.read(column, row) }
    first.row = skip(part, row + 1)
  }
}

/** First row at or after `row` that matches the filter; `to` if there is none. */
function skip({ events, predicate, to }: Part, row: number): number {
  if (predicate === null) return row
  for (let at = row; at < to; at++) {
    const chunk = events.chunkOf(at)
    const held = events.chunks[chunk]
    if (held !== undefined && matches(held, at - events.firstRowOf(chunk), predicate)) return at
  }
  return to
}

/** Writes all batches, index by index. A batch has up to about 10 KB, so each one is a step. */
export function* batchSteps(
  parts: readonly Part[],
  out: Pieces,
  write: {
    readonly head: string
    readonly beginIndex?: (index: IndexTable, isFirst: boolean) => string
    readonly batch: (batch: ExportedBatch, isFirst: boolean) => string
    readonly endIndex?: string
    readonly tail: string
  },
): ExportSteps {
  out.text(write.head)
  let rows = 0
  let isFirstIndex = true
  for (const own of byIndex(parts)) {
    const [first] = own
    if (first === undefined) continue
    out.text(write.beginIndex?.(first.index, isFirstIndex) ?? '')
    isFirstIndex = false
    let isFirst = true
    for (const batch of batchesOf(own)) {
      out.text(write.batch(batch, isFirst))
      isFirst = false
      rows++
      yield rows
    }
    out.text(write.endIndex ?? '')
  }
  out.text(write.tail)
  yield rows
}

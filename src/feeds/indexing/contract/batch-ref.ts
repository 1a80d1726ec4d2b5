import type { Ticks } from '../../../base/ticks.ts'
import type { BatchRef } from './batches.ts'

/**
 * Formats a reference as `batch:<start>~<id>~<index>`, the start in ticks. The index comes last because it may contain
 * any character. Stable, because links contain it.
 */
export const formatBatchRef = (ref: BatchRef): string => `batch:${ref.startTicks}~${ref.id}~${ref.index}`

/** Parses a reference. Null: the text is not a batch reference, but for example the selection of another panel. */
export function parseBatchRef(text: string | null): BatchRef | null {
  const match = /^batch:(-?\d+)~(-?\d+)~(.+)$/s.exec(text ?? '')
  if (match === null) return null
  const [, start, id, index = ''] = match
  return { index, startTicks: Number(start) as Ticks, id: Number(id) }
}

export const sameBatch = (a: BatchRef | null, b: BatchRef | null): boolean =>
  a === b || (a !== null && b !== null && a.id === b.id && a.startTicks === b.startTicks && a.index === b.index)

/** Splits an index key into source and name. */
export function splitIndexKey(key: string): { readonly source: string; readonly name: string } {
  const at = key.indexOf('|')
  return at < 0 ? { source: '', name: key } : { source: key.slice(0, at), name: key.slice(at + 1) }
}

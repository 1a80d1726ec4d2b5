import type { Ticks } from '../../../base/ticks.ts'
import type { BatchRef } from './batches.ts'

/** `batch:<start>~<id>~<index>` in ticks; the index comes last because it may hold anything. Stable: links carry it. */
export const formatBatchRef = (ref: BatchRef): string => `batch:${ref.startTicks}~${ref.id}~${ref.index}`

/** Null for what is not one, such as the selection of another panel. */
export function parseBatchRef(text: string | null): BatchRef | null {
  const match = /^batch:(-?\d+)~(-?\d+)~(.+)$/s.exec(text ?? '')
  if (match === null) return null
  const [, start, id, index = ''] = match
  return { index, startTicks: Number(start) as Ticks, id: Number(id) }
}

export const sameBatch = (a: BatchRef | null, b: BatchRef | null): boolean =>
  a === b || (a !== null && b !== null && a.id === b.id && a.startTicks === b.startTicks && a.index === b.index)

/** Source and name of an index key. */
export function splitIndexKey(key: string): { readonly source: string; readonly name: string } {
  const at = key.indexOf('|')
  return at < 0 ? { source: '', name: key } : { source: key.slice(0, at), name: key.slice(at + 1) }
}

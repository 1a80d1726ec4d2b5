import type { TickSpan, Ticks } from '../../../../base/ticks.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import type { IndexFactsStore } from '../facts.ts'
import { FURTHER_INDEXES, REPLACEMENT } from '../../contract/limits.ts'
import type { BatchRef } from '../../contract/batches.ts'
import type { IndexInfo, IndexingIndexesResponse } from '../../contract/indexes.ts'
import type { IndexTable, OpenBatch } from '../index-table.ts'
import type { BatchStore } from '../table.ts'
import { CLASSES, indexKey } from '../index-table.ts'
import { openState } from './parts.ts'

/** All indexes of the sources, with their totals and facts. O(indexes). */
export function indexesResponse(
  store: BatchStore,
  book: IndexFactsStore,
  sources: readonly SourceId[],
): Omit<IndexingIndexesResponse, 'reportsMemory' | 'awaited' | 'knownTicks'> {
  const keys = new Set([...store.indexes.keys(), ...book.keys()])
  const indexes: IndexInfo[] = []
  for (const key of keys) {
    const known = book.get(key)
    const table = store.indexes.get(key)
    const source = table?.source ?? known?.source
    const name = table?.name ?? known?.name
    if (source !== undefined && name !== undefined && sources.includes(source))
      indexes.push(infoOf(store, book, key, source, name, table))
  }
  return {
    indexes: indexes.toSorted((a, b) => a.source.localeCompare(b.source) || a.name.localeCompare(b.name)),
    further: Math.max(book.further, furtherOf(store, sources)),
  }
}

const furtherOf = (store: BatchStore, sources: readonly SourceId[]): number =>
  sources.reduce(
    (sum, source) => sum + (store.indexes.get(indexKey(source, FURTHER_INDEXES))?.further?.names.size ?? 0),
    0,
  )

function infoOf(
  store: BatchStore,
  book: IndexFactsStore,
  key: string,
  source: SourceId,
  name: string,
  table: IndexTable | undefined,
): IndexInfo {
  const known = book.get(key)
  const length = (kind: (typeof CLASSES)[number]): number => table?.tables[kind].length ?? 0
  const open = [...(table?.open.values() ?? [])]
  const running = open.filter(({ isLost }) => !isLost).toSorted((a, b) => b.startTicks - a.startTicks)[0]
  const state = running === undefined ? null : openState(store, running)
  return {
    key,
    source,
    name,
    replaces: name.startsWith(REPLACEMENT) ? indexKey(source, name.slice(REPLACEMENT.length)) : null,
    trouble: known?.trouble ?? null,
    note: known?.note ?? '',
    counts: {
      batches: length('worked') + length('empty') + length('failed'),
      empty: length('empty'),
      failed: length('failed'),
      training: length('training'),
    },
    running: running === undefined ? null : refOf(key, running),
    runningState: state === 'running' || state === 'waiting' ? state : null,
    firstTicks: (table?.firstTicks ?? Number.NaN) as Ticks,
    endTicks: (table?.endTicks ?? Number.NaN) as Ticks,
    busyTicks: CLASSES.filter((kind) => kind !== 'training').reduce(
      (sum, kind) => sum + (table?.tables[kind].totals.busy ?? 0),
      0,
    ) as TickSpan,
    facts: known?.facts ?? null,
    behind: known?.behind ?? null,
    progress: known?.progress ?? null,
  }
}

const refOf = (index: string, { startTicks, id }: OpenBatch): BatchRef => ({
  index,
  startTicks: startTicks as Ticks,
  id,
})

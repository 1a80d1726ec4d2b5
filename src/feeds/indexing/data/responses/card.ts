import type { Bytes } from '../../../../base/brand.ts'
import { DURATION, SIZE } from '../../../../base/columns/event-chunk.ts'
import { type Ticks, TICKS_PER_SECOND, type TickSpan } from '../../../../base/ticks.ts'
import { DETAIL_FIELDS, detailId } from '../details.ts'
import type { BatchCard, MapMemory } from '../../contract/batch-card.ts'
import type { BatchRef } from '../../contract/batches.ts'
import type { OperationNode } from '../../contract/operations.ts'
import type { IndexTable } from '../index-table.ts'
import type { BatchStore } from '../table.ts'
import {
  BUDGET,
  BYTES_UNKNOWN,
  CHECKED,
  LEFT_OUT,
  MANAGED,
  PRIVATE,
  REASON,
  TOMBSTONES,
  TREE,
  UNMANAGED,
  WAIT,
  WORKING_SET,
} from '../index-table.ts'
import { newTreeView, type TreeView } from '../trees.ts'
import { batchJson } from './batch-json.ts'
import { batchRow, measuredOrNull } from './batch-row.ts'
import { readTree } from './icicle.ts'
import { largestNodes } from './largest.ts'
import { findBatch } from './parts.ts'
import { shapeOf } from './tree-layout.ts'

const BLOCK_BYTES = 4096

/**
 * Everything that is known of one batch; null: the capture does not contain it. O(batches of its index), for the rank.
 */
export function cardResponse(store: BatchStore, ref: BatchRef): BatchCard | null {
  const index = store.indexes.get(ref.index)
  const found = index === undefined ? null : findBatch(store, index, ref.startTicks, ref.id)
  if (index === undefined || found === null) return null
  const { kind, events, row } = found
  const read = (column: number): number => events.read(column, row)
  const base = batchRow(store, { index, kind, events }, row)
  const view = newTreeView()
  readTree(store, index.open, kind, read(TREE), `${ref.id}:${ref.startTicks}`, view)
  const figure = figuresOf(view)
  const bytes = (column: number): Bytes | null => measuredOrNull(read(column)) as Bytes | null
  const measured = (group: string, name: string): Bytes | null => {
    const value = figure(group, name)
    return value === null || value === 0 ? null : (value as Bytes)
  }
  const references: MapMemory = {
    allocatedBytes: measured('ReferenceDetails', 'CurrentlyAllocated'),
    budgetBytes: measured('ReferenceDetails', 'AllocationBudget'),
    processPrivateBytes: measured('ReferenceDetails', 'ProcessPrivateMemory'),
    processWorkingSetBytes: measured('ReferenceDetails', 'ProcessWorkingSet'),
  }
  const blocks = figure('CommitDetails', 'NumberOf4KbsWrittenToDisk')
  const isOpen = kind === 'open'
  const seconds = base.durationTicks / TICKS_PER_SECOND
  const size = read(BYTES_UNKNOWN) === 1 ? null : read(SIZE)
  return {
    ...base,
    endTicks: isOpen ? null : ((base.startTicks + base.durationTicks) as Ticks),
    tombstones: measuredOrNull(read(TOMBSTONES)),
    averageDocumentBytes: size === null || !(base.documentsIn > 0) ? null : size / base.documentsIn,
    bytesPerSecond: size === null || seconds === 0 ? null : size / seconds,
    managedBytes: bytes(MANAGED),
    unmanagedBytes: bytes(UNMANAGED),
    memory: {
      allocatedBytes: bytes(CHECKED),
      budgetBytes: bytes(BUDGET),
      processPrivateBytes: bytes(PRIVATE),
      processWorkingSetBytes: bytes(WORKING_SET),
    },
    referencesMemory: Object.values(references).every((value) => value === null) ? null : references,
    commitPages: figure('CommitDetails', 'NumberOfModifiedPages'),
    commitBytes: blocks === null ? null : ((blocks * BLOCK_BYTES) as Bytes),
    merges: mergesOf(figure),
    waitTicks: read(WAIT) as TickSpan,
    ...operationsOf(store, view),
    operationsLeftOut: read(LEFT_OUT),
    ...rankOf(index, base.durationTicks),
    json: JSON.stringify(batchJson(store, read, view, isOpen, store.reasons.get(read(REASON)).text), null, 2),
  }
}

/** Returns the first figure with that name over all operations; null: no operation has it. */
function figuresOf({ details }: TreeView): (group: string, name: string) => number | null {
  return (group, name) => {
    const field = detailId(group, name)
    for (let i = 0; i < details.length; i += 3) if (details[i + 1] === field) return details[i + 2] as number
    return null
  }
}

function mergesOf(figure: (group: string, name: string) => number | null): BatchCard['merges'] {
  const total = figure('LuceneMergeDetails', 'TotalMergesCount')
  if (total === null) return null
  return {
    total,
    executed: figure('LuceneMergeDetails', 'ExecutedMergesCount') ?? Number.NaN,
    files: figure('LuceneMergeDetails', 'MergedFilesCount') ?? Number.NaN,
    documents: figure('LuceneMergeDetails', 'MergedDocumentsCount') ?? Number.NaN,
  }
}

function operationsOf(store: BatchStore, view: TreeView): Pick<BatchCard, 'operations' | 'unlisted'> {
  const { names } = store
  const { parent, childTicks } = shapeOf(names, view)
  const listed = largestNodes(view.ticks.subarray(0, view.length), parent)
  const details = detailsOf(view)
  const operations: OperationNode[] = []
  const unlisted = { count: 0, selfTicks: 0 }
  const places = new Int32Array(view.length)
  for (let node = 0; node < view.length; node++) {
    const path = view.paths[node] as number
    const nameId = names.pathName[path] as number
    const above = parent[node] as number
    const otherTicks = ((view.ticks[node] as number) - (childTicks[node] as number)) as TickSpan
    if (listed !== null && listed[node] === 0) {
      unlisted.count++
      unlisted.selfTicks += otherTicks
      continue
    }
    places[node] = operations.length
    operations.push({
      name: names.name(nameId),
      family: names.family(nameId),
      depth: names.pathDepth[path] as number,
      parent: above === -1 ? -1 : (places[above] as number),
      durationTicks: view.ticks[node] as TickSpan,
      otherTicks,
      details: details.get(node) ?? [],
    })
  }
  return { operations, unlisted }
}

/** Figures by node. */
function detailsOf(view: TreeView): Map<number, OperationNode['details'][number][]> {
  const details = new Map<number, OperationNode['details'][number][]>()
  for (let i = 0; i < view.details.length; i += 3) {
    const node = view.details[i] as number
    const field = DETAIL_FIELDS[view.details[i + 1] as number]
    const value = view.details[i + 2] as number
    if (field === undefined) continue
    const figure = { name: field.name, value: value === 0 && field.zeroIsUnmeasured ? null : value, unit: field.unit }
    const own = details.get(node)
    if (own === undefined) details.set(node, [figure])
    else own.push(figure)
  }
  return details
}

/** Rank by duration among the batches of the index that worked or failed, 1 = longest. Equal durations share a rank. */
function rankOf(index: IndexTable, durationTicks: number): { rank: number; rankOf: number } {
  let longer = 0
  let all = 0
  for (const events of [index.tables.worked, index.tables.failed]) {
    all += events.length
    events.forEachPart(0, events.length, (chunk, from, to) => {
      if (chunk.totals.slowestDuration <= durationTicks) return
      for (let row = from; row < to; row++) if (chunk.read(DURATION, row) > durationTicks) longer++
    })
  }
  return { rank: longer + 1, rankOf: all }
}

import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import { addSpan, formatTicks, msFromSpan, type Ticks, type TickSpan } from '../../../../base/ticks.ts'
import { DETAIL_FIELDS } from '../details.ts'
import type { BatchStore } from '../table.ts'
import {
  ALL_ALLOCATED,
  BYTES_UNKNOWN,
  DOCUMENTS_FAILED,
  DOCUMENTS_IN,
  DOCUMENTS_OK,
  DOCUMENTS_OUT,
  ID,
  MANAGED,
  TOMBSTONES,
  UNMANAGED,
} from '../index-table.ts'
import type { TreeView } from '../trees.ts'
import { shapeOf } from './tree-layout.ts'

type Json = Record<string, unknown>

/** JSON of a batch in the shape of the server's document, without values that were null or not reported. */
export function batchJson(
  store: BatchStore,
  read: (column: number) => number,
  view: TreeView,
  isOpen: boolean,
  reason: string | null,
): Json {
  const count = (column: number): number | undefined => (read(column) === -1 ? undefined : read(column))
  const size = (column: number): Json | undefined => (read(column) === -1 ? undefined : { SizeInBytes: read(column) })
  const start = read(START) as Ticks
  const duration = read(DURATION) as TickSpan
  return {
    Id: read(ID),
    Started: formatTicks(start),
    Completed: isOpen ? null : formatTicks(addSpan(start, duration)),
    DurationInMs: msFromSpan(duration),
    InputCount: count(DOCUMENTS_IN),
    SuccessCount: count(DOCUMENTS_OK),
    FailedCount: count(DOCUMENTS_FAILED),
    OutputCount: count(DOCUMENTS_OUT),
    TombstoneDeleteSuccesses: count(TOMBSTONES),
    DocumentsSize: read(BYTES_UNKNOWN) === 1 ? undefined : { SizeInBytes: read(SIZE) },
    AllocatedBytes: size(ALL_ALLOCATED),
    AllocatedManagedBytes: size(MANAGED),
    AllocatedUnmanagedBytes: size(UNMANAGED),
    Details: treeJson(store, view, reason),
  }
}

function treeJson(store: BatchStore, view: TreeView, reason: string | null): Json | undefined {
  const { names } = store
  const { parent } = shapeOf(names, view)
  const nodes: (Json & { Operations: Json[] })[] = []
  for (let node = 0; node < view.length; node++) {
    const name = names.name(names.pathName[view.paths[node] as number] as number)
    const made = { Name: name, DurationInMs: msFromSpan(view.ticks[node] as TickSpan), Operations: [] }
    nodes.push(made)
    nodes[parent[node] as number]?.Operations.push(made)
  }
  for (let i = 0; i < view.details.length; i += 3) {
    const field = DETAIL_FIELDS[view.details[i + 1] as number]
    const node = nodes[view.details[i] as number]
    if (field === undefined || node === undefined) continue
    groupOf(node, field.group)[field.name] = view.details[i + 2]
  }
  const reported = nodes.find((node) => 'MapDetails' in node) ?? nodes.find((node) => 'ReferenceDetails' in node)
  if (reported !== undefined && reason !== null)
    groupOf(reported, 'MapDetails' in reported ? 'MapDetails' : 'ReferenceDetails')['BatchCompleteReason'] = reason
  return nodes[0]
}

/** Object of a group in an operation; created if missing. `TreesReduceDetails` lies inside `ReduceDetails`. */
function groupOf(node: Json, group: string): Json {
  const holder = group === 'TreesReduceDetails' ? groupOf(node, 'ReduceDetails') : node
  return (holder[group] ??= {}) as Json
}

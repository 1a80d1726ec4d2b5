import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import { formatTicks, type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import { parseSourceId, sourceLabel } from '../../../../capture/client/state.ts'
import { readTree } from '../responses/icicle.ts'
import type { Part } from '../responses/parts.ts'
import { shapeOf } from '../responses/tree-layout.ts'
import type { IndexTable } from '../index-table.ts'
import type { BatchStore } from '../table.ts'
import { DOCUMENTS_FAILED, DOCUMENTS_IN, DOCUMENTS_OUT, ID, REASON, TREE } from '../index-table.ts'
import { newTreeView } from '../trees.ts'
import { type ExportedBatch, batchSteps } from './batches.ts'

/**
 * First thread number. It differs from all process numbers, because a thread with the number of its process would be
 * shown as its main thread.
 */
const FIRST_THREAD = 1001

/**
 * Writes Chrome's trace event format, for Perfetto and `about:tracing`: a process for each source, a thread for each
 * index, and the operations of a batch inside it, end to end in their order (the server reports no starts), truncated
 * if they exceed the batch. `ts` is µs since `otherData.start_utc`, a whole second. Source: "Trace Event Format".
 */
export function chromeTrace(store: BatchStore, parts: readonly Part[], out: Pieces): ExportSteps {
  const first = Math.min(
    ...parts.filter(({ from, to }) => from < to).map(({ events, from }) => events.read(START, from)),
  )
  const zero = Number.isFinite(first) ? Math.floor(first / TICKS_PER_SECOND) * TICKS_PER_SECOND : Number.NaN
  const processes = new Map<string, number>()
  const view = newTreeView()
  let thread = FIRST_THREAD
  let process = 0
  let separator = ''
  const line = (event: object): string => {
    const text = `${separator}${JSON.stringify(event)}`
    separator = ',\n'
    return text
  }
  const begin = ({ source, name }: IndexTable): string => {
    let text = ''
    const known = processes.get(source)
    process = known ?? processes.size + 1
    if (known === undefined) {
      processes.set(source, process)
      const ref = parseSourceId(source)
      const args = { name: ref === null ? source : sourceLabel(ref) }
      text += line({ name: 'process_name', ph: 'M', pid: process, tid: 0, args })
    }
    thread++
    return text + line({ name: 'thread_name', ph: 'M', pid: process, tid: thread, args: { name } })
  }
  const span = (name: string, startTicks: number, ticks: number, args: object): string =>
    line({
      name,
      cat: 'indexing',
      ph: 'X',
      ts: (startTicks - zero) / 10,
      dur: ticks / 10,
      pid: process,
      tid: thread,
      args,
    })
  const batch = ({ index, part, read }: ExportedBatch): string => {
    const startTicks = read(START)
    const endTicks = startTicks + read(DURATION)
    let text = span(`Batch ${read(ID)}`, startTicks, read(DURATION), {
      documents_in: read(DOCUMENTS_IN),
      documents_out: read(DOCUMENTS_OUT),
      documents_failed: read(DOCUMENTS_FAILED),
      documents_bytes: read(SIZE),
      stop_reason: store.reasons.get(read(REASON)).text,
    })
    readTree(store, index.open, part.kind, read(TREE), `${read(ID)}:${startTicks}`, view)
    const { parent } = shapeOf(store.names, view)
    const cursor = new Float64Array(view.length)
    const ends = new Float64Array(view.length)
    for (let node = 0; node < view.length; node++) {
      const above = parent[node] as number
      const start = above === -1 ? startTicks : (cursor[above] as number)
      const end = Math.min(above === -1 ? endTicks : (ends[above] as number), start + (view.ticks[node] as number))
      cursor[node] = start
      ends[node] = end
      if (above === -1) continue
      cursor[above] = end
      const name = store.names.name(store.names.pathName[view.paths[node] as number] as number)
      text += span(name, start, end - start, { told_ms: (view.ticks[node] as number) / 10_000 })
    }
    return text
  }
  const startUtc = JSON.stringify(formatTicks(zero as Ticks))
  return batchSteps(parts, out, {
    head: `{"displayTimeUnit":"ms","otherData":{"start_utc":${startUtc}},"traceEvents":[`,
    beginIndex: begin,
    batch,
    tail: ']}',
  })
}

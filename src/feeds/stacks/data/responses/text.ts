import { visibleText } from '../../../../base/text/visible.ts'
import { CPU_TIME, NATIVE_FRAMES } from '../frame-text.ts'
import type { FrameId } from '../../contract/ids.ts'
import type { TreeView } from '../../contract/samples.ts'
import type { StackText, StackTextParams } from '../../contract/stack-text.ts'
import type { Snapshot, StackStore } from '../table.ts'
import { FLAG_CPU, FLAG_NATIVE } from '../table.ts'
import type { Pictures } from '../trees/picture.ts'
import { eachSample } from '../trees/samples.ts'
import { lineOf } from '../waits.ts'

const MAX_THREADS = 200

/** Text of a thread or node; null: it does not exist (any more). */
export function textResponse(store: StackStore, pictures: Pictures, params: StackTextParams): StackText | null {
  if ('view' in params) return ofNode(store, pictures, params.view, params.node)
  const snapshot = store.snapshots.get(params.snapshot)
  if (snapshot === undefined) return null
  const { rows } = snapshot
  const row = rows.identity.findIndex((identity) => store.identities[identity]?.id === params.threadId)
  return row === -1 ? null : ofRow(store, snapshot, row)
}

function ofRow(store: StackStore, snapshot: Snapshot, row: number): StackText {
  const { rows } = snapshot
  const identity = store.identities[rows.identity[row] as number]
  const name = identity?.name ?? ''
  const path = store.stacks.path(rows.node[row] as number)
  const line = lineOf({
    wait: rows.wait[row] as number,
    rule: rows.waitRule[row] as number,
    primitive: rows.primitive[row] as number,
    run: rows.run[row] as number,
  })
  return {
    text: lines([heading(store, snapshot, row), ...pseudoOf(rows.flags[row] as number), ...texts(store, path)]),
    frames: path.map((frame) => store.frames.name(frame)),
    line,
    threads: [{ snapshot: snapshot.info.id, id: identity?.id ?? -1, name }],
    threadCount: 1,
    objects: snapshot.extras.get(row)?.objects ?? [],
  }
}

/** `Thread 18993 "'bench' TxMT", Running, 3.58 % of all cores`. */
export function heading(store: StackStore, { rows }: Snapshot, row: number): string {
  const identity = store.identities[rows.identity[row] as number]
  const state = store.words[rows.state[row] as number] ?? null
  const cpu = rows.cpuPercent[row] as number
  const parts = [`Thread ${identity?.id ?? '?'} "${identity?.name ?? ''}"`]
  if (state !== null) parts.push(state)
  if (!Number.isNaN(cpu)) parts.push(`${cpu.toFixed(2)} % of all cores`)
  return parts.join(', ')
}

export const pseudoOf = (flags: number): string[] =>
  (flags & FLAG_CPU) !== 0 ? [CPU_TIME] : (flags & FLAG_NATIVE) !== 0 ? [NATIVE_FRAMES] : []

const texts = (store: StackStore, path: readonly FrameId[]): string[] => path.map((frame) => store.frames.text(frame))

/** Visible form, so that a name with a line break cannot look like another thread. */
const lines = (each: readonly string[]): string => each.map(visibleText).join('\n')

function ofNode(store: StackStore, pictures: Pictures, view: TreeView, node: number): StackText | null {
  const picture = pictures.of(view)
  const { ids } = picture
  if (!(node >= 0 && node < ids.length)) return null
  const path = ids.path(node)
  // Trees of callers and leaves have the reverse order.
  const leafFirst = view.direction === 'top-down' || view.direction === 'callees' ? path : path.toReversed()
  const threads: { snapshot: number; id: number; name: string }[] = []
  let threadCount = 0
  const at = picture.at(node)
  const holds = at === null ? () => false : picture.holds(at)
  eachSample(store, view.samples, ({ info, rows }, row) => {
    if (!holds(rows.node[row] as number)) return
    threadCount++
    const identity = store.identities[rows.identity[row] as number]
    if (threads.length < MAX_THREADS && identity !== undefined)
      threads.push({ snapshot: info.id, id: identity.id, name: identity.name })
  })
  return {
    text: lines(texts(store, leafFirst)),
    frames: leafFirst.map((frame) => store.frames.name(frame)),
    line: null,
    threads,
    threadCount,
    objects: [],
  }
}

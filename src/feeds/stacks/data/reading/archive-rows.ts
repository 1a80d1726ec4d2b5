import { JsonBytes } from '../../../../base/json/json-bytes.ts'
import { JsonWalk } from '../../../../base/json/json-walk.ts'
import type { TableRows } from '../../../../capture/archive/tables.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import type { StackStore } from '../table.ts'
import { stackReader } from './decode.ts'

const encoder = new TextEncoder()

/** Reads recorded stack snapshots, each once: a journal may be read again after it has grown. */
export function takeRows(
  store: StackStore,
  { columns, length }: TableRows,
  sourceOf: (own: SourceId) => SourceId,
): boolean {
  const source = sourceOf('server')
  const known = new Set(
    Array.from(store.snapshots.values(), ({ info }) => (info.source === source ? info.atTicks : null)),
  )
  for (let row = 0; row < length; row++) {
    const atTicks = Number(columns['at_ticks']?.[row])
    if (known.has(atTicks as never)) continue
    const reason = String(columns['title']?.[row] ?? '')
    const json = new JsonBytes()
    const { rule } = stackReader(store.frames, (document) =>
      store.add({ ...document, atTicks }, { source, origin: 'file', reason, cost: null, series: null }),
    )
    const walk = new JsonWalk(json, rule, () => undefined)
    json.feed(encoder.encode(String(columns['detail']?.[row] ?? '')))
    json.isLast = true
    walk.run()
  }
  return true
}

import { expect, it } from 'vitest'
import type { TableRows } from '../../../../capture/archive/tables.ts'
import { recordedJson } from '../../../../testing/recorded.ts'
import { snapshotBytes } from '../exports/snapshot-bytes.ts'
import { readStackDocuments } from '../live/wire.ts'
import { StackStore } from '../table.ts'
import { takeRows } from './archive-rows.ts'

const AT = 10_000_000
const TITLE = 'Journal write of 1.20 s in Documents of shop'

/** Response of a real server as a row of a recording. */
async function recordedRows(): Promise<{ readonly rows: TableRows; readonly threads: number }> {
  const store = new StackStore()
  const [read] = readStackDocuments(recordedJson('7.1', 'stack-trace-writing.json'), store.frames)
  const snapshot = store.add(read!, { source: 'server', origin: 'click', cost: null, series: null })
  const json = await new Blob(snapshotBytes(store, snapshot)).text()
  const columns = { at_ticks: [AT], title: [TITLE], detail: [json] }
  return { rows: { table: 'stacks', length: 1, columns }, threads: snapshot.rows.length }
}

it('reads recorded snapshots with their reason, and each once', async () => {
  const { rows, threads } = await recordedRows()
  const store = new StackStore()
  const sourceOf = (own: string): `file:${string}` => `file:nightly/a_8080/${own}`
  takeRows(store, rows, sourceOf)
  takeRows(store, rows, sourceOf)
  takeRows(store, rows, (own) => `file:nightly/b_8080/${own}`)
  expect(Array.from(store.snapshots.values(), ({ info }) => info)).toMatchObject([
    { source: 'file:nightly/a_8080/server', origin: 'file', reason: TITLE, atTicks: AT, threads },
    { source: 'file:nightly/b_8080/server', origin: 'file', reason: TITLE, atTicks: AT, threads },
  ])
  expect(threads).toBeGreaterThan(30)
})

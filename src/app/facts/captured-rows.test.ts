import { expect, test } from 'vitest'
import { parseTicks, TICKS_PER_SECOND, type Ticks } from '../../base/ticks.ts'
import { tableRowsOf } from '../../capture/archive/record-rows.ts'
import type { ArchiveRecord } from '../../capture/archive/records.ts'
import { placesOf } from '../../capture/archive/saved-capture.ts'
import type { TableRows } from '../../capture/archive/tables.ts'
import { addJournals } from '../../features/archive/view/ask/duck-reader.ts'
import { IndexingFeed } from '../../feeds/indexing/data/feed.ts'
import { IoFeed } from '../../feeds/io/data/feed.ts'
import { ServerFeed } from '../../feeds/server/data/feed.ts'
import { StacksFeed } from '../../feeds/stacks/data/feed.ts'
import { runExport } from '../../testing/exported.ts'
import { createArchives } from './archives.ts'
import { stallSourceOf } from './stall-source.ts'

const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (seconds: number): Ticks => (TWO + seconds * TICKS_PER_SECOND) as Ticks
const SECOND = TICKS_PER_SECOND

const EVENTS: ArchiveRecord = {
  t: 'io',
  source: 'db:shop',
  path: '/data/shop',
  type: 'Documents',
  kind: 'JournalWrite',
  file: '0.journal',
  c: [
    [at(0), at(4), at(20), at(70)],
    [SECOND, 2 * SECOND, SECOND, SECOND],
    [4096, 8192, 4096, 4096],
    [-1, -1, -1, -1],
    [-1, -1, -1, -1],
    [-1, -1, -1, -1],
  ],
}

test('events of a range reach SQL with those that reach into it, and other tables do not', async () => {
  const io = new IoFeed()
  const [indexing, server, stacks] = [
    new IndexingFeed(),
    new ServerFeed({ tabs: null }),
    new StacksFeed({ tabs: null }),
  ]
  const { exporters, servers } = createArchives({ io, indexing, server, stacks, ofStalls: stallSourceOf(io, server) })
  const source = 'file:nightly/b_8080/shop'
  await io.takeRows(tableRowsOf(EVENTS) as TableRows, () => source)
  const figure = tableRowsOf({ t: 'vital', key: 'cpu.process', ticks: [at(3)], values: [1] }) as TableRows
  servers.takeRows(figure, () => 'file:nightly/b_8080/server')

  const { bytes, planned } = await runExport(exporters, 'archive.rows', {
    places: placesOf([source, 'file:nightly/b_8080/server'], 'a:8080'),
    gaps: [],
    range: { startTicks: at(0), endTicks: at(60) },
    tables: ['io'],
    within: { startTicks: at(5), endTicks: at(60) },
  })
  const taken: { node: string; rows: TableRows }[] = []
  const add = (node: string, rows: TableRows): void => void taken.push({ node, rows })
  await addJournals(
    { add },
    { node: null, blob: new Blob([Uint8Array.from(bytes)]), tables: ['io', 'vitals'], most: 9 },
  )
  expect(taken.map(({ node, rows }) => [node, rows.table, Array.from(rows.columns['start_ticks'] ?? [])])).toEqual([
    ['b_8080', 'io', [at(4), at(20)]],
  ])
  expect(planned).toBe(2)
})

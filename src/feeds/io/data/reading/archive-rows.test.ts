import { describe, expect, test } from 'vitest'
import { parseTicks } from '../../../../base/ticks.ts'
import type { IoRecord } from '../../../../capture/archive/records.ts'
import { tableRowsOf } from '../../../../capture/archive/record-rows.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { IoStore } from '../table.ts'
import { takeRows } from './archive-rows.ts'

const START = parseTicks('2026-11-26T02:00:00.0000000Z')
const record: IoRecord = {
  t: 'io',
  source: 'db:shop',
  path: '/data/shop',
  type: 'Documents',
  file: '0.journal',
  kind: 'JournalWrite',
  c: [
    [START, START + 10],
    [100, 200],
    [4096, 0],
    [-1, -2],
    [-1, -1],
    [-1, -1],
  ],
}
const asFile = (own: SourceId): SourceId => `file:archive/a/${own}`

describe('rows of an archive', () => {
  test('become events of the source that stands for theirs, once however often they are read', () => {
    const store = new IoStore()
    const rows = tableRowsOf(record)
    expect(rows).not.toBeNull()
    if (rows === null) return
    for (let i = 0; i < 2; i++) expect(takeRows(store, rows, asFile)).toBe(true)
    const [lane] = store.lanes.values()
    expect(lane?.source).toBe('file:archive/a/db:shop')
    const { events } = lane?.tracks.get('JournalWrite') ?? {}
    expect(events?.totals).toMatchObject({ count: 2, bytes: 4096, busy: 300, slowestDuration: 200 })
  })

  test('of other tables are left to others', () => {
    const rows = tableRowsOf({ t: 'vital', key: 'cpu.process', ticks: [START], values: [5] })
    expect(rows).toMatchObject({ table: 'vitals', length: 1 })
    expect(rows !== null && takeRows(new IoStore(), rows, asFile)).toBe(false)
  })

  test('that are known from before are none of a journal', () => {
    expect(tableRowsOf({ ...record, seed: 1 })).toBeNull()
  })
})

import { describe, expect, test } from 'vitest'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { bytesOf } from '../../../testing/bytes-of.ts'
import { ioColumns } from './columns.ts'
import { LaneNames } from './responses/lane-names.ts'
import { readIo } from './reading/decode.ts'
import { IoStore } from './table.ts'

/** `busy` writes each second, `calm` each tenth; both in ten minutes, `calm` with a sync beside each write. */
const environment = (Path: string, everySeconds: number, isSynced: boolean) => ({
  Path,
  Type: 'Documents',
  Files: [
    {
      File: `${Path}.journal`,
      Status: 'InUse',
      Recent: Array.from({ length: 600 / everySeconds }, (_, i) =>
        ['JournalWrite', ...(isSynced ? ['DataSync'] : [])].map((Type) => ({
          Start: new Date(Date.UTC(2026, 10, 20) + 1000 * i * everySeconds).toISOString().replace('Z', '0000Z'),
          Size: 65_536,
          FileSize: 65_536,
          Duration: 2,
          Type,
        })),
      ).flat(),
      History: [],
    },
  ],
})

function columnsOf(most: number) {
  const store = new IoStore()
  const document = { Environments: [environment('/busy', 1, false), environment('/calm', 10, true)] }
  store.ingest('db:a', readIo(bytesOf(document)), true)
  const params = { sources: ['db:a'] as const, most, leastTicks: TICKS_PER_SECOND, timesMedian: 1 }
  const lanes = ioColumns(store, new LaneNames(() => []), params)
  return lanes.map(({ path, writes, syncs, isCut }) => ({
    path,
    writes: writes.startTicks.length,
    syncs: syncs.startTicks.length,
    first: writes.startTicks[0],
    isCut,
  }))
}

describe('columns of journal writes', () => {
  test('are all that there is where so many may be asked for', () => {
    expect(columnsOf(720)).toMatchObject([
      { path: '/busy', writes: 600, syncs: 0, isCut: false },
      { path: '/calm', writes: 60, syncs: 60, isCut: false },
    ])
  })

  test('of more are the newest of all lanes since the same moment, with the syncs beside them', () => {
    const [busy, calm] = columnsOf(120)
    // Twelve events in ten seconds.
    expect(busy).toMatchObject({ writes: 100, isCut: true })
    expect(calm).toMatchObject({ writes: 10, syncs: 10, isCut: true, first: busy?.first })
  })

  test('of many at the last moment are these, even if they are more', () => {
    expect(columnsOf(0)).toMatchObject([
      { writes: 1, isCut: true },
      { writes: 0, syncs: 0, isCut: true },
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { law } from '../../../../testing/law.ts'
import { bytesOf } from '../../../../testing/bytes-of.ts'
import {
  contentsOf,
  everything,
  exportIo,
  openIo,
  plainStore,
  storeOf,
  testCapture,
} from '../../../../testing/exported.ts'
import { RECORDED_LINES, recordedText } from '../../../../testing/recorded.ts'
import { NO_FILTER } from '../../contract/rows.ts'
import { IoStore } from '../table.ts'
import { readIo } from '../reading/decode.ts'

describe('endpoint JSON', () => {
  law('opens again equal: rows, counts, sums, roll-ups, files', [testCapture], { numRuns: 150 }, async (capture) => {
    const store = storeOf(capture, 'db:shop')
    const { text, bytes, planned, rows } = await exportIo(store, 'io.json', everything('db:shop'))
    expect(() => JSON.parse(text) as unknown).not.toThrow()
    expect(rows).toBe(capture.events.length)
    expect(planned).toBe(rows)
    const again = openIo(bytes, 'db:shop')
    expect(contentsOf(again)).toEqual(contentsOf(store))
  })

  law('is what a naive reader of the server’s form reads as well', [testCapture], { numRuns: 30 }, async (capture) => {
    const store = storeOf(capture, 'db:shop')
    const { text } = await exportIo(store, 'io.json', everything('db:shop'))
    const again = new IoStore()
    again.ingest('db:shop', readIo(bytesOf(JSON.parse(text))), true)
    expect(contentsOf(again)).toEqual(contentsOf(store))
  })

  test.each(RECORDED_LINES)('a recorded response of %s goes out and comes back equal', async (line) => {
    const store = new IoStore()
    store.ingest('server', readIo(new TextEncoder().encode(recordedText(line, 'admin-io-metrics.json'))), true)
    const { bytes, text } = await exportIo(store, 'io.json', everything('server'))
    expect(contentsOf(openIo(bytes, 'server'))).toEqual(contentsOf(store))
    expect(JSON.parse(text)).toMatchObject({ Performances: [] })
  })

  test('the same path in two sources is two environments, and no event of either is lost', async () => {
    const store = plainStore(300, 'file:a.zip/node-A')
    const other = plainStore(200, 'file:a.zip/node-B', 777)
    for (const [id, lane] of other.lanes) store.lanes.set(id, lane)
    const { bytes } = await exportIo(store, 'io.json', everything('file:a.zip/node-A', 'file:a.zip/node-B'))
    const again = openIo(bytes, 'file:x')
    expect(Array.from(again.lanes.values(), ({ path }) => path)).toEqual([
      '/data/Databases/shop',
      '/data/Databases/shop (a.zip/node-B)',
    ])
    const counts = Array.from(again.lanes.values(), (lane) =>
      Array.from(lane.tracks.values(), ({ events }) => events.length).reduce((a, b) => a + b, 0),
    )
    expect(counts).toEqual([300, 200])
  })

  test('with a range and a filter only what they leave, and only files that have some of it', async () => {
    const store = plainStore(9000, 'db:shop')
    const lane = [...store.lanes.values()][0]!
    const rows = ['JournalWrite', 'DataFlush'].map((kind) => ({ lane: lane.id, kind, file: null }))
    const { events } = lane.tracks.get('JournalWrite')!
    const range = { startTicks: events.read(0, 100), endTicks: events.read(0, 200) } as never
    const filter = { ...NO_FILTER, minTicks: 2000 as never }
    const wanted = Array.from({ length: 100 }, (_, i) => events.read(1, 100 + i)).filter((ticks) => ticks >= 2000)
    const { bytes, planned } = await exportIo(store, 'io.json', {
      sources: [],
      rows: rows.slice(0, 1),
      range,
      filter,
      gaps: [],
    })
    const again = openIo(bytes, 'x')
    const [only] = again.lanes.values()
    expect(planned).toBe(wanted.length)
    expect(only?.files.map(({ name }) => name)).toEqual(['0.journal'])
    expect(only?.tracks.get('JournalWrite')?.events.length).toBe(wanted.length)
    expect(wanted.length).toBeGreaterThan(10)
  })
})

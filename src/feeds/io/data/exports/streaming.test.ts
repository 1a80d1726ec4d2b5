import { describe, expect, test } from 'vitest'
import { Exports } from '../../../../capture/exporting/exports.ts'
import { PIECE_BYTES } from '../../../../capture/exporting/pieces.ts'
import { beginExport } from '../../../../capture/exporting/read-export.ts'
import { everything, exportIo, plainStore } from '../../../../testing/exported.ts'
import { isGate } from '../../../../testing/gate.ts'
import type { CaptureClient } from '../../../../capture/client/client.ts'
import type { Handlers } from '../../../../capture/worker/handlers.ts'
import { LaneNames } from '../responses/lane-names.ts'
import type { IoStore } from '../table.ts'
import { ioExporters } from './exporters.ts'
import { IO_FORMATS } from '../../contract/formats.ts'

/** A capture client whose worker is in the same thread, and which counts the pieces that are not released. */
function worker(store: IoStore) {
  const exports = new Exports(() => ioExporters(store, new LaneNames()))
  const seen = { made: 0, written: 0, mostAlive: 0 }
  const handlers: Partial<Handlers> = exports.responses
  const request: CaptureClient['request'] = async (name, params) => {
    const response = await handlers[name]!(params, null as never, null as never)
    if (name === 'host.export.next') seen.mostAlive = Math.max(seen.mostAlive, ++seen.made - seen.written)
    return response
  }
  return { capture: { request }, seen }
}

/** Several row groups, and far more than two pieces in every format. */
const ROWS = 250_000
const LEAST_PIECES = 6

describe('streaming', () => {
  const store = plainStore(ROWS, 'db:shop')

  // In the gate a text and a binary format: what each contains has tests of its own.
  test.each(IO_FORMATS.map(({ id }) => id).filter((id) => !isGate || id === 'io.json' || id === 'io.parquet'))(
    'many rows as %s: never more than two pieces, none too large',
    async (id) => {
      const { capture, seen } = worker(store)
      const { rows, pieces } = await beginExport(capture, id, everything('db:shop'), new AbortController().signal)
      let bytes = 0
      let largest = 0
      let lastRows = 0
      for await (const piece of pieces) {
        // A slow disk: what is made ahead meanwhile must wait.
        if (seen.made % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
        largest = Math.max(largest, piece.bytes.length)
        bytes += piece.bytes.length
        lastRows = piece.rows
        seen.written++
      }
      expect(rows).toBe(ROWS)
      expect(lastRows).toBe(ROWS)
      expect(seen.made).toBeGreaterThan(LEAST_PIECES)
      expect(seen.mostAlive).toBeLessThanOrEqual(2)
      expect(largest).toBeLessThanOrEqual(PIECE_BYTES)
      expect(bytes).toBeGreaterThan(ROWS * 5)
      const { rowBytes } = IO_FORMATS.find((format) => format.id === id)!
      expect(bytes / ROWS).toBeGreaterThan(rowBytes / 3)
      expect(bytes / ROWS).toBeLessThan(rowBytes * 3)
    },
  )

  test('rows that arrive meanwhile are not in it: it is of the moment it began', async () => {
    for (const id of isGate ? (['io.csv'] as const) : (['io.csv', 'io.json', 'io.parquet'] as const)) {
      const live = plainStore(30_000, 'db:shop')
      const { capture } = worker(live)
      const { rows, pieces } = await beginExport(capture, id, everything('db:shop'), new AbortController().signal)
      let last = 0
      for await (const piece of pieces) {
        if (last === 0) {
          const late = plainStore(31_000, 'db:shop', 999)
          const more = [...late.lanes.values()][0]!
          for (const { kind, events } of more.tracks.values()) {
            const columns = Array.from({ length: 7 }, (_, column) =>
              Float64Array.from({ length: events.length }, (__, row) => events.read(column, row)),
            )
            live.lanes.get(more.id)?.track(kind).events.merge({ columns, length: events.length })
          }
        }
        last = piece.rows
      }
      expect([rows, last]).toEqual([30_000, 30_000])
    }
    expect((await exportIo(plainStore(10, 'a'), 'io.csv', everything('b'))).rows).toBe(0)
  })

  test('an export that is given up is forgotten by the worker', async () => {
    const exports = new Exports(() => ioExporters(store, new LaneNames()))
    await exports.begin({ id: 7, exporter: 'io.csv', params: everything('db:shop') })
    await exports.next(7)
    exports.cancel(7)
    await expect(exports.next(7)).rejects.toThrow('over')
    exports.cancel(8)
    await exports.begin({ id: 8, exporter: 'io.csv', params: everything('db:shop') })
    await expect(exports.next(8)).rejects.toThrow('over')
    await expect(exports.begin({ id: 9, exporter: 'io.xml' as 'io.csv', params: everything('a') })).rejects.toThrow(
      'Nothing exports io.xml.',
    )
  })
})

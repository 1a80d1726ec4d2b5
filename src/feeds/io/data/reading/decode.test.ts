import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../../../../testing/bytes-of.ts'
import { JsonBytes } from '../../../../base/json/json-bytes.ts'
import { JsonWalk } from '../../../../base/json/json-walk.ts'
import { walkInPieces } from '../../../../testing/walk-in-pieces.ts'
import { RECORDED_LINES, recordedText } from '../../../../testing/recorded.ts'
import { kindTotals } from '../responses/kind-totals.ts'
import { ioReader, readIo } from './decode.ts'
import { IoStore } from '../table.ts'

const encoder = new TextEncoder()

/** Reads bytes in pieces of the given sizes (repeated) into a store; returns it with the number of problems. */
function decode(bytes: Uint8Array, sizes: readonly number[]) {
  const store = new IoStore()
  const problems: string[] = []
  const json = new JsonBytes()
  const problem = (at: number, expected: string) => problems.push(`${at}: ${expected}`)
  const walk = new JsonWalk(json, ioReader((document) => store.ingest('f', document, true), problem).rule, problem)
  walkInPieces(json, walk, bytes, sizes)
  return { store, problems, walk }
}

const parse = (text: string) => {
  const store = new IoStore()
  for (const line of text.trim().split('\n')) store.ingest('f', readIo(bytesOf(JSON.parse(line))), true)
  return store
}

const contents = (store: IoStore) =>
  Array.from(store.lanes.values(), (lane) => ({
    path: lane.path,
    type: lane.type,
    files: lane.files.map(({ name, status, sizeBytes }) => ({ name, status, sizeBytes })),
    tracks: Array.from(lane.tracks.values(), (track) => ({
      totals: kindTotals(track),
      rows: Array.from({ length: track.events.length }, (_, row) =>
        [0, 1, 2, 3, 4, 5, 6].map((column) => track.events.read(column, row)),
      ),
      rollUps: track.rollUps.rows,
    })).toSorted((a, b) => a.totals.kind.localeCompare(b.totals.kind)),
  }))

describe.each(RECORDED_LINES)('bytes of %s', (line) => {
  test.each(['io-metrics.json', 'admin-io-metrics.json', 'io-metrics-live.ndjson'])(
    '%s reads as its parsed text does',
    (name) => {
      const text = recordedText(line, name)
      const { store, problems } = decode(encoder.encode(text), [64 * 1024])
      expect(problems).toEqual([])
      expect(contents(store)).toEqual(contents(parse(text)))
    },
  )

  test('a list of documents reads as the documents do', () => {
    const lines = recordedText(line, 'io-metrics-live.ndjson').trim().split('\n').slice(0, 3)
    const { store, problems } = decode(encoder.encode(`[${lines.join(',')}]`), [64 * 1024])
    expect(problems).toEqual([])
    expect(contents(store)).toEqual(contents(parse(lines.join('\n'))))
  })

  test('in pieces of any size, one byte at a time included', () => {
    const text = recordedText(line, 'io-metrics-live.ndjson').split('\n').slice(1, 3).join('\n')
    const wanted = contents(parse(text))
    const bytes = encoder.encode(text)
    expect(contents(decode(bytes, [1]).store)).toEqual(wanted)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 8 }), (sizes) => {
        expect(contents(decode(bytes, sizes).store)).toEqual(wanted)
      }),
      { numRuns: 20 },
    )
  })
})

describe('forms', () => {
  const event = {
    Start: '2026-11-20T04:01:30.6364827Z',
    Size: 4096,
    FileSize: 8192,
    Duration: 0.46,
    Type: 'JournalWrite',
  }
  const recent = (count: number) => Array.from({ length: count }, (_, i) => ({ ...event, Duration: i / 100 }))

  test('names may come after what they name', () => {
    const text = JSON.stringify({
      Environments: [
        { Files: [{ Recent: recent(3), History: [], Status: 'InUse', File: 'a' }], Type: 'Index', Path: '/p' },
      ],
    })
    const { store, problems } = decode(encoder.encode(text), [50])
    expect(problems).toEqual([])
    expect(contents(store)).toEqual(contents(parse(text)))
  })

  test('a list longer than what is handed on at once keeps every row, equal ones too', () => {
    const text = JSON.stringify({
      Environments: [
        {
          Path: '/p',
          Type: 'Index',
          Files: [
            {
              File: 'a',
              Status: 'InUse',
              Recent: [...recent(9000), ...Array.from({ length: 50 }, () => event)],
              History: [],
            },
          ],
        },
      ],
    })
    expect(contents(decode(encoder.encode(text), [1 << 20]).store)).toEqual(contents(parse(text)))
  })

  test('what makes no sense is left out and counted', () => {
    const rows = [
      event,
      { ...event, Duration: -1 },
      7,
      { ...event, Type: null },
      { ...event, Start: 'soon' },
      {},
      event,
    ]
    const text = JSON.stringify({
      '@metadata': { a: [1, { b: 'x' }] },
      Environments: [{ Path: '/p', Type: 'Index', Files: [{ File: 'a', Recent: rows, History: [event] }, 'file'] }],
    })
    const { store, problems } = decode(encoder.encode(text), [17])
    expect(contents(store)).toEqual(contents(parse(text)))
    expect(problems).toHaveLength(7)
  })

  test('a cut document gives what came before the cut', () => {
    const bytes = encoder.encode(recordedText('7.1', 'io-metrics.json'))
    const { walk, store } = (() => {
      const half = bytes.slice(0, Math.floor(bytes.length / 2))
      try {
        return decode(half, [4096])
      } catch {
        return { walk: { isOpen: true }, store: null }
      }
    })()
    expect(walk.isOpen).toBe(true)
    expect(store).toBeNull()
  })
})

test('law: of keys of an event that come again the last counts, as for JSON.parse', () => {
  const member = fc.oneof(
    fc.nat({ max: 59 }).map((second) => `"Start":"2026-11-20T04:01:${String(second).padStart(2, '0')}.0000000Z"`),
    fc.nat({ max: 1e6 }).map((size) => `"Size":${size}`),
    fc.nat({ max: 1e6 }).map((size) => `"FileSize":${size}`),
    fc.nat({ max: 100 }).map((duration) => `"Duration":${duration}`),
    fc.constantFrom('JournalWrite', 'DataSync').map((kind) => `"Type":"${kind}"`),
  )
  const whole = '"Start":"2026-11-20T04:01:00.0000000Z","Size":1,"Duration":1,"Type":"DataFlush"'
  const shape = fc.array(member, { maxLength: 6 })
  fc.assert(
    fc.property(shape, fc.integer({ min: 1, max: 5 }), (members, times) => {
      // The same shape again is read in a run.
      const events = Array.from({ length: times }, () => `{${[whole, ...members].join(',')}}`).join(',')
      const text = `{"Environments":[{"Path":"/a","Type":"Index","Files":[{"File":"f","Recent":[${events}]}]}]}`
      const { store, problems } = decode(encoder.encode(text), [64 * 1024])
      expect(problems).toEqual([])
      expect(contents(store)).toEqual(contents(parse(text)))
    }),
  )
})

test('environments that come again are left out, and that is reported', () => {
  const event = '{"Start":"2026-11-20T04:01:00.0000000Z","Size":1,"Duration":1,"Type":"DataFlush"}'
  const list = (path: string): string =>
    `"Environments":[{"Path":"${path}","Type":"Index","Files":[{"File":"f","Recent":[${event}]}]}]`
  const { store, problems } = decode(encoder.encode(`{${list('/a')},${list('/b')},${list('/c')}}`), [64 * 1024])
  expect(contents(store).map(({ path }) => path)).toEqual(['/a'])
  expect(problems).toHaveLength(2)
})

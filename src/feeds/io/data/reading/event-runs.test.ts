import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../../../testing/law.ts'
import { JsonBytes } from '../../../../base/json/json-bytes.ts'
import { JsonWalk } from '../../../../base/json/json-walk.ts'
import { walkInPieces } from '../../../../testing/walk-in-pieces.ts'
import { ioReader, readIo } from './decode.ts'
import { EventColumns } from './event-columns.ts'
import { EventRuns } from './event-runs.ts'
import type { IoDocument } from './wire.ts'

const encoder = new TextEncoder()

/** Number texts of JSON, those that a server writes more often than others. */
const numbers = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 40_000_000 }).map(String) },
  { weight: 8, arbitrary: fc.nat({ max: 99_999 }).map((hundredths) => String(hundredths / 100)) },
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e6 }).map((value) => JSON.stringify(value)),
  fc.constantFrom('0', '-1', '1e3', '12.50', '9007199254740993', '123456789012.3456', '0.1234567890123456', '1E-7'),
)
const times = fc
  .tuple(fc.nat({ max: 3 }), fc.nat({ max: 59 }), fc.nat({ max: 9_999_999 }))
  .map(([m, s, f]) => `2026-11-20T04:0${m}:${String(s).padStart(2, '0')}.${String(f).padStart(7, '0')}Z`)
const texts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('4 KBytes', '32 MBytes', '') },
  fc.constantFrom('a "b" \\ {c}: [d], é', '2026-11-20T04:01:30Z', '}', ',', ':', '\\'),
)
/** A value's text, now and then of another type than the field has. */
const value = (usual: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: usual },
    fc.constantFrom('null', 'true', '[1,{"Size":2}]', '{"Start":3}', '"x"', '7'),
  )

const quoted = (arbitrary: fc.Arbitrary<string>) => arbitrary.map((text) => JSON.stringify(text))
const field = (name: string, usual: fc.Arbitrary<string>, isRare = false) =>
  fc.option(value(usual), { freq: isRare ? 1 : 12 }).map((text) => (text === null ? null : `"${name}":${text}`))

const event = fc
  .tuple(
    field('Start', quoted(fc.oneof({ weight: 12, arbitrary: times }, fc.constantFrom('soon', '2026-11-20T04:00:01')))),
    field('Size', numbers),
    field('HumaneSize', quoted(texts)),
    field('OriginalSize', numbers, true),
    field('FileSize', numbers),
    field('CompressedSize', numbers, true),
    field('Acceleration', numbers, true),
    field('CompressionRatio', numbers, true),
    field('Duration', numbers),
    field('Type', quoted(fc.constantFrom('JournalWrite', 'JournalWrite', 'Compression', 'Neu', ''))),
  )
  .map((fields) => fields.filter((each) => each !== null))
const swapped = fc
  .tuple(event, fc.nat({ max: 9 }), fc.boolean())
  .map(([fields, at, swap]) => (swap ? fields.slice(at).concat(fields.slice(0, at)) : fields))
/** Objects as they stand in the text: some shapes come again and again, as they do on the wire. */
const lists = fc
  .tuple(fc.array(swapped, { minLength: 1, maxLength: 8 }), fc.array(fc.nat({ max: 7 }), { maxLength: 60 }))
  .map(([shapes, order]) => order.map((at) => `{${(shapes[at % shapes.length] ?? []).join(',')}}`))

const documentOf = (objects: readonly string[]): string =>
  `{"Environments":[{"Path":"/p","Type":"Index","Files":[{"File":"a","Status":"InUse","Recent":[${objects.join(',')}],"History":[]}]}]}`

/** Adds what was handed on to rows by kind. */
const collectInto =
  (rows: Map<string, number[][]>) =>
  ({ environments }: IoDocument): void => {
    for (const { kind, events } of environments.flatMap(({ files }) => files.flatMap(({ kinds }) => kinds))) {
      const list = rows.get(kind) ?? []
      for (let row = 0; row < events.length; row++)
        list.push([0, 1, 2, 4, 5, 6].map((column) => events.columns[column]?.[row] ?? Number.NaN))
      if (list.length > 0) rows.set(kind, list)
    }
  }

/** Each event by a reader of its own, so that none is read in a run. */
function readAlone(objects: readonly string[]) {
  const rows = new Map<string, number[][]>()
  let problems = 0
  for (const object of objects) {
    const document = readIo(encoder.encode(documentOf([object])))
    collectInto(rows)(document)
    problems += document.problems.count ?? 0
  }
  return { rows, problems }
}

/** Every row that was handed on, by kind, and how many problems were reported. */
function read(text: string, sizes: readonly number[]) {
  const rows = new Map<string, number[][]>()
  const collect = collectInto(rows)
  let problems = 0
  const bytes = encoder.encode(text)
  const json = new JsonBytes()
  const walk = new JsonWalk(json, ioReader(collect, () => problems++).rule, () => problems++)
  walkInPieces(json, walk, bytes, sizes)
  return { rows, problems }
}

describe('runs of events', () => {
  law(
    'whatever the events look like and at whichever byte they are split, the rows are those of each event alone',
    [lists, fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 })],
    { numRuns: 400 },
    (list, sizes) => {
      const text = documentOf(list)
      const wanted = readAlone(list)
      expect(read(text, sizes)).toEqual(wanted)
      expect(read(text, [1 << 20])).toEqual(wanted)
    },
  )

  test('events written as the server writes them are read as a run, up to the last bytes of the window', () => {
    const objects = Array.from(
      { length: 1000 },
      (_, i) =>
        `{"Start":"2026-11-20T04:01:30.${String(i).padStart(7, '0')}Z","Size":${i * 4096},"HumaneSize":"4 KBytes","FileSize":8192,"Duration":${i / 100},"Type":"JournalWrite"}`,
    )
    const json = new JsonBytes()
    json.feed(encoder.encode(`${objects.join(',')}]`))
    const runs = EventRuns.create()
    const kind = { raw: encoder.encode('"JournalWrite"'), events: new EventColumns() }
    expect(runs?.run(json, [kind])).toBe(0)
    expect(json.pos).toBe(0)

    runs?.learn(json.bytes, 0, objects[0]?.length ?? 0)
    const taken = runs?.run(json, [kind])
    expect(taken).toBeGreaterThan(997)
    expect(kind.events.length).toBe(taken)
    expect(json.bytes[json.pos]).toBe(0x2c)
  })

  test('windows larger than the input of the scan are read whole, and minutes change within them', () => {
    const objects = Array.from({ length: 20_000 }, (_, i) => {
      const time = `2026-11-20T04:${String(Math.floor(i / 500)).padStart(2, '0')}:30.${String(i).padStart(7, '0')}Z`
      return `{"Start":"${time}","Size":${i},"Note":${JSON.stringify('\\"}')},"FileSize":8192,"Duration":0.25,"Type":"JournalWrite"}`
    })
    const rows = read(documentOf(objects), [4 << 20]).rows.get('JournalWrite')
    expect(rows?.length).toBe(20_000)
    expect(rows?.map(([, , size]) => size)).toEqual(objects.map((_, i) => i))
    expect(new Set(rows?.map(([start = 0]) => Math.floor(start / 600_000_000))).size).toBe(40)
  })
})

import { gzipSync, strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadUnpackers } from '../capture/reading/files.ts'
import { loadMainBody } from '../capture/worker/main-bodies.ts'
import { openAlone } from '../testing/opened-file.ts'

beforeAll(() => Promise.all([loadUnpackers(), loadMainBody()]))

const at = (second: number): string => `2026-11-20T04:00:${String(second).padStart(2, '0')}.0000000Z`
const event = (Start: string, more: object = {}) => ({
  Start,
  Size: 4096,
  FileSize: 134_217_728,
  Duration: 2,
  Type: 'JournalWrite',
  ...more,
})
const io = (Recent: readonly object[], History: readonly object[] = []): string =>
  JSON.stringify({
    Environments: [
      { Path: '/data/Databases/demo', Type: 'Documents', Files: [{ File: '1.journal', Recent, History }] },
    ],
    Performances: [],
  })
const batches = (...all: readonly object[]): string =>
  JSON.stringify([
    {
      Name: 'Orders/ByTotal',
      Performance: all.map((more, Id) =>
        Object.assign({ Id, Started: at(Id), Completed: at(Id + 1), DurationInMs: 1000, InputCount: 100 }, more),
      ),
    },
  ])

/** A file in a tar, or (`type` x) what names the next one. */
function inTar(name: string, text: string, type = '0'): Buffer {
  const contents = Buffer.from(text)
  const header = Buffer.alloc(512)
  header.write(name.slice(0, 100))
  header.write(`${contents.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(`        ${type}`, 148)
  header.write('ustar\u000000', 257)
  return Buffer.concat([header, contents, Buffer.alloc((512 - (contents.length % 512)) % 512)])
}
const TAR_END = Buffer.alloc(1024)
const bytes = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat(parts))

describe('texts', () => {
  test('UTF-16 of either order is read without its mark, and one in a package beside UTF-8', async () => {
    const little = Buffer.from(io([event(at(0))]), 'utf16le')
    const big = Buffer.from(little).swap16()
    for (const contents of [little, big]) {
      const { rows, state } = await openAlone('utf16', bytes(contents))
      expect(rows).toMatchObject([{ feed: 'io', count: 1 }])
      expect(state.message).toBe('')
    }
    const both = { 'demo/io-metrics.json': bytes(big), 'demo/indexes.performance.json': strToU8(batches({})) }
    expect((await openAlone('package', zipSync(both))).rows.map(({ feed, count }) => [feed, count])).toEqual([
      ['io', 1],
      ['indexing', 1],
    ])
  })

  test('UTF-32 is called by its name', async () => {
    const text = Array.from(strToU8(io([])), (letter) => [letter, 0, 0, 0]).flat()
    const { state } = await openAlone('utf32', bytes(Uint8Array.from([0xff, 0xfe, 0, 0, ...text])))
    expect(state).toMatchObject({ phase: 'refused', message: expect.stringContaining('UTF-32') as string })
  })

  test('an error that a request had, saved as its response, is quoted, a long one in part', async () => {
    const saved = (Message: string): string =>
      JSON.stringify({ Url: '/databases/x/debug/io-metrics', Type: 'Raven.Error', Message, Error: 'y'.repeat(300_000) })
    const { state } = await openAlone('error', saved('Database "x" does\nnot exist'))
    expect(state).toMatchObject({
      phase: 'refused',
      message: 'It holds no data: the server refused the request: Database "x" does\nnot exist',
    })
    const long = await openAlone('long', saved('é'.repeat(300_000)))
    expect(long.state.message).toBe(`It holds no data: the server refused the request: ${'é'.repeat(300)} …`)
  })

  test('the error of a request for stacks, saved as its response, is quoted', async () => {
    const saved = JSON.stringify({ Results: [], Error: 'System.InvalidOperationException: Could not "attach"' })
    expect((await openAlone('stacks', saved)).state.message).toBe(
      'It holds no data: the server refused the request: System.InvalidOperationException: Could not "attach"',
    )
  })

  test.each(['[]', '{}', '{"Results":[]}', '\uFEFF[ ]\r\n'])('%s is empty', async (text) => {
    expect((await openAlone('empty', text)).state).toMatchObject({
      phase: 'refused',
      message: 'It is empty JSON: it holds no data.',
    })
  })

  test('a list that is empty is told from one that is cut or holds something unknown', async () => {
    for (const text of ['[', '{"Results":[', '{"Results":[{}]}', '{"Results":[],"More":[1]}'])
      expect((await openAlone('other', text)).state.message).not.toContain('empty')
  })
})

describe('times', () => {
  test('the hour that an autumn night has twice is told apart by offsets', async () => {
    const twice = ['2026-10-25T02:59:59.5+02:00', '2026-10-25T02:00:00.5+01:00', '2026-10-25T02:59:59.0+01:00']
    const { rows, state } = await openAlone('autumn', io(twice.map((each) => event(each))))
    expect(rows).toMatchObject([
      { count: 3, firstMs: Date.UTC(2026, 9, 25, 0, 59, 59, 500), lastMs: Date.UTC(2026, 9, 25, 1, 59, 59) },
    ])
    expect(state.message).toBe('')
  })

  test('a time that is none is quoted, with what else the event or batch has', async () => {
    const second = '2026-11-20T04:00:60Z'
    const { state } = await openAlone('io', io([event(at(0)), event(second)]))
    expect(state.message).toContain(`got JournalWrite, Start "${second}", 2 ms.`)
    const long = await openAlone('long', io([event(at(0)), event('x'.repeat(100))]))
    expect(long.state.message).toMatch(/Start "x{59} …, 2 ms/)
    const of = await openAlone('batches', batches({}, { Started: 'then', Completed: 'later' }, { Id: null }))
    expect(of.state.message).toMatch(
      /^2 values .*: byte \d+: expected a batch .*, got Id 1, Started "then", 1000 ms\.$/,
    )
    const sum = { End: at(4), Duration: 4000, ActiveDuration: 300, MinDuration: 1, MaxDuration: 90 }
    const sums = await openAlone('sums', io([], [event(at(0), sum), event(at(5), { ...sum, End: at(9), Size: -5 })]))
    expect(sums.state.message).toContain('got JournalWrite, 2026-11-20T04:00:05.0000000Z, 4000 ms, Size -5,')
  })

  test('a batch without a start has it by its end and duration', async () => {
    const { rows, state } = await openAlone('batches', batches({}, { Started: null, Completed: at(9) }))
    expect(rows).toMatchObject([{ count: 2, busyMs: 2000, lastMs: Date.UTC(2026, 10, 20, 4, 0, 8) }])
    expect(state.message).toBe('')
  })

  test('the least and the greatest time of .NET are no events of the year 1, and are counted', async () => {
    const strays = ['0001-01-01T00:00:00.0000000', '9999-12-31T23:59:59.9999999']
    const { rows, state, fitted } = await openAlone('strays', io([...strays, at(1), at(2)].map((each) => event(each))))
    expect(rows).toMatchObject([{ count: 2 }])
    expect(state.message).toMatch(/^2 values could not be read/)
    expect(fitted?.map((each) => each.slice(0, 18))).toEqual(['2026-11-20T04:00:0', '2026-11-20T04:00:0'])
  })

  test('a capture of sums alone has their count, bytes and times', async () => {
    const spans = { Size: 81_920, Duration: 4000, ActiveDuration: 300, MinDuration: 1, MaxDuration: 90 }
    const sums = [0, 5].map((second) => event(at(second), Object.assign({ End: at(second + 4) }, spans)))
    const { rows, state, fitted } = await openAlone('sums', io([], sums))
    expect(rows).toMatchObject([{ count: 0, rollUps: { count: 2, bytes: 163_840, busyMs: 600 } }])
    expect(state.message).toBe('')
    expect(fitted?.[1] ?? '').toMatch(/^2026-11-20T04:00:09/)
  })
})

describe('fields of nonsense', () => {
  test('a batch keeps its place by its end where its duration makes no sense', async () => {
    const { rows, state } = await openAlone(
      'batches',
      batches({}, { DurationInMs: 'NaN' }, { DurationInMs: -4000 }, { DurationInMs: 1e300 }),
    )
    expect(rows).toMatchObject([{ count: 4, busyMs: 4000, slowestMs: 1000 }])
    expect(state.message).toBe('')
    const none = await openAlone(
      'none',
      batches({ DurationInMs: null, Completed: null }, { Id: 1, Completed: at(0), DurationInMs: -1 }),
    )
    expect(none.rows).toEqual([])
    expect(none.state.message).toMatch(/^2 values could not be read/)
  })

  test('counts, sizes and names of nonsense cost no batch', async () => {
    const nonsense = [
      { InputCount: -1, FailedCount: 'x', OutputCount: null },
      { AllocatedBytes: -5, DocumentsSize: 'many' },
      { Details: { Name: null, DurationInMs: 'x', Operations: 'none' } },
    ]
    const { rows } = await openAlone('batches', batches(...nonsense))
    expect(rows).toMatchObject([{ count: 3, bytes: 0 }])
    const nested = `{"Name":"x","DurationInMs":1,"Operations":[`
    const deep = batches({ Details: 0 }).replace('"Details":0', `"Details":${nested.repeat(3000)}${']}'.repeat(3000)}`)
    expect((await openAlone('deep', deep)).rows).toMatchObject([{ count: 1 }])
  })
})

describe('roll-ups with a field of nonsense', () => {
  const sum = { Size: 81_920, Duration: 4000, ActiveDuration: 300, MinDuration: 1, MaxDuration: 90, End: at(4) }
  test.each([
    ['Size', { Size: -5 }, { count: 1, bytes: 0, busyMs: 300 }],
    ['Size', { Size: 'many' }, { count: 1, bytes: 0, busyMs: 300 }],
    ['ActiveDuration', { ActiveDuration: 1e300 }, { count: 1, bytes: 81_920, busyMs: 0 }],
    ['MinDuration, MaxDuration', { MinDuration: 91 }, { count: 1, bytes: 81_920, busyMs: 300 }],
    ['End', { End: '1999-01-01T00:00:00Z' }, { count: 1, bytes: 81_920, busyMs: 300 }],
    ['End', { End: null }, { count: 1, bytes: 81_920, busyMs: 300 }],
    ['Start', { Start: '0001-01-01T00:00:00' }, { count: 1, bytes: 81_920, busyMs: 300 }],
  ])('one whose %s is none is kept without it, which is counted: %j', async (name, more, rollUps) => {
    const { rows, state, fitted } = await openAlone('sums', io([], [event(at(0), { ...sum, ...more })]))
    expect(rows).toMatchObject([{ count: 0, firstMs: Date.UTC(2026, 10, 20, 4), rollUps }])
    expect(state.message).toMatch(/^1 value could not be read/)
    expect(state.message).toContain(`expected a valid ${name} of a roll-up, which is kept without, got JournalWrite, `)
    expect(fitted?.[1] ?? '').toMatch(/^2026-11-20T04:00:04/)
  })

  test('one without a place in time, or with nothing but its place, is left out and described', async () => {
    const nothing = { Size: null, ActiveDuration: null, MaxDuration: null }
    const { rows, state } = await openAlone(
      'sums',
      io([], [event('then', { ...sum, End: 'later' }), event(at(0), { ...sum, ...nothing }), event(at(1), sum)]),
    )
    expect(rows).toMatchObject([{ rollUps: { count: 1, bytes: 81_920 } }])
    expect(state.message).toMatch(/^2 values could not be read/)
  })
})

describe('numbers in quotes', () => {
  test('of events, sums and batches are read where they have one meaning', async () => {
    const quoted = { Size: '124 KB', FileSize: '128 MBytes', Duration: '12.5' }
    const sum = { End: at(9), Size: '81,920.0', ActiveDuration: '300', MinDuration: '1 ms', MaxDuration: '0.09 s' }
    const { rows, state } = await openAlone(
      'io',
      io([event(at(0), quoted), event(at(1), { Duration: '3.5 ms' })], [event(at(5), sum)]),
    )
    expect(state.message).toBe('')
    expect(rows).toMatchObject([
      { count: 2, bytes: 126_976 + 4096, busyMs: 16, slowestMs: 12.5, rollUps: { bytes: 81_920, busyMs: 300 } },
    ])
    const of = await openAlone(
      'batches',
      batches({ Id: '7', DurationInMs: '250', InputCount: '12', DocumentsSize: '1 KB' }),
    )
    expect(of.rows).toMatchObject([{ count: 1, busyMs: 250, bytes: 1024 }])
  })

  test('of two meanings are not known, and an event without a duration is described', async () => {
    const { rows, state } = await openAlone(
      'io',
      io([event(at(0), { Size: '1,234' }), event(at(1), { Duration: '1,5' }), event(at(2))]),
    )
    expect(rows).toMatchObject([{ count: 2, bytes: 4096, slowestMs: 2 }])
    expect(state.message).toMatch(/^1 value could not be read.* no Duration\.$/)
  })
})

describe('packages', () => {
  test('names that are keywords, or lead out of a folder, are names', async () => {
    const names = ['../../etc', '__proto__', 'constructor', '\u202Egpj', 'n'.repeat(4000)]
    const entries = Object.fromEntries(names.map((name) => [`${name}/io-metrics.json`, strToU8(io([event(at(0))]))]))
    const { rows } = await openAlone('names', zipSync(entries))
    expect(rows.map(({ source, count }) => [source, count])).toEqual(names.map((name) => [`file:names/${name}`, 1]))
  })

  test('a package without files says so', async () => {
    expect((await openAlone('empty', zipSync({ 'demo/': new Uint8Array() }))).state.message).toBe(
      'The package holds no files.',
    )
  })

  const first = inTar('demo/io-metrics.json', io([event(at(0)), event(at(1))]))
  const second = inTar('demo/indexes.performance.json', batches({}))

  test('archives that are not read are named, and a tar from before ustar is read', async () => {
    const heads = {
      xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0],
      Zstandard: [0x28, 0xb5, 0x2f, 0xfd],
      bzip2: [0x42, 0x5a, 0x68, 0x39],
    }
    for (const [name, head] of Object.entries(heads)) {
      const { state } = await openAlone(name, bytes(Uint8Array.from(head), Buffer.alloc(600)))
      expect(state.message).toMatch(new RegExp(`^Unpack it and open what is inside: it is an? ${name} archive\\.$`))
    }
    const old = inTar('demo/io-metrics.json', io([event(at(0))]))
    old.fill(0, 257, 265)
    let sum = 8 * 0x20
    for (const [i, byte] of old.subarray(0, 512).entries()) if (i < 148 || i >= 156) sum += byte
    old.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    expect((await openAlone('old.tar', bytes(old, TAR_END))).rows).toMatchObject([
      { source: 'file:old.tar/demo', count: 1 },
    ])
  })

  test('what is behind an archive, or before it, is not read, and that is said', async () => {
    const packed = zipSync({ 'demo/io-metrics.json': strToU8(io([event(at(0))])) })
    const other = zipSync({ 'demo/io-metrics.json': strToU8(io([event(at(1)), event(at(2))])) })
    const tar = bytes(first, TAR_END, first, TAR_END)
    for (const contents of [bytes(packed, strToU8('more')), bytes(packed, other), tar])
      expect((await openAlone('more', contents)).state.message).toMatch(/ of the file are outside of the archive/)
    for (const contents of [packed, bytes(first, TAR_END), bytes(first, TAR_END, Buffer.alloc(10_240))])
      expect((await openAlone('whole', contents)).state.message).toBe('1 of 1 entries are data of panels.')
  })

  test('JSON is no tar by a word or a number at the place of those of a tar', async () => {
    const rest = io([event(at(0))]).slice(1)
    const word = `{"Name":"${'x'.repeat(247)}mustard",`.padEnd(600)
    const beginning = `{"Name":"${'x'.repeat(130)}","N":`.padEnd(148)
    const blank = `${beginning}        ,`.padEnd(512)
    const sum = Buffer.from(blank).reduce((all, byte) => all + byte, 0)
    const number = `${beginning}${sum.toString(8).padEnd(8)},`.padEnd(512)
    for (const head of [word, number]) {
      const { rows, state } = await openAlone('one.json', bytes(Buffer.from(`${head}${rest}`)))
      expect(state.message).toBe('')
      expect(rows).toMatchObject([{ feed: 'io', count: 1 }])
    }
  })

  test('a tar with long names in records of its own is read', async () => {
    const name = `very/${'long'.repeat(40)}/io-metrics.json`
    const record = ` path=${name}\n`
    const named = inTar('PaxHeader', `${String(record.length + 3)}${record}`, 'x')
    const { rows } = await openAlone('long.tar', bytes(named, inTar(name, io([event(at(0))])), TAR_END))
    expect(rows).toMatchObject([{ source: `file:long.tar/very/${'long'.repeat(40)}`, count: 1 }])
  })

  test.each([
    ['within a file', bytes(first, second.subarray(0, 560)), [2]],
    ['between files', bytes(first, second), [2, 1]],
    ['within a file, and packed', gzipSync(bytes(first, second, TAR_END)).slice(0, -60), [2]],
  ])('a tar that is cut %s is read up to there, and says so', async (_where, contents, counts) => {
    const { rows, state } = await openAlone('cut', contents)
    expect(rows.map(({ count }) => count)).toEqual(counts)
    expect(state.phase).toBe('broken')
    expect(state.message).toMatch(/^The archive is cut: what should follow in or after demo\/\S+ is missing/)
  })
})

import { gzipSync, zipSync, strToU8 } from 'fflate'
import { describe, expect, test, vi } from 'vitest'
import type { Rule } from '../../base/json/json-walk.ts'
import { keys } from '../../base/json/json-walk.ts'
import { inGate, isGate } from '../../testing/gate.ts'
import type { Feed } from '../worker/feed.ts'
import { GapLog } from '../worker/gap-log.ts'
import type { FileState } from '../client/state.ts'
import { Files } from './files.ts'
import { isSameFile } from './same-file.ts'
import { LIMITS } from './limits.ts'

/** A feed whose documents are `{"Numbers": [{"n": 1}, …]}`; keeps the sum by source. `took`: called after each number. */
function numbersFeed(took: () => void = () => undefined) {
  const sums = new Map<string, number>()
  const salvaged: string[] = []
  const feed: Feed = {
    name: 'numbers',
    watch: () => null,
    recognises: (paths) => paths.has('$.Numbers'),
    reader: (source, _gapLog, problem, _paths, note) => {
      const read: Extract<Rule, { kind: 'records' }>['read'] = (json) => {
        const { at } = json
        json.expect(0x7b)
        json.keyHash()
        const n = json.number()
        if (n < 0) note('A number is negative: its sign was left out.')
        if (Number.isNaN(n)) {
          json.skipSmall()
          problem(at, 'a number')
        } else {
          sums.set(source, (sums.get(source) ?? 0) + n)
          took()
        }
        json.expect(0x7d)
      }
      return {
        rule: { kind: 'object', keys: keys({ Numbers: { kind: 'records', read } }) },
        salvage: () => salvaged.push(source),
      }
    },
    responses: {},
    extent: () => null,
    summary: () => [],
    spans: () => [],
    byteLength: () => ({ tables: 0, other: 0, rows: 0 }),
  }
  return { feed, sums, salvaged }
}

const numbers = (count: number) =>
  JSON.stringify({ '@metadata': { a: [1] }, Numbers: Array.from({ length: count }, (_, n) => ({ n })) })

/** Rows of files that are read in many pieces, and in many turns. */
const [MANY, LONG] = [inGate(150_000, 400_000), inGate(1_000_000, 3_000_000)]

async function open(contents: BlobPart, name = 'file') {
  const { feed, sums, salvaged } = numbersFeed()
  const gapLog = new GapLog()
  const files = new Files({
    feeds: [feed],
    gapLog,
  })
  files.open(new File([contents], name))
  while (files.isBusy) await new Promise((done) => setTimeout(done, 2))
  const entries = files.takeEntries().flatMap((change) => change.entries)
  const state: FileState = { ...(files.states[0] as FileState), entries }
  expect(files.takeEntries()).toEqual([])
  return { state, sums: Object.fromEntries(sums), salvaged, gaps: gapLog.snapshot(null), files }
}

describe('one document', () => {
  test('JSON, with or without a byte order mark, and gzip of it', async () => {
    const text = numbers(10)
    for (const contents of [text, `\uFEFF \n${text}`, gzipSync(strToU8(text))]) {
      const { state, sums, gaps } = await open(contents)
      expect(state).toMatchObject({ phase: 'read', message: '', sources: ['file:file'] })
      expect(state.readBytes).toBe(state.totalBytes)
      expect(sums).toEqual({ 'file:file': 45 })
      expect(gaps).toEqual([])
    }
  })

  test('newline-delimited JSON is read line by line', async () => {
    const { sums } = await open([numbers(3), numbers(4), numbers(5)].join('\n'))
    expect(sums).toEqual({ 'file:file': 3 + 6 + 10 })
  })

  test('larger than what is looked at first, in many pieces', async () => {
    const { sums } = await open(numbers(MANY))
    expect(sums).toEqual({ 'file:file': (MANY * (MANY - 1)) / 2 })
  })

  test('a cut one keeps what was read; the end of it becomes a gap with its reason and byte', async () => {
    const text = numbers(1000)
    const { state, sums, salvaged, gaps } = await open(text.slice(0, -500))
    expect(state.phase).toBe('broken')
    expect(state.message).toMatch(/readable part ends at byte [\d,]+: expected .*, got the end/)
    expect(state.message).toContain(`byte ${state.faultAt?.toLocaleString('en-US')}:`)
    expect(sums['file:file']).toBeGreaterThan(100_000)
    expect(salvaged).toEqual(['file:file'])
    expect(gaps).toMatchObject([{ reason: 'malformed', source: 'file:file', detail: state.message }])
  })

  test('a cut gzip keeps what came out of it', async () => {
    const packed = gzipSync(strToU8(numbers(inGate(50_000, 200_000))))
    const { state, sums } = await open(packed.slice(0, packed.length - 2000))
    expect(state.phase).toBe('broken')
    expect(sums['file:file']).toBeGreaterThan(1000)
  })

  test.each(['', '\n'])('a second one of another kind is not passed over in silence, after %j', async (between) => {
    const first = numbers(3) + between
    const { state, sums } = await open(`${first}{"@metadata":1,"Other":[{"n":4}]}{"Numbers":[{"n":5}]}{}`)
    expect(state).toMatchObject({ phase: 'read', faultAt: first.length })
    expect(state.message).toBe(
      `A second document of another kind begins at byte ${first.length} and was not read: open it as a file of its own.`,
    )
    expect(sums).toEqual({ 'file:file': 3 + 5 })
  })

  test('values that make no sense are counted, with the byte of the first', async () => {
    const { state, gaps } = await open('{"Numbers":[{"n":1},{"n":"x"},7,{"n":null}]}')
    expect(state).toMatchObject({ phase: 'read', faultAt: 20 })
    expect(state.message).toBe('3 values could not be read and were left out; the first: byte 20: expected a number.')
    expect(gaps).toMatchObject([{ missingCount: 3 }])
  })

  test('what a feed says of a document is next to it as a sentence of its own', async () => {
    expect((await open('{"Numbers":[{"n":-1}]}')).state.message).toBe('A number is negative: its sign was left out.')
    expect((await open('{"Numbers":[{"n":-1},{"n":"x"}]}')).state.message).toBe(
      '1 value could not be read and was left out; the first: byte 21: expected a number. A number is negative: its sign was left out.',
    )
  })

  test.each([
    ['', 'The file is empty.'],
    [
      '<!DOCTYPE html><html>',
      'byte 0: expected "{" or "[" of a JSON document, a zip, a gzip or a tar, got an HTML or XML page',
    ],
    ['hello', 'got "hello"'],
    ['HTTP/1.1 200 OK\r\n\r\n{}', 'save it without them, as curl does without -i'],
    ['\u0000\u0001\u0002', 'got binary data'],
    ['{"Other": 1, "More": []}', 'none of the documents that Rookery knows: it begins with $.Other, $.More'],
    ['[1,2,3]', 'none of the documents'],
    ['{', 'none of the documents'],
  ])('%j is refused in a sentence', async (contents, sentence) => {
    const { state, sums } = await open(contents)
    expect(state.phase).toBe('refused')
    expect(state.message).toContain(sentence)
    expect(sums).toEqual({})
  })

  test('two files of one name are two sources', async () => {
    const { files } = await open(numbers(2))
    files.open(new File([numbers(3)], 'file'))
    while (files.isBusy) await new Promise((done) => setTimeout(done, 2))
    expect(files.states.map(({ sources }) => sources[0])).toEqual(['file:file', 'file:file (2)'])
  })

  test('the same file is one source, however often it is opened, and that is reported', async () => {
    const { files, sums } = await open(numbers(3))
    // A single byte differs: another file. The last one has the same bytes under another name.
    const others = [numbers(3), numbers(3).replace('"n":2', '"n":7'), numbers(3)]
    for (const text of others) files.open(new File([text], 'file'))
    files.open(new File([numbers(3)], 'other'))
    await files.rest()
    expect(files.states.map(({ name, phase }) => [name, phase])).toEqual([
      ['file', 'read'],
      ['file', 'duplicate'],
      ['file (3)', 'read'],
      ['file', 'duplicate'],
      ['other', 'read'],
    ])
    expect(files.states[1]?.message).toBe('The same file is open already as “file”: its data is shown once.')
    expect(files.states.flatMap(({ sources }) => sources)).toEqual(['file:file', 'file:file (3)', 'file:other'])
    expect(sums['file:file']).toBe(3)
  })

  test('a large file is known by pieces of it, and by when it was changed', async () => {
    const bytes = new Uint8Array(40 << 20)
    const file = (lastModified: number): File => new File([bytes], 'large', { lastModified })
    expect(await isSameFile(file(1), file(1))).toBe(true)
    expect(await isSameFile(file(1), file(2))).toBe(false)
    const before = file(1)
    bytes[bytes.length - 1] = 1
    expect(await isSameFile(before, file(1))).toBe(false)
  })
})

describe('packages', () => {
  const packed = (files: Record<string, string>, level: 0 | 6 = 6) =>
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), {
      level,
    })

  test.each([0, 6] as const)(
    'known entries are read by content, each folder a source, the others are listed (level %i)',
    async (level) => {
      const { state, sums } = await open(
        packed(
          {
            'orders/io.json': numbers(4),
            'server-wide/x.json': numbers(3),
            'server-wide/a.txt': 'plain',
            'orders/other.json': '{"a":1}',
          },
          level,
        ),
        'pkg.zip',
      )
      expect(sums).toEqual({ 'file:pkg.zip/orders': 6, 'file:pkg.zip/server-wide': 3 })
      expect(state.phase).toBe('read')
      expect(state.message).toBe('2 of 4 entries are data of panels; the others can be read as text.')
      expect(state.entries.map(({ path, feed, phase }) => [path, feed, phase])).toEqual([
        ['orders/io.json', 'numbers', 'read'],
        ['server-wide/x.json', 'numbers', 'read'],
        ['server-wide/a.txt', null, 'listed'],
        ['orders/other.json', null, 'listed'],
      ])
    },
  )

  test.each([0, 6] as const)(
    'zips inside a zip are opened, as a cluster package has them (level %i)',
    async (level) => {
      const inner = packed({ 'orders/io.json': numbers(4) })
      const outer = zipSync({ 'Node - [A].zip': inner, 'Node - [B].zip': inner }, { level })
      const { sums } = await open(outer, 'cluster.zip')
      expect(sums).toEqual({ 'file:cluster.zip/Node - [A].zip/orders': 6, 'file:cluster.zip/Node - [B].zip/orders': 6 })
    },
  )

  test('raw entries can be read as text', async () => {
    const { files, state } = await open(packed({ 'a/b.txt': 'some text' }), 'pkg.zip')
    const source = await files.source(state.id, 'a/b.txt')
    expect(await new Response(source.blob ?? source.stream).text()).toBe('some text')
    await expect(files.source(state.id, 'a/c.txt')).rejects.toThrow('There is no a/c.txt here.')
  })

  test.each([0, 6] as const)(
    'a zip that is cut anywhere keeps what comes before, also in a zip inside it (level %i)',
    async (level) => {
      const inner = packed({ 'a/io.json': numbers(4), 'b/io.json': numbers(40_000), 'c/io.json': numbers(3) }, level)
      const outer = zipSync({ 'Node - [A].zip': inner }, { level })
      for (const [whole, at] of [
        [inner, 'pkg.zip'],
        [outer, 'pkg.zip/Node - [A].zip'],
      ] as const) {
        const half = await open(whole.slice(0, whole.length / 2), 'pkg.zip')
        expect(half.sums[`file:${at}/a`]).toBe(6)
        expect(half.sums[`file:${at}/b`]).toBeGreaterThan(1e6)
        expect(half.state.entries.map(({ phase }) => phase)).toEqual(['read', 'broken'])
        expect(half.state.message).toMatch(
          /^The archive is cut: what should follow in or after .*b\/io\.json is missing;/,
        )
        const all = await open(whole.slice(0, -30), 'pkg.zip')
        expect(all.sums[`file:${at}/c`]).toBe(3)
        expect(all.state.message).toContain('c/io.json is missing; 3 of 3 entries are data of panels')
      }
    },
  )

  test('a zip that is cut before its first byte of contents, or was written to a stream, says so', async () => {
    const whole = packed({ 'a/io.json': numbers(4) })
    const streamed = whole.slice()
    streamed[6] = 8
    streamed.fill(0, 18, 26)
    for (const cut of [whole.slice(0, 20), streamed.slice(0, -30)])
      expect((await open(cut)).state).toMatchObject({
        phase: 'refused',
        message: expect.stringContaining('no directory at its end') as string,
      })
  })

  test('a broken entry is reported, the others are read', async () => {
    const whole = packed({ 'a/io.json': numbers(40_000), 'b/io.json': numbers(3) })
    const broken = whole.slice()
    broken.fill(0xff, 60_000, 60_400)
    const { sums, state } = await open(broken, 'pkg.zip')
    expect(sums['file:pkg.zip/b']).toBe(3)
    expect(state.entries[0]?.phase).toBe('broken')
  })

  test('thousands of small entries are read many at a time, each with its own reason', async () => {
    const count = inGate(2000, 6000)
    const texts = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`db${n % 30}/${n}.json`, n % 10 === 0 ? numbers(3) : '{"other":1}']),
    )
    const slice = vi.spyOn(Blob.prototype, 'slice')
    const { state, sums } = await open(packed(texts), 'pkg.zip')
    expect(Object.values(sums).reduce((sum, each) => sum + each, 0)).toBe((count / 10) * 3)
    expect(state.entries.filter(({ phase }) => phase === 'read')).toHaveLength(count / 10)
    expect(slice.mock.calls.length).toBeLessThan(20)
    slice.mockRestore()
  })

  test('entries that cannot be unpacked are reported before a click', async () => {
    const whole = packed({ 'a/1.json': '{"other":1}', 'a/2.json': '{"other":2}', 'a/3.json': '{"other":3}' }, 0)
    const text = new TextDecoder('latin1').decode(whole)
    const change = (at: number, value: number): void => void (whole[at] = value)
    // The directory: flag of encryption of the first, method of the second; a byte of the third's contents.
    const entry = 'PK\u0001\u0002'
    const first = text.indexOf(entry)
    change(first + 8, 1)
    change(text.indexOf(entry, first + 1) + 10, 99)
    change(text.indexOf('{"other":3}') + 9, 0x34)
    const { state } = await open(whole, 'pkg.zip')
    expect(state.entries.map(({ phase, message }) => [phase, message])).toEqual([
      ['refused', 'a/1.json is encrypted.'],
      ['refused', 'a/2.json is packed by method 99: only stored (0) and deflated (8) entries are read.'],
      ['refused', 'a/3.json does not match its size or checksum: the file is broken.'],
    ])
    expect(state.message).toBe('0 of 3 entries are data of panels; 3 cannot be read.')
  })

  test('entries that share their bytes are refused', async () => {
    const whole = packed({ 'a/1.json': '{"other":1}', 'a/2.json': '{"other":1}' }, 0)
    const text = new TextDecoder('latin1').decode(whole)
    const second = text.lastIndexOf('PK\u0001\u0002')
    whole.set([0, 0, 0, 0], second + 42)
    expect((await open(whole)).state).toMatchObject({
      phase: 'refused',
      message: 'a/1.json and a/2.json share the same bytes of the zip: the file is broken, or a trap.',
    })
  })

  test('of several entries of one name the first is read, and each can be looked at', async () => {
    const whole = packed({ 'a/1.json': numbers(3), 'a/2.json': numbers(4), 'a/1.json (2)': '{"other":1}' }, 0)
    const text = new TextDecoder('latin1').decode(whole)
    // In the directory and in its own head, the second gets the name of the first.
    for (const at of [text.indexOf('a/2.json'), text.lastIndexOf('a/2.json')]) whole[at + 2] = 0x31
    const { state, sums, files } = await open(whole, 'pkg.zip')
    expect(state.entries.map(({ path, phase, message }) => [path, phase, message])).toEqual([
      ['a/1.json', 'read', ''],
      ['a/1.json (3)', 'refused', 'The package has an entry of this name before it: only that one is read.'],
      ['a/1.json (2)', 'listed', ''],
    ])
    expect(sums['file:pkg.zip/a']).toBe(3)
    expect(state.message).toBe('1 of 3 entries are data of panels; 1 cannot be read; the others can be read as text.')
    const source = await files.source(state.id, 'a/1.json (3)')
    expect(await source.blob?.text()).toBe(numbers(4))
  })

  test('names that lead out of a folder are names: they are listed and read like any other', async () => {
    const { state, sums } = await open(
      packed({ '../../etc/passwd.json': numbers(3), '/root/x.json': numbers(4) }),
      'pkg.zip',
    )
    expect(state.entries.map(({ path, phase }) => [path, phase])).toEqual([
      ['../../etc/passwd.json', 'read'],
      ['/root/x.json', 'read'],
    ])
    expect(Object.values(sums)).toEqual([3, 6])
  })

  // Unpacks 72 MiB.
  test.skipIf(isGate)('a bomb is given up', async () => {
    const blanks = new Uint8Array(LIMITS.ratioFreeBytes + (8 << 20)).fill(0x20)
    blanks.set(strToU8('{"Numbers":['))
    const bomb = zipSync({ 'a/io.json': blanks }, { level: 1 })
    const { state } = await open(bomb)
    expect(state.phase).toBe('broken')
    expect(state.entries[0]).toMatchObject({
      phase: 'broken',
      message: expect.stringContaining('more than 200 times') as string,
    })
  })
})

test('stopping keeps what was read and takes effect soon', async () => {
  let hasRows = (): void => undefined
  const { feed, sums } = numbersFeed(() => hasRows())
  const files = new Files({
    feeds: [feed],
    gapLog: new GapLog(),
  })
  files.open(new File([numbers(LONG)], 'long'))
  const stoppedMs = await new Promise<number>((done) => {
    hasRows = () => {
      hasRows = () => undefined
      files.cancel(1)
      done(performance.now())
    }
  })
  while (files.isBusy) await new Promise((done) => setTimeout(done, 1))
  expect(files.states[0]).toMatchObject({ phase: 'cancelled' })
  expect(sums.get('file:long')).toBeGreaterThan(0)
  expect(sums.get('file:long')).toBeLessThan((LONG * (LONG - 1)) / 2)
  expect(performance.now() - stoppedMs).toBeLessThan(2000)
})

test('the first rows of a file that takes long are reported once it is known to, and once', async () => {
  const { feed, sums } = numbersFeed()
  const begun: { name: string; isBusy: boolean; isSoonOver: boolean; readBytes: number }[] = []
  /** `stepMs`: so much later it is each time that the clock is looked at. */
  const open = async (name: string, stepMs: number): Promise<void> => {
    let nowMs = 0
    const files: Files = new Files({
      feeds: [
        {
          ...feed,
          spans: () => Array.from(sums.keys(), (source) => ({ source: source as never, firstMs: 1, endMs: 2 })),
        },
      ],
      gapLog: new GapLog(),
      begun: () => {
        const { isBusy, isSoonOver, states } = files
        begun.push({ name, isBusy, isSoonOver, readBytes: states[0]?.readBytes ?? 0 })
      },
      now: () => (nowMs += stepMs),
    })
    files.open(new File([numbers(inGate(300_000, 600_000))], name))
    await files.rest()
  }
  await open('short', 0)
  expect(begun).toEqual([])
  await open('long', 120)
  expect(begun).toEqual([{ name: 'long', isBusy: true, isSoonOver: false, readBytes: expect.any(Number) as number }])
  expect(begun[0]?.readBytes).toBeLessThan(2 << 20)
})

test('the next picture of a long file is its last when half a second is left', async () => {
  const { feed } = numbersFeed()
  const seen: { leftMs: number; isSoonOver: boolean }[] = []
  /** A thousand bytes are read in a millisecond. */
  const nowMs = (): number => (files.states[0]?.readBytes ?? 0) / 1000
  const look = (): void => {
    const { isSoonOver, states } = files
    const [{ totalBytes, readBytes } = { totalBytes: 0, readBytes: 0 }] = states
    if (readBytes > 0) seen.push({ leftMs: (totalBytes - readBytes) / 1000, isSoonOver })
  }
  const files: Files = new Files({
    feeds: [feed],
    gapLog: new GapLog(),
    changed: look,
    touched: look,
    now: nowMs,
  })
  files.open(new File([numbers(inGate(300_000, 600_000))], 'long'))
  await files.rest()
  const reading = seen.filter(({ leftMs }) => leftMs > 0)
  expect(reading.length).toBeGreaterThan(3)
  expect(reading.some(({ isSoonOver }) => isSoonOver)).toBe(true)
  for (const { leftMs, isSoonOver } of reading) expect(isSoonOver).toBe(leftMs <= 500)
})

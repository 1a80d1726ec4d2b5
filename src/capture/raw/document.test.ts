import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'fflate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inGate, isGate } from '../../testing/gate.ts'
import { law } from '../../testing/law.ts'
import type { RawSource } from '../reading/files.ts'
import { Refusal } from '../reading/refusal.ts'
import { RawDocument } from './document.ts'
import type { RawChild } from './queries.ts'
import { RAW_ROOT } from './queries.ts'
import { ROW_BYTES } from './rows.ts'

const NEVER = new AbortController().signal

async function whole(source: RawSource): Promise<RawDocument> {
  const document = new RawDocument(() => Promise.resolve(source))
  while (!document.status().isWhole && document.status().error === null)
    await new Promise((done) => setTimeout(done, 1))
  return document
}

const ofText = (text: BlobPart): Promise<RawDocument> => whole({ blob: new Blob([text]) })

async function allChildren(document: RawDocument, at: number): Promise<RawChild[]> {
  const children: RawChild[] = []
  for (;;) {
    const response = await document.children({ file: 0, entry: null, at, first: children.length, count: 997 }, NEVER)
    children.push(...response.children)
    if (children.length >= response.count) return children
    if (response.children.length === 0) throw new Error(`${children.length} of ${response.count} children`)
  }
}

/** A value as the tree shows it, put together again. */
async function rebuilt(document: RawDocument, node: RawChild): Promise<unknown> {
  if (node.kind === 'object' || node.kind === 'list') {
    const children = await allChildren(document, node.at)
    // An expectation at each of a million nodes would take a fifth of the time of these tests.
    if (children.length !== node.count) expect(children).toHaveLength(node.count ?? -1)
    const values: [string | null, unknown][] = []
    for (const child of children) values.push([child.key, await rebuilt(document, child)])
    return node.kind === 'list' ? values.map(([, value]) => value) : Object.fromEntries(values)
  }
  // The preview of a short value is all of it: an eighth of them are read besides.
  if (!node.isCut && node.index % 8 !== 0) return JSON.parse(node.preview)
  const { written, text } = await document.value({ file: 0, entry: null, at: node.at, maxBytes: 1 << 22 }, NEVER)
  return text ?? JSON.parse(written)
}

async function roots(document: RawDocument): Promise<unknown[]> {
  const values: unknown[] = []
  for (const root of await allChildren(document, RAW_ROOT)) values.push(await rebuilt(document, root))
  return values
}

async function allRows(document: RawDocument, find = '') {
  const { rows } = document.status()
  const found = []
  for (let first = 0; first < rows; first += 500)
    found.push(...(await document.rows({ file: 0, entry: null, first, count: 500, find })))
  return found
}

const RECORDED = join(import.meta.dirname, '../../testing/recorded')
/** Large ones are more of the same, and versions write the same JSON of other things: the gate reads the others. */
const isLeftOut = (name: string): boolean =>
  isGate && (/\b(5\.4|6\.2)\b/.test(name) || statSync(join(RECORDED, name)).size > 50_000)
const samples = readdirSync(RECORDED, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(nd)?json$/.test(name) && !isLeftOut(name),
)

describe('the tree', () => {
  test.each(samples)('%s: children are what JSON.parse finds, in its order', async (name) => {
    const text = readFileSync(join(RECORDED, name), 'utf8')
    const wanted = name.endsWith('.ndjson') ? text.split('\n').filter((line) => line.trim() !== '') : [text]
    const parsed = wanted.map((each) => JSON.parse(each) as unknown)
    // As text, so that the order of keys counts.
    expect(JSON.stringify(await roots(await ofText(text)))).toBe(JSON.stringify(parsed))
  })

  law(
    'any JSON, however it is spaced',
    [fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, '\t', '\r\n ')],
    { numRuns: 150 },
    async (value, space) => {
      const text = JSON.stringify(value, null, space)
      const document = await ofText(`\uFEFF ${text}\n`)
      expect(document.status().notJson).toBeNull()
      expect(JSON.stringify(await roots(document))).toBe(JSON.stringify([JSON.parse(text)]))
    },
  )

  test('white space in a text is shown as it is', async () => {
    const list = [0, '  ', 'a \u00a0 b\u2028', { of: ' \ufeff ' }]
    expect(await roots(await ofText(JSON.stringify(list, null, 2)))).toEqual([list])
  })

  test('long lists of long things are found from the middle, and by any byte in them', async () => {
    const list = Array.from({ length: 30_000 }, (_, n) => ({
      n,
      name: `item "${n}" \\ ${'x'.repeat(n % 50)}`,
      more: [n, [n]],
    }))
    const text = JSON.stringify({ before: 1, list, after: { deep: list.slice(0, 5000) } })
    const document = await ofText(text)
    const [root] = await allChildren(document, RAW_ROOT)
    const [, child] = await allChildren(document, root!.at)
    expect(child).toMatchObject({ key: 'list', kind: 'list', count: 30_000 })
    for (const first of [0, 1, 255, 12_345, 29_999]) {
      const { children } = await document.children({ file: 0, entry: null, at: child!.at, first, count: 2 }, NEVER)
      expect(children[0]).toMatchObject({ index: first, kind: 'object', count: 3 })
      expect(JSON.parse(text.slice(children[0]!.at, children[0]!.end!))).toEqual(list[first])
      const at = text.indexOf('"more"', children[0]!.at) + 8
      const path = await document.path(at, NEVER)
      expect(path.map((step) => step.child.key ?? step.child.index)).toEqual([0, 'list', first, 'more', 0])
    }
  })

  const DEPTH = inGate(4000, 100_000)

  test(`${DEPTH} levels are no deeper than others`, async () => {
    const depth = DEPTH
    const document = await ofText(`${'[1,'.repeat(depth)}2${']'.repeat(depth)}`)
    expect(document.status().notJson).toBeNull()
    let at = RAW_ROOT
    for (let level = 0; level < inGate(20, 100); level++) {
      const children = await allChildren(document, at)
      expect(children.map(({ kind }) => kind)).toEqual(level === 0 ? ['list'] : ['number', 'list'])
      at = children.at(-1)!.at
    }
    expect((await document.path(3 * (depth / 2) + 1, NEVER)).length).toBe(200)
  })

  test('a text of ten megabytes is one child, cut where it is shown', async () => {
    const long = 'ab\\n'.repeat(3 << 20)
    const document = await ofText(`{"long":"${long}","after":1}`)
    const [root] = await allChildren(document, RAW_ROOT)
    const children = await allChildren(document, root!.at)
    expect(children.map(({ key, isCut }) => [key, isCut])).toEqual([
      ['long', true],
      ['after', false],
    ])
    const { text, isCut } = await document.value({ file: 0, entry: null, at: children[0]!.at, maxBytes: 102 }, NEVER)
    expect([text, isCut]).toEqual([`${'ab\n'.repeat(25)}a`, true])
    const half = await document.value({ file: 0, entry: null, at: children[0]!.at, maxBytes: 4 }, NEVER)
    expect(half).toEqual({ written: '"ab\\', text: 'ab', isCut: true })
  })

  test.each([
    ['{"a":[1,2', 9, 'expected the rest of the document, got the end'],
    ['[1,2}', 4, 'expected "]", got "}"'],
    ['[1 2]', 3, 'expected "," or "]", got another value'],
    ['[1,,2]', 3, 'expected a value, got ","'],
    ['{"a":1}}', 7, 'expected a value, got "}"'],
    ['[1,\u0000]', 3, 'expected a value, got byte 0'],
    ['Name: Raven', 0, 'expected a value, got "N"'],
    ['"open', 5, 'expected the rest'],
  ])('%j: says where it stops being JSON, and keeps what came before', async (text, at, said) => {
    const document = await ofText(text)
    expect(document.status().notJson).toMatchObject({ at, message: expect.stringContaining(said) as string })
    expect((await allRows(document)).map(({ parts }) => parts.join('')).join('')).toBe(text)
    for (const root of await allChildren(document, RAW_ROOT))
      if (root.kind === 'list' || root.kind === 'object')
        expect((await allChildren(document, root.at)).length).toBeGreaterThan(0)
  })

  test('invalid UTF-8, names that are scripts, and names of the language are text like others', async () => {
    const bytes = new TextEncoder()
      .encode('{"<script>alert(1)</script>":1,"__proto__":2,"?":"?"}')
      .map((byte) => (byte === 0x3f ? 0xff : byte))
    const document = await ofText(bytes)
    const [root] = await allChildren(document, RAW_ROOT)
    const children = await allChildren(document, root!.at)
    expect(children.map(({ key }) => key)).toEqual(['<script>alert(1)</script>', '__proto__', '\uFFFD'])
    expect(children[2]!.preview).toBe('"\uFFFD"')
  })
})

describe('the text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 2000 }),
    fc
      .array(fc.constantFrom('\n', '\r\n', 'é', '🐦', 'x'.repeat(199), 'longer '.repeat(40)), { maxLength: 60 })
      .map((parts) => parts.join('')),
  )

  law(
    'rows joined are the text, none is too long, and any row is found by number and by byte',
    [anyText, fc.nat()],
    { numRuns: 200 },
    async (text, seed) => {
      const bytes = new TextEncoder().encode(text)
      const document = await ofText(text)
      const rows = await allRows(document)
      const ends = [...rows.slice(1).map(({ at }) => at), bytes.length]
      rows.forEach((row, i) => {
        const end = ends[i] as number
        const written = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(row.at, end))
        expect(row.parts.join('')).toBe(written.replace(/\r?\n$/, ''))
        expect(end - row.at).toBeLessThanOrEqual(ROW_BYTES + 1)
      })
      expect(rows[0]?.at ?? 0).toBe(0)
      if (bytes.length > 0) {
        const at = seed % bytes.length
        const row = await document.rowOf(at)
        expect(rows[row]!.at).toBeLessThanOrEqual(at)
        expect(ends[row]).toBeGreaterThan(at)
      }
    },
  )

  test('a single line of megabytes has rows from the first to the last', async () => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => `übung ${n}`))
    const document = await ofText(text)
    const { rows, totalBytes } = document.status()
    expect(rows).toBeGreaterThan(totalBytes! / (ROW_BYTES + 1))
    const [last] = await document.rows({ file: 0, entry: null, first: rows - 1, count: 5, find: '' })
    expect(text.endsWith(last!.parts.join(''))).toBe(true)
    expect(document.byteLength).toBeLessThan(totalBytes! / 200)
  })
})

describe('where the bytes come from', () => {
  const value = { list: Array.from({ length: inGate(4000, 40_000) }, (_, n) => ({ n, text: `t${n}` })) }
  const bytes = new TextEncoder().encode(JSON.stringify(value))

  test('pieces of any size make the same', async () => {
    const small = bytes.slice(0, 3000)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }), async (sizes) => {
        let at = 0
        let turn = 0
        const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
          pull: (controller) => {
            const size = sizes[turn++ % sizes.length] as number
            controller.enqueue(small.slice(at, at + size))
            at += size
            if (at >= small.length) controller.close()
          },
        })
        const streamed = await whole({ blob: null, stream })
        const direct = await ofText(small)
        expect(await allRows(streamed)).toEqual(await allRows(direct))
        expect(streamed.status().notJson).toEqual(direct.status().notJson)
        const [root] = await allChildren(streamed, RAW_ROOT)
        expect(await allChildren(streamed, root!.at)).toEqual(await allChildren(direct, root!.at))
      }),
      { numRuns: inGate(10, 30) },
    )
  })

  test('what is unpacked can be read at any place', async () => {
    const stream = new Blob([gzipSync(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'))
    const document = await whole({ blob: null, stream })
    expect(document.status()).toMatchObject({ totalBytes: bytes.length, notJson: null, roots: 1 })
    expect(JSON.stringify(await roots(document))).toBe(JSON.stringify([value]))
  })

  test('a source that breaks keeps what came, and says why', async () => {
    const packed = gzipSync(bytes)
    const stream = new Blob([packed.slice(0, packed.length / 2)]).stream().pipeThrough(new DecompressionStream('gzip'))
    const document = await whole({ blob: null, stream })
    expect(document.status().error?.message).toMatch(/\w/)
    expect(document.status().rows).toBeGreaterThan(100)
    const refused = new RawDocument(() => Promise.reject(new Error('There is no a/b here.')))
    await new Promise((done) => setTimeout(done, 5))
    expect(refused.status().error?.message).toBe('There is no a/b here.')
  })

  test('it stops on request', async () => {
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (controller) => {
        await new Promise((done) => setTimeout(done, 1))
        controller.enqueue(bytes.slice(0, 1000))
      },
    })
    const document = new RawDocument(() => Promise.resolve({ blob: null, stream: endless }))
    await new Promise((done) => setTimeout(done, 30))
    document.stop()
    await new Promise((done) => setTimeout(done, 30))
    const { readBytes } = document.status()
    await new Promise((done) => setTimeout(done, 30))
    expect(document.status()).toMatchObject({ readBytes, isWhole: false, isStopped: true })
  })
})

describe('the search', () => {
  async function searched(text: string, find: string) {
    const document = await ofText(text)
    while (!document.search(find).isWhole) await new Promise((done) => setTimeout(done, 1))
    return document
  }

  /** Byte offsets of hits that do not overlap, the plain way. */
  function naive(text: string, find: string): number[] {
    const lower = (all: string): string => all.replace(/[A-Z]/g, (c) => c.toLowerCase())
    const latin = (all: string): string => Buffer.from(all, 'utf8').toString('latin1')
    const [where, what] = [lower(latin(text)), lower(latin(find))]
    const found: number[] = []
    for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length)) found.push(at)
    return found
  }

  test('finds what a plain search finds, each hit by number and by place, and marks it', async () => {
    const letters = fc.constantFrom('a', 'A', 'b', 'é', '\n', '"')
    const text = fc.array(letters, { maxLength: 1500 }).map((all) => all.join(''))
    const find = fc.array(letters, { minLength: 1, maxLength: 4 }).map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(text, find, async (all, what) => {
        const document = await searched(all, what)
        const wanted = naive(all, what)
        expect(document.search(what)).toMatchObject({ count: wanted.length, isWhole: true })
        for (const [number, at] of wanted.slice(0, 5).entries()) {
          const hit = await document.hit({ file: 0, entry: null, find: what, number, from: 0 })
          expect(hit).toMatchObject({ number, at, row: await document.rowOf(at) })
          expect(await document.hit({ file: 0, entry: null, find: what, number: null, from: at })).toEqual(hit)
        }
        const marked = (await allRows(document, what)).flatMap(({ parts }) => parts.filter((_, i) => i % 2 === 1))
        const lengths = marked.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
        if (!what.includes('\n')) expect(lengths).toBe(wanted.length * Buffer.byteLength(what))
      }),
      { numRuns: inGate(40, 150) },
    )
  })

  test('over many pieces, hits that lie across their edges included', async () => {
    const text = 'needle in hay, '.repeat(300_000)
    const document = await searched(text, 'NEEDLE')
    expect(document.search('NEEDLE').count).toBe(300_000)
    expect(await document.hit({ file: 0, entry: null, find: 'NEEDLE', number: 123_456, from: 0 })).toMatchObject({
      at: 123_456 * 15,
    })
    expect(await document.hit({ file: 0, entry: null, find: 'NEEDLE', number: 300_000, from: 0 })).toBeNull()
  })

  test('nothing, and too much, is looked for without harm', async () => {
    const document = await searched('abc', '')
    expect(document.search('')).toMatchObject({ count: 0, isWhole: true })
    expect((await searched('abc', 'x'.repeat(100_000))).search('x'.repeat(100_000)).count).toBe(0)
  })
})

test('an entry that cannot be unpacked says why, and nothing of a file that moved', async () => {
  const document = new RawDocument(() => Promise.reject(new Refusal('a/1.json is encrypted.')))
  for (let i = 0; i < 5; i++) await Promise.resolve()
  expect(document.status().error).toEqual({
    endpoint: 'the file',
    status: null,
    message: 'a/1.json is encrypted.',
    serverMessage: null,
    hint: '',
  })
})

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { JsonBytes, JsonBytesError } from '../../../../base/json/json-bytes.ts'
import { JsonWalk } from '../../../../base/json/json-walk.ts'
import { inGate } from '../../../../testing/gate.ts'
import { walkInPieces } from '../../../../testing/walk-in-pieces.ts'
import { RECORDED_LINES, recordedFrames, recordedText } from '../../../../testing/recorded.ts'
import { stackReader } from './decode.ts'
import type { StackDocument } from './document.ts'
import { FrameTable } from '../frames.ts'
import { readStackDocuments, StackWireError } from '../live/wire.ts'

const encoder = new TextEncoder()

/** Documents with their frames as texts, so that two tables of frames can be compared. */
const contents = (frames: FrameTable, documents: readonly StackDocument[]) =>
  documents.map((document) => ({
    ...document,
    entries: document.entries.map((entry) => ({ ...entry, frames: entry.frames.map((id) => frames.text(id)) })),
  }))

/** `isWhole` false: the bytes end in the middle, and what is there is salvaged. */
function decode(bytes: Uint8Array, sizes: readonly number[], isWhole = true) {
  const frames = new FrameTable()
  const documents: StackDocument[] = []
  const problems: string[] = []
  const json = new JsonBytes()
  const reader = stackReader(frames, (document) => documents.push(document))
  const walk = new JsonWalk(json, reader.rule, (at, expected) => problems.push(`${at}: ${expected}`))
  walkInPieces(json, walk, bytes, sizes, isWhole)
  if (!isWhole) reader.salvage()
  return { documents: contents(frames, documents), problems, raw: documents }
}

function parse(text: string) {
  const frames = new FrameTable()
  const documents = text
    .trim()
    .split('\n')
    .flatMap((line) => readStackDocuments(JSON.parse(line), frames))
  return contents(frames, documents)
}

const SAMPLES = [
  ...['idle', 'indexing', 'writing', 'threadId'].map((name) => ['7.1', `stack-trace-${name}.json`] as const),
  ['7.1', 'threads-runaway-3-samples-top-5.json'] as const,
  ...RECORDED_LINES.flatMap((line) => [
    [line, 'threads-runaway.json'] as const,
    [line, 'threads-info-watch.ndjson'] as const,
  ]),
]

describe.each(SAMPLES)('%s/%s', (line, name) => {
  const text = recordedFrames(line, name).join('\n')
  const wanted = parse(text)

  test('from bytes as from parsed text, in pieces of any size', () => {
    const bytes = encoder.encode(text)
    const { documents, problems } = decode(bytes, [64 * 1024])
    expect(problems).toEqual([])
    expect(documents).toEqual(wanted)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 6 }), (sizes) => {
        expect(decode(bytes, sizes).documents).toEqual(wanted)
      }),
      { numRuns: 3 },
    )
  })

  test('one byte at a time', () => {
    const short = text.slice(0, text.indexOf('}', 6000) + 1)
    const whole = decode(encoder.encode(short), [1_000_000], false)
    expect(whole.documents).not.toHaveLength(0)
    expect(decode(encoder.encode(short), [1], false).documents).toEqual(whole.documents)
  })
})

describe('what a snapshot says', () => {
  const [document] = parse(recordedText('7.1', 'stack-trace-writing.json'))

  it('has its node, its time, and every thread once', () => {
    expect(document).toMatchObject({ nodeTag: 'A', reversed: false, problems: [] })
    expect(new Date(document!.atTicks / 1e4 + 1_577_836_800_000).toISOString()).toBe('2026-11-20T03:48:26.305Z')
    expect(document!.entries.flatMap(({ threadIds }) => threadIds)).toHaveLength(33)
    expect(document!.threads).toHaveLength(44)
  })

  it('takes the pseudo frame off, and keeps what it says', () => {
    const merger = document!.entries.find(({ frames }) => frames[0]?.includes('JournalWriter.Write'))
    expect(merger).toMatchObject({ pseudo: 'cpu' })
    expect(document!.entries.some(({ frames }) => frames.includes('CPU_TIME'))).toBe(false)
  })

  it('has words for numbers, and names without line breaks', () => {
    const timer = document!.threads.find(({ name }) => name === '.NET Timer')
    expect(timer).toMatchObject({ state: 'Wait', priority: 'Normal', waitReason: 'Unknown' })
    const merger = document!.threads.find(({ name }) => name === "'bench' TxMT")
    expect(merger).toMatchObject({ state: 'Running', cpuPercent: 3.58094824524136 })
    expect(merger!.io!.writeBytesTotal).toBeGreaterThan(1 << 30)
  })
})

describe('forms', () => {
  const clr = {
    OSThreadId: 12,
    ManagedThreadId: 3,
    IsNative: false,
    ThreadType: 'Finalizer',
    StackTrace: ['System.Threading.Monitor.Wait(System.Object, Int32)', 'Raven.Server.X.Run()'],
    StackObjects: ['System.String', { Name: 'x', Count: 2 }],
  }

  test('the older tool: a thread an entry, and its objects', () => {
    const text = JSON.stringify({ Results: [clr] })
    const [document] = parse(text)
    expect(document!.entries[0]).toEqual({
      threadIds: [12],
      managedId: 3,
      isNative: false,
      threadType: 'Finalizer',
      pseudo: null,
      frames: clr.StackTrace,
      objects: ['System.String', '{"Name":"x","Count":2}'],
    })
    expect(decode(encoder.encode(text), [7]).documents).toEqual(parse(text))
  })

  test('the export of the official Studio, pretty-printed and turned round', () => {
    const source = JSON.parse(recordedText('7.1', 'stack-trace-indexing.json')) as {
      Results: { ThreadIds: number[]; StackTrace: string[] }[]
      Threads: unknown[]
    }
    const plain = { Results: source.Results, Threads: source.Threads }
    const turned = {
      ...plain,
      Results: source.Results.map(({ ThreadIds, StackTrace }) => ({ ThreadIds, StackTrace: StackTrace.toReversed() })),
    }
    const [wanted] = parse(JSON.stringify(plain))
    const [got] = decode(encoder.encode(JSON.stringify(turned, null, 4)), [5000]).documents
    expect(wanted!.reversed).toBe(false)
    expect(got).toEqual({ ...wanted, reversed: true })
    expect(wanted!.atTicks).toBeNaN()
  })

  test('one stack alone that was turned round, as the Studio leaves a single one', () => {
    const stack = [
      'Raven.Server!Raven.Server.Program.Main()',
      'A!A.B.C()',
      'System.Private.CoreLib!System.Threading.Monitor.Wait()',
      '[Native Frames]',
    ]
    const [document] = parse(JSON.stringify({ Results: [{ ThreadIds: [1], StackTrace: stack }] }))
    expect(document!.entries[0]!.frames).toEqual(stack.toReversed().slice(1))
  })

  test('keys in another order, and keys of tomorrow', () => {
    const text = JSON.stringify({
      Threads: [{ Name: 'x', Tomorrow: [{}], Id: 5 }],
      Later: { Results: [{ ThreadIds: [1] }] },
      Results: [{ StackTrace: ['A!B.C()'], New: { a: 1 }, ThreadIds: [5] }],
      '@metadata': { DateTime: '2026-11-20T03:48:26.3055371Z' },
    })
    expect(decode(encoder.encode(text), [9]).documents).toEqual(parse(text))
    expect(parse(text)[0]!.entries[0]!.threadIds).toEqual([5])
  })

  test('no stacks for these ids', () => {
    const text = JSON.stringify({ Results: [], Threads: [] })
    expect(parse(text)).toMatchObject([{ entries: [], threads: [] }])
    expect(decode(encoder.encode(text), [3]).documents).toEqual(parse(text))
  })

  test('another document is refused', () => {
    expect(() => parse('{"Environments":[]}')).toThrow(StackWireError)
    expect(() => parse('[1]')).toThrow(StackWireError)
  })
})

describe('hostile', () => {
  test('ids that come twice, entries and threads without one, frames that are no texts', () => {
    const text = JSON.stringify({
      Results: [
        { ThreadIds: [1, 1, 'x', -2, null, [1], 2], StackTrace: ['a', 7, null, { b: 1 }] },
        { ThreadIds: [2], StackTrace: ['b'] },
        { StackTrace: ['c'] },
        { ThreadIds: [3] },
        { ThreadIds: [4], StackTrace: null },
      ],
      Threads: [{ Id: 1 }, { Id: 1, Name: 'again' }, { Name: 'none' }, 7],
    })
    const [document] = parse(text)
    expect(document!.entries.map(({ threadIds, frames }) => [threadIds, frames])).toEqual([
      [[1, 2], ['a']],
      [[3], []],
      [[4], []],
    ])
    expect(document!.problems).toEqual([
      'A thread id is no whole number (4 times).',
      'A frame is no text (3 times).',
      'An entry has no thread id.',
      'A thread of the list has no id.',
      'A thread of the list is no object.',
      'A thread id comes twice: its first stack counts (2 times).',
      'A thread comes twice in the list: its first row counts.',
    ])
    expect(decode(encoder.encode(text), [4]).documents).toEqual(parse(text))
  })

  test('a stack of 10,000 frames keeps both ends, and says so', () => {
    const stack = Array.from({ length: 10_000 }, (_, i) => `M!N.T.F${i}()`)
    const text = JSON.stringify({ Results: [{ ThreadIds: [1], StackTrace: stack }] })
    const [document] = decode(encoder.encode(text), [3000]).documents
    const { frames } = document!.entries[0]!
    expect(frames).toHaveLength(2049)
    expect([frames[0], frames[1023], frames[1024], frames[1025], frames[2048]]).toEqual([
      'M!N.T.F0()',
      'M!N.T.F1023()',
      '[7,952 frames left out]',
      'M!N.T.F8976()',
      'M!N.T.F9999()',
    ])
    expect(document!.problems).toEqual(['A stack is deeper than 2,048 frames: its middle was left out.'])
    expect(parse(text)).toEqual([document])
  })

  test('a frame of a hundred thousand characters is cut', () => {
    const text = JSON.stringify({ Results: [{ ThreadIds: [1], StackTrace: ['x'.repeat(100_000), '"\\\u0000é😀'] }] })
    const [document] = decode(encoder.encode(text), [50_000]).documents
    expect(document!.entries[0]!.frames).toEqual([`${'x'.repeat(4095)}…`, '"\\\u0000é😀'])
    expect(parse(text)).toEqual([document])
  })

  test('frames that come again, with escapes and of any length, are the same wherever the bytes are cut', () => {
    const frame = fc.constantFrom(
      '',
      'a',
      'ab',
      'abc',
      'abcd',
      'abcd\\',
      'abcde',
      'ab"de',
      'abc\n',
      'é',
      '😀',
      'abcdefgh1',
      'abcdefgh2',
    )
    const stacks = fc.array(fc.array(frame, { maxLength: 12 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(stacks, fc.integer({ min: 1, max: 40 }), (all, size) => {
        const text = JSON.stringify({ Results: all.map((StackTrace, i) => ({ ThreadIds: [i], StackTrace })) })
        expect(decode(encoder.encode(text), [size]).documents).toEqual(parse(text))
      }),
      { numRuns: inGate(75, 300), seed: 11 },
    )
  })

  test('what was complete before a cut is kept', () => {
    const bytes = encoder.encode(recordedText('7.1', 'stack-trace-idle.json'))
    const { raw } = decode(bytes.slice(0, 4000), [4000], false)
    expect(raw).toHaveLength(1)
    expect(raw[0]!.entries.length).toBeGreaterThan(3)
    expect(raw[0]!.problems).toEqual(['The document ends in the middle.'])
  })

  test('bytes that were changed anywhere never do worse than an error', () => {
    const source = encoder.encode(recordedText('7.1', 'stack-trace-threadId.json'))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(source.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 9000 }),
        (changes, size) => {
          const bytes = source.slice()
          for (const [at, byte] of changes) bytes[at] = byte
          try {
            const { raw } = decode(bytes, [size])
            for (const { entries } of raw)
              for (const { threadIds, frames } of entries)
                expect(threadIds.length * (frames.length + 1)).toBeGreaterThan(0)
          } catch (error) {
            expect(error).toBeInstanceOf(JsonBytesError)
          }
        },
      ),
      { numRuns: inGate(30, 150), seed: 4 },
    )
  })

  test('any value in any place', () => {
    const place = fc.constantFrom(
      'Results',
      'Threads',
      'List',
      'ThreadIds',
      'StackTrace',
      'Id',
      'Name',
      'OSThreadId',
      'x',
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.nat(9),
        fc.constant(null),
        fc.boolean(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.array(fc.tuple(place, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs) as unknown),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(place, value), (document) => {
        decode(encoder.encode(JSON.stringify(document)), [5])
        try {
          readStackDocuments(document, new FrameTable())
        } catch (error) {
          expect(error).toBeInstanceOf(StackWireError)
        }
      }),
      { numRuns: inGate(50, 200), seed: 7 },
    )
  })
})

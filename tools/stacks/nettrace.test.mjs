// @ts-check
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomOf } from '../workload/random.mjs'
import { pictureOf } from './capture.mjs'
import { readNettrace } from './nettrace.mjs'
import { i32, Stream } from './testing/encode.mjs'
import { IDLE, recorded } from './testing/recorded.mjs'

/** @typedef {import('./nettrace.mjs').TraceEvent} TraceEvent */

/** Sessions with changed bytes. */
const RUNS = process.env['ROOKERY_TESTS'] === 'gate' ? 80 : 400

/** @param {Uint8Array} bytes */
function eventsOf(bytes) {
  /** @type {TraceEvent[]} */
  const events = []
  const trace = readNettrace(bytes, (event) => events.push({ ...event }))
  return { trace, events }
}

describe('a recorded session', () => {
  test('holds what its runtime wrote', () => {
    const { trace, events } = eventsOf(recorded())
    expect(trace).toEqual({ pid: 30_394, frequency: 1e9 })
    /** @type {Record<string, number>} */
    const counts = {}
    for (const { provider, event } of events) {
      const kind = `${provider}/${event}`
      counts[kind] = (counts[kind] ?? 0) + 1
    }
    expect(counts).toMatchObject({
      'Microsoft-DotNETCore-SampleProfiler/0': 360,
      'Microsoft-Windows-DotNETRuntimeRundown/144': 15_405,
      'Microsoft-Windows-DotNETRuntimeRundown/154': 148,
    })
    const samples = events.filter(({ provider }) => provider === 'Microsoft-DotNETCore-SampleProfiler')
    expect(samples.map(({ sequence }) => sequence)).toEqual(samples.map((_, i) => i))
    expect(samples.every(({ stack }) => stack.length > 0)).toBe(true)
  })

  test('cut off anywhere is an error, not half a picture', () => {
    const bytes = recorded()
    // Prime, so that the cuts fall anywhere in blocks.
    const step = 4001
    let cuts = 0
    for (let length = 0; length < bytes.length; length += step) {
      expect(() => readNettrace(bytes.subarray(0, length), () => {})).toThrow(/^nettrace: /)
      cuts++
    }
    expect(cuts).toBe(Math.ceil(bytes.length / step))
  })

  test.each([
    ['anywhere', 1],
    ['among the samples', 0.01],
  ])('with bytes changed %s ends in a picture or an error', (_, share) => {
    const clean = recorded()
    const random = randomOf(20)
    const ends = { picture: 0, error: 0 }
    for (let run = 0; run < RUNS; run++) {
      const bytes = Buffer.from(clean)
      const flips = 1 + Math.floor(random() * 20)
      for (let i = 0; i < flips; i++) bytes[Math.floor(random() * bytes.length * share)] = Math.floor(random() * 256)
      try {
        pictureOf(bytes, IDLE, () => undefined)
        ends.picture++
      } catch (error) {
        if (error instanceof Error) ends.error++
      }
    }
    expect(ends.picture + ends.error).toBe(RUNS)
    expect(ends.error).toBeGreaterThan(0)
  })
})

const written = fc.record({
  kind: fc.integer({ min: 1, max: 3 }),
  thread: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  captureThread: fc.integer({ min: 0, max: 3 }),
  sequence: fc.integer({ min: 0, max: 2 }),
  stack: fc.integer({ min: 0, max: 3 }),
  timeDelta: fc.nat(),
  payload: fc.uint8Array({ maxLength: 5 }),
})

test('events come back as they were written, whatever repeats', () => {
  const stacks = [[], [1], [2 ** 47 - 1, 5]]
  fc.assert(
    fc.property(fc.array(written), (all) => {
      const bytes = new Stream()
        .kinds([1, 2].map((id) => ({ id, provider: `provider ${id}`, event: 10 * id })))
        .stacks(1, stacks)
        .events(all)
        .end()
      const { trace, events } = eventsOf(bytes)
      expect(trace).toEqual({ pid: 77, frequency: 1000 })
      let time = 0
      let sequence = 0
      const expected = all.map((event) => {
        time += event.timeDelta
        sequence += event.sequence
        return {
          provider: event.kind === 3 ? '' : `provider ${event.kind}`,
          event: event.kind === 3 ? 0 : 10 * event.kind,
          stack: stacks[event.stack - 1] ?? [],
          thread: event.thread,
          captureThread: event.captureThread,
          time,
          sequence,
          payload: [...event.payload],
        }
      })
      const found = events.map(({ start, end, ...event }) =>
        Object.assign(event, { payload: [...bytes.subarray(start, end)] }),
      )
      expect(found).toEqual(expected)
    }),
  )
})

const SAMPLE = { kind: 1, thread: 1, captureThread: 1, sequence: 1, stack: 1, timeDelta: 1, payload: i32(1) }

test('numbers of stacks restart behind a sequence point', () => {
  const { events } = eventsOf(
    new Stream()
      .stacks(1, [[11]])
      .events([SAMPLE])
      .block('SPBlock', Buffer.alloc(12))
      .events([SAMPLE])
      .stacks(1, [[22]])
      .events([SAMPLE])
      .end(),
  )
  expect(events.map(({ stack }) => stack)).toEqual([[11], [], [22]])
})

test('a kind of block that is not known is passed over', () => {
  const { events } = eventsOf(new Stream().block('NewBlock', Buffer.from('any thing')).events([SAMPLE]).end())
  expect(events).toHaveLength(1)
})

test.each([
  ['nothing', Buffer.alloc(0), 'go beyond'],
  ['another file', Buffer.from('PK\u0003\u0004 and so on, for long enough'), 'does not begin'],
  ['a later version', Buffer.from('Nettrace\0\0\0\0\u0006\0\0\0'), 'does not begin'],
  ['a stack of half an address', new Stream().block('StackBlock', i32(1, 1, 4, 0)).end(), 'a stack of 4 bytes'],
  ['a stack beyond its block', new Stream().block('StackBlock', i32(1, 1, 8, 0)).end(), 'goes beyond its block'],
  ['more stacks than there are', new Stream().block('StackBlock', i32(1, -1)).end(), 'go beyond'],
  ['a block of a negative size', negativeSize(), 'go beyond'],
  [
    'uncompressed events',
    new Stream().block('EventBlock', Buffer.concat([i32(20), Buffer.alloc(16)])).end(),
    'without',
  ],
  ['a number without end', new Stream().block('EventBlock', longNumber()).end(), 'more than ten bytes'],
])('%s is an error that says so', (_, bytes, message) => {
  expect(() => readNettrace(bytes, () => {})).toThrow(message)
})

function longNumber() {
  return Buffer.concat([Buffer.from([20, 0, 1, 0]), Buffer.alloc(16), Buffer.from([0]), Buffer.alloc(20, 0xff)])
}

function negativeSize() {
  const bytes = new Stream().block('Any', Buffer.alloc(4)).end()
  bytes.writeInt32LE(-8, bytes.indexOf('Any\u0006') + 4)
  return bytes
}

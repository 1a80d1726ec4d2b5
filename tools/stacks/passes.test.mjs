// @ts-check
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pictureOf } from './capture.mjs'
import { readNettrace } from './nettrace.mjs'
import { lastConsistent, passesOf, sampleOf } from './passes.mjs'
import { marksThreads, runningIn } from './running.mjs'
import { IDLE, recorded } from './testing/recorded.mjs'

/**
 * @param {readonly number[]} threads
 * @param {(thread: number) => Partial<import('./passes.mjs').Sample>} [but] what is not as usual
 * @returns {import('./passes.mjs').Sample[]} numbered by their place
 */
function samplesOf(threads, but = () => ({})) {
  return threads.map((thread, sequence) =>
    Object.assign({ thread, managed: false, stack: [1], writer: 9, sequence }, but(thread)),
  )
}

test('a pass is each thread once, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6)), (threads) => {
      const samples = samplesOf(threads)
      const passes = passesOf(samples)
      expect(passes.flat()).toEqual(samples)
      for (const [i, pass] of passes.entries()) {
        expect(new Set(pass.map(({ thread }) => thread)).size).toBe(pass.length)
        // it ends only where the next one's first thread is there already
        const next = passes[i + 1]?.[0]?.thread
        expect(next === undefined || pass.some(({ thread }) => thread === next)).toBe(true)
      }
    }),
  )
})

test('threads may come and go between passes', () => {
  const passes = passesOf(samplesOf([1, 2, 3, 1, 3, 4, 1, 4]))
  expect(passes.map((pass) => pass.map(({ thread }) => thread))).toEqual([
    [1, 2, 3],
    [1, 3, 4],
    [1, 4],
  ])
})

test('a pass with a dropped sample is passed over', () => {
  const samples = samplesOf([1, 2, 3, 1, 2, 3, 1, 2, 3])
  const last = (/** @type {number[]} */ ...dropped) =>
    lastConsistent(passesOf(samples.filter((_, i) => !dropped.includes(i))))
  expect(last()).toBe(2)
  expect(last(7)).toBe(1)
  expect(last(6)).toBe(1)
  expect(last(6, 3)).toBe(0)
  expect(lastConsistent([])).toBe(-1)
})

test('numbers of events continue at zero behind 2³² − 1', () => {
  const samples = samplesOf([0, 1, 2], (thread) => ({ sequence: (2 ** 32 - 2 + thread) % 2 ** 32 }))
  expect(lastConsistent(passesOf(samples))).toBe(0)
})

test('the recorded session has twenty whole passes over the same threads', () => {
  const bytes = recorded()
  /** @type {import('./passes.mjs').Sample[]} */
  const samples = []
  readNettrace(bytes, (event) => {
    const sample = sampleOf(event, bytes)
    if (sample) samples.push(sample)
  })
  const passes = passesOf(samples)
  expect(passes.map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 18))
  expect(lastConsistent(passes)).toBe(19)
})

test('the recorded picture has the names of a RavenDB server', () => {
  const picture = pictureOf(recorded(), IDLE, () => 'System.Net.Sockets')
  const stacks = picture?.stacks ?? []
  expect(stacks).toHaveLength(18)
  expect(stacks.find(({ thread }) => thread === 30_394)?.frames).toEqual([
    '[Native Frames]',
    'System.Private.CoreLib!System.Threading.WaitHandle.WaitOneNoCheck(int32,bool,class System.Object,value class WaitHandleWaitSourceMap)',
    'Raven.Server!Raven.Server.Program.RunAsNonInteractive()',
    'Raven.Server!Raven.Server.Program.Main(class System.String[])',
  ])
  const frames = new Set(stacks.flatMap(({ frames }) => frames.slice(1)))
  expect([...frames].filter((frame) => !/^[\w.]+!\S+\(.*\)$/.test(frame))).toEqual(['System.Net.Sockets!?'])
})

test.each([
  [[8, 0, 1000], true],
  [[9, 0, 725], false],
  [[10, 0, 226], false],
  [[10, 0, 326], true],
  [[], true],
])('runtime %j marks its samples: %s', (version, marks) => {
  expect(marksThreads(version)).toBe(marks)
})

test('the mark decides where the runtime sets it', () => {
  const pass = samplesOf([1, 2], (thread) => ({ managed: thread === 2 }))
  expect([...runningIn(pass, undefined, [8, 0, 0], IDLE)]).toEqual([2])
  expect([...runningIn(pass, undefined, [9, 0, 0], IDLE)]).toEqual([])
})

test('elsewhere the scheduler decides, or a stack that changed', () => {
  const pass = samplesOf([1, 2, 3, 4, 5])
  const earlier = samplesOf([1, 2, 3, 4], (thread) => ({ stack: [thread === 3 ? 2 : 1] }))
  const scheduler = {
    before: new Map([
      [2, { state: 'S', cpuNs: 0 }],
      [4, { state: 'S', cpuNs: 0 }],
    ]),
    after: new Map([
      [1, { state: 'R', cpuNs: Number.NaN }],
      [2, { state: 'S', cpuNs: 5e6 }],
      [4, { state: 'S', cpuNs: 1e6 }],
      [5, { state: 'D', cpuNs: 9e9 }],
    ]),
    betweenMs: 20,
  }
  expect([...runningIn(pass, earlier, [9, 0, 725], scheduler)]).toEqual([1, 2, 3])
})

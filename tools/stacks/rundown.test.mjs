// @ts-check
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Rundown } from './rundown.mjs'
import { methodPayload, modulePayload } from './testing/encode.mjs'

const PROVIDER = 'Microsoft-Windows-DotNETRuntimeRundown'

/** @param {readonly { event: number, payload: Buffer, provider?: string }[]} events */
function rundownOf(events) {
  const rundown = new Rundown(Buffer.concat(events.map(({ payload }) => payload)))
  let start = 0
  for (const { event, payload, provider = PROVIDER } of events) {
    const end = start + payload.length
    rundown.add({ provider, event, thread: 0, captureThread: 0, sequence: 0, time: 0, stack: [], start, end })
    start = end
  }
  return rundown
}

/**
 * @param {string} path of the module
 * @param {readonly [string, string, string]} names
 */
function nameOf(path, names) {
  const rundown = rundownOf([
    { event: 144, payload: methodPayload({ module: 7, start: 100, size: 10, names }) },
    { event: 154, payload: modulePayload(7, path) },
  ])
  return rundown.symbols([105]).get(105)?.name
}

test.each([
  [
    '/opt/RavenDB/Server/Voron.dll',
    ['Voron.Data.BTrees.Tree', 'DirectRead', 'instance void*  (value class Voron.Slice)'],
    'Voron!Voron.Data.BTrees.Tree.DirectRead(value class Voron.Slice)',
  ],
  ['C:\\RavenDB\\Raven.Server.DLL', ['A', 'B', 'void ()'], 'Raven.Server!A.B()'],
  [
    'Index_Orders_ByCompany.f0ba.index',
    ['Raven.Index', 'Map', 'class X (class Y)'],
    'Index_Orders_ByCompany.f0ba.index!Raven.Index.Map(class Y)',
  ],
  ['', ['dynamicClass', 'IL_STUB_PInvoke', ''], '!dynamicClass.IL_STUB_PInvoke()'],
  ['Ü.dll', ['名前', 'm', '(int32)'], 'Ü!名前.m(int32)'],
])('a method of %j is named as official tools name it', (path, names, expected) => {
  expect(nameOf(path, /** @type {[string, string, string]} */ (names))).toBe(expected)
})

test('what the rundown does not know is a question mark', () => {
  const names = /** @type {const} */ (['A', 'B', '()'])
  const rundown = rundownOf([{ event: 144, payload: methodPayload({ module: 7, start: 100, size: 10, names }) }])
  const symbols = rundown.symbols([99, 100, 109, 110, 2 ** 60], (address) => (address === 110 ? 'Mapped' : undefined))
  expect(Object.fromEntries([...symbols].map(([address, { name }]) => [address, name]))).toEqual({
    99: '?!?',
    100: '?!A.B()',
    109: '?!A.B()',
    110: 'Mapped!?',
    [2 ** 60]: '?!?',
  })
})

test('every address is named by the method that holds it', () => {
  // methods side by side, with gaps, in any order
  const lengths = fc.array(fc.record({ gap: fc.nat(5), size: fc.integer({ min: 1, max: 9 }) }), { maxLength: 30 })
  fc.assert(
    fc.property(lengths, fc.infiniteStream(fc.nat()), (all, order) => {
      let end = 2 ** 40
      const methods = all
        .map(({ gap, size }, i) => {
          const start = end + gap
          end = start + size
          return { module: 7, start, size, names: /** @type {const} */ (['T', `m${i}`, '()']), key: order.next().value }
        })
        .toSorted((a, b) => a.key - b.key)
      const rundown = rundownOf(methods.map((method) => ({ event: 144, payload: methodPayload(method) })))
      const addresses = Array.from({ length: end + 2 - 2 ** 40 }, (_, i) => 2 ** 40 - 1 + i)
      const symbols = rundown.symbols(addresses)
      for (const address of addresses) {
        const holder = methods.find(({ start, size }) => start <= address && address < start + size)
        expect(symbols.get(address)).toEqual(
          holder ? { name: `?!T.${holder.names[1]}()`, start: holder.start } : { name: '?!?', start: Number.NaN },
        )
      }
    }),
    { numRuns: 50 },
  )
})

test('other providers are passed over, and the version is the runtime’s', () => {
  const rundown = rundownOf([
    { provider: 'Other', event: 144, payload: Buffer.alloc(1) },
    { event: 187, payload: Buffer.from(new Uint16Array([1, 2, 0, 0, 0, 0, 9, 0, 725, 1]).buffer) },
    { event: 152, payload: Buffer.alloc(1) },
  ])
  expect(rundown.methods).toBe(0)
  expect(rundown.version).toEqual([9, 0, 725])
})

test.each([144, 154, 187])('an event %i that is too short is an error', (event) => {
  expect(() => rundownOf([{ event, payload: Buffer.alloc(9) }])).toThrow('nettrace: 9 bytes')
})

test('names without an end are an error', () => {
  const payload = methodPayload({ module: 7, start: 1, size: 1, names: ['A', 'B', 'C'] }).subarray(0, 38)
  expect(() => rundownOf([{ event: 144, payload }]).symbols([1])).toThrow('nettrace: ')
})

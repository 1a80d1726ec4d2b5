import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonBytes } from './json-bytes.ts'
import { TickReader } from './json-ticks.ts'
import { formatTicks, parseTicks, ticksFromMs } from '../ticks.ts'

const DAY_MS = 86_400_000
const written = fc
  .tuple(fc.integer({ min: Date.UTC(1999, 11, 30), max: Date.UTC(2030, 1, 1) }), fc.nat({ max: 9999 }))
  .map(([ms, fraction]) => formatTicks((ticksFromMs(ms) + fraction) as ReturnType<typeof ticksFromMs>))
const odd = fc.constantFrom(
  '2026-02-30T04:01:30.6364827Z',
  '2026-11-20T24:01:30.6364827Z',
  '2026-11-20T04:01:60.6364827Z',
  '2026-11-20T04:61:30.6364827Z',
  '2026-11-20T04:01:30.636482xZ',
  '2026-11-20 04:01:30.6364827Z',
  '"026-11-20T04:01:30.6364827Z',
  '2026-11-20T04:01:30.636Z',
  '2026-11-20T04:01:30',
  'soon',
)

test('law: times are read as their texts are, whatever was read before', () => {
  const close = fc
    .tuple(fc.nat({ max: 5 * 60_000 }), fc.nat({ max: DAY_MS }))
    .map(([ms]) => formatTicks(ticksFromMs(Date.UTC(2026, 10, 20, 4) + ms)))
  fc.assert(
    fc.property(fc.array(fc.oneof(close, written, odd), { maxLength: 20 }), (texts) => {
      const json = new JsonBytes()
      json.feed(new TextEncoder().encode(JSON.stringify(texts)))
      json.isLast = true
      const reader = new TickReader()
      json.expect(0x5b)
      for (const text of texts) {
        expect(reader.read(json)).toBe(parseTicks(text))
        json.next(0x5d)
      }
    }),
  )
})

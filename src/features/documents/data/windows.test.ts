import fc from 'fast-check'
import { expect, it } from 'vitest'
import { windowAt, windowCount, windowOf } from './windows.ts'

const line = fc.oneof(
  fc.string({ maxLength: 40, unit: 'grapheme' }),
  fc.nat(3000).map((length) => '😀'.repeat(length)),
)

it('parts one after another are the text, cut no character, and hold each place', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.nat(), (lines, drawn) => {
      const text = `${lines.join('\n')}\n`.repeat(60)
      const parts = Array.from({ length: windowCount(text) }, (_, i) => windowAt(text, i))
      expect(parts.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text)
      for (const { from } of parts) expect(/^[\uDC00-\uDFFF]/.test(text.slice(from, from + 1))).toBe(false)
      const at = drawn % text.length
      const { from, to } = windowAt(text, windowOf(text, at))
      expect(at >= from && at < to).toBe(true)
    }),
    { numRuns: 30 },
  )
})

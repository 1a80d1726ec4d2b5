import fc from 'fast-check'
import { expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import { exactBytes, exactText } from './exact-text.ts'

law('bytes come back from their text', [fc.uint8Array({ maxLength: 40 })], (bytes) => {
  expect([...exactBytes(exactText(bytes))]).toEqual([...bytes])
})

law('a text of whole characters is what the browser reads', [fc.string({ unit: 'binary' })], (text) => {
  expect(exactText(new TextEncoder().encode(text))).toBe(text)
  expect(exactBytes(text)).toEqual(new TextEncoder().encode(text))
})

it('keeps a byte order mark, and half a pair as it was stored', () => {
  expect(exactText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa')
  expect(exactText(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toBe('"\udced\udca0\udc80"')
  expect([...exactBytes('"\ud800"')]).toEqual([0x22, 0xef, 0xbf, 0xbd, 0x22])
})

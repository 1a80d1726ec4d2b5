import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PIECE_BYTES, Pieces } from './pieces.ts'

const drain = (out: Pieces): Uint8Array[] => {
  const all: Uint8Array[] = []
  for (let piece = out.finish(); piece !== null; piece = out.finish()) all.push(piece)
  return all
}

describe('pieces', () => {
  test('joined they are all that was written, text and bytes, and none is too large or shares a buffer', () => {
    const text = fc
      .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 60_000 }))
      .map(([unit, times]) => unit.repeat(Math.ceil(times / unit.length)))
    const bytes = fc.integer({ min: 0, max: 700_000 }).map((length) => new Uint8Array(length).fill(length % 251))
    fc.assert(
      fc.property(fc.array(fc.oneof(text, bytes), { maxLength: 12 }), (parts) => {
        const out = new Pieces()
        for (const part of parts) {
          if (typeof part === 'string') out.text(part)
          else out.bytes(part)
        }
        const pieces = drain(out)
        const wanted = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
        expect(Buffer.concat(pieces).equals(wanted)).toBe(true)
        expect(pieces.every(({ length }) => length > 0 && length <= PIECE_BYTES)).toBe(true)
        expect(pieces.slice(0, -1).every(({ length }) => length > PIECE_BYTES - 4)).toBe(true)
        expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length)
        expect(pieces.every(({ buffer }) => buffer.byteLength === PIECE_BYTES)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('nothing written is no piece', () => expect(new Pieces().finish()).toBeNull())
})

// @ts-check
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asciiJson, mergeStacks } from './merge.mjs'

const frame = fc.constantFrom('a!A.f()', 'A!a.F()', 'b!B.g(int32)', 'b', 'c"\n,', 'Ä!é.ø()')

test('each thread is in one entry, by its own stack, and no stack comes twice', () => {
  fc.assert(
    fc.property(fc.array(fc.array(frame, { maxLength: 3 }), { maxLength: 40 }), (stacks) => {
      const entries = mergeStacks(stacks.map((frames, thread) => ({ thread, frames })))
      const key = (/** @type {readonly string[]} */ frames) => JSON.stringify(frames.map((text) => text.toLowerCase()))
      expect(entries.flatMap(({ ThreadIds: threads }) => threads).toSorted((a, b) => a - b)).toEqual(
        stacks.map((_, thread) => thread),
      )
      for (const { ThreadIds: threads, StackTrace: frames } of entries) {
        for (const thread of threads) expect(key(stacks[thread] ?? [])).toBe(key(frames))
        expect(frames).toBe(stacks[threads[0] ?? -1])
      }
      expect(new Set(entries.map(({ StackTrace: frames }) => key(frames))).size).toBe(entries.length)
      const first = entries.map(({ ThreadIds: threads }) => threads[0] ?? -1)
      expect(first).toEqual(first.toSorted((a, b) => a - b))
    }),
  )
})

test('JSON is one line of ASCII that holds the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'grapheme' }), (value, text) => {
      const json = asciiJson({ value, [text]: text })
      expect(json).toMatch(/^[ -~]*$/)
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, [text]: text })))
    }),
  )
})

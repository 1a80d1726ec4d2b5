import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleLines, visibleText } from './visible.ts'

/** Unicode's own classes: controls, line and paragraph separators, and everything that controls direction. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'\u202E\u202D\u2066\u2069\u200F\u061C\n\r\t\u0000\u001B\u007F\u0085\u2028\u2029'.split('')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
})

describe('foreign texts', () => {
  test.each([
    ['\u202Eevil\u202D', String.raw`\u202Eevil\u202D`],
    ['Auto/new\nline', String.raw`Auto/new\nline`],
    ['a\u0000b', String.raw`a\u0000b`],
    ['tab\tand\rreturn', String.raw`tab\tand\rreturn`],
    [String.raw`back\slash`, String.raw`back\slash`],
    ['שלום 👨‍👩‍👧 ﷽', 'שלום 👨‍👩‍👧 ﷽'],
  ])('%j is shown as %s', (text, shown) => expect(visibleText(text)).toBe(shown))

  test('law: no hidden character is left, and what has none stays as it is', () =>
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = visibleText(text)
        expect(shown).not.toMatch(HIDDEN)
        expect(visibleText(shown)).toBe(shown)
        if (!HIDDEN.test(text)) expect(shown).toBe(text)
      }),
    ))

  test('law: texts of several lines keep their lines and tabs, and nothing else that is hidden', () =>
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = visibleLines(text)
        expect(shown.replaceAll(/\r\n|[\n\t]/g, '')).not.toMatch(HIDDEN)
        expect(shown.split(/\r?\n/)).toHaveLength(text.split(/\r?\n/).length)
        expect(visibleText(shown)).toBe(visibleText(text))
      }),
    ))
})

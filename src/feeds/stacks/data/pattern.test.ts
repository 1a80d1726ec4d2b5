import { beforeAll, describe, expect, it, test } from 'vitest'
import { engineFor, tryMatch } from './pattern.ts'

const found = (pattern: string, text: string): boolean => tryMatch({ text: pattern, isRegex: true }).matches(text)

describe('a text', () => {
  it('is found whatever its case; the empty one in everything', () => {
    const { matches } = tryMatch({ text: 'journalwriter', isRegex: false })
    expect(matches('Voron!JournalWriter.Write()')).toBe(true)
    expect(matches('Voron!Journal.Writer()')).toBe(false)
    expect(tryMatch({ text: '', isRegex: true }).matches('')).toBe(true)
    expect(tryMatch({ text: 'a.b', isRegex: false }).matches('axb')).toBe(false)
  })
})

describe('an expression', () => {
  beforeAll(() => engineFor({ text: '', isRegex: true }))

  test.each([
    ['wait\\(int', 'Wait(int32)'],
    ['^(a|ab)(c|)$', 'ABC'],
    ['[^a-z]{2}', 'a12'],
    ['\\bx', 'a x'],
    ['a.b', 'a\nb'],
    ['é', 'É'],
  ])('%s is found, in any case and over lines, in %j, and not in "-"', (pattern, text) => {
    expect([found(pattern, text), found(pattern, '-')]).toEqual([true, false])
  })

  it.each(['(a*)*b', '(a|a)*b', '(a+)+$', '(.*){20}x', 'a?'.repeat(60) + 'a{60}'])('%s takes no time', (pattern) => {
    const startMs = performance.now()
    expect(found(pattern, `${'a'.repeat(5000)}!`)).toBe(pattern.endsWith('{60}'))
    expect(performance.now() - startMs).toBeLessThan(500)
  })

  it.each([
    ['(', 'Invalid expression: missing closing )'],
    ['(a)\\1', 'Invalid expression: invalid escape sequence: \\1'],
    ['x(?=a)', 'Invalid expression: invalid or unsupported Perl syntax: (?='],
    ['x'.repeat(501), 'An expression may have at most 500 characters.'],
  ])('%s is refused with a reason, and lets all through', (text, message) => {
    const { matches, error } = tryMatch({ text, isRegex: true })
    expect([error, matches('anything')]).toEqual([message, true])
  })
})

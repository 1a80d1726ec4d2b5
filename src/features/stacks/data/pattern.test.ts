import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compileMatch, PatternError, tryMatch } from './pattern.ts'

const regex = (text: string) => compileMatch({ text, isRegex: true })

describe('a text', () => {
  it('is found whatever its case; the empty one in everything', () => {
    const matches = compileMatch({ text: 'journalwriter', isRegex: false })
    expect(matches('Voron!JournalWriter.Write()')).toBe(true)
    expect(matches('Voron!Journal.Writer()')).toBe(false)
    expect(compileMatch({ text: '', isRegex: true })('')).toBe(true)
    expect(compileMatch({ text: 'a.b', isRegex: false })('axb')).toBe(false)
  })
})

describe('an expression', () => {
  const texts = [
    '',
    'a',
    'B',
    'ab',
    'aab',
    'abc',
    'xaby',
    '12',
    'a-b',
    'a.b',
    'a\nb',
    'É',
    'é',
    '😀',
    '[x]',
    'aaaa',
    'Wait(int32)',
  ]
  test.each([
    'a',
    'ab|12',
    'a*b',
    'a+b',
    '^a',
    'b$',
    '^ab?c$',
    '^$',
    '[ab]{2,3}',
    '[^a-z]',
    'a{2}',
    'a{2,}',
    '(?:ab)+c',
    '(a|b)*c',
    '\\d',
    '\\w\\W',
    '\\s',
    '\\D',
    'a\\.b',
    '\\[x\\]',
    '[\\d-]',
    '[]a]',
    '[a-]',
    'x?y?z?',
    '.',
    'a.b',
    'é',
    'wait\\(int',
    '^(a|ab)(c|)$',
    'a??b',
    '',
  ])('%s is what the browser says', (text) => {
    const matches = regex(text)
    // In the browser a leading `]` closes the set, and a dot takes no line break.
    const theirs = new RegExp(text === '[]a]' ? '[\\]a]' : text, 'ius')
    for (const candidate of texts) expect([candidate, matches(candidate)]).toEqual([candidate, theirs.test(candidate)])
  })

  it('is what the browser says, for any of them', () => {
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '^', '$'),
        fc.tuple(tie('tree'), tie('tree')).map(([x, y]) => x + y),
        fc.tuple(tie('tree'), tie('tree')).map(([x, y]) => `(${x}|${y})`),
        fc.tuple(tie('tree'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}')).map(([x, repeat]) => `(${x})${repeat}`),
      ),
    }))
    fc.assert(
      fc.property(
        tree,
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 }), { minLength: 1, maxLength: 6 }),
        (text, candidates) => {
          const theirs = new RegExp(text, 'ius')
          const matches = regex(text)
          for (const candidate of candidates) expect(matches(candidate)).toBe(theirs.test(candidate))
        },
      ),
      { numRuns: 300, seed: 5 },
    )
  })

  it.each(['(a*)*b', '(a|a)*b', '(a+)+$', '(.*){20}x', 'a?'.repeat(60) + 'a{60}'])('%s takes no time', (text) => {
    const matches = regex(text)
    const startMs = performance.now()
    expect(matches(`${'a'.repeat(5000)}!`)).toBe(text.endsWith('{60}'))
    expect(performance.now() - startMs).toBeLessThan(500)
  })

  it.each([
    ['(', 'This bracket is never closed. (character 1)'],
    ['a)', 'This bracket was never opened. (character 2)'],
    ['*', 'There is nothing before it to repeat. (character 1)'],
    ['[a', 'This bracket is never closed. (character 1)'],
    ['a\\', 'Nothing follows the backslash. (character 2)'],
    ['(a)\\1', 'References back are not taken, since they can hang. (character 4)'],
    ['(?=a)', 'Lookaround and named groups are not supported, since they can hang. (character 1)'],
    ['\\bx', '\\b is not taken. (character 1)'],
    ['a{3,2}', 'The second number is smaller than the first. (character 2)'],
    ['a{101}', 'At most 100 repetitions can be counted. (character 2)'],
    ['((a{100}){100}){100}', 'The expression is too large. (character 1)'],
    ['[z-a]', 'This range has no end, or ends before it begins. (character 3)'],
    ['('.repeat(99), 'Too many brackets inside each other. (character 51)'],
    ['x'.repeat(501), 'At most 500 characters are taken. (character 501)'],
  ])('%s is refused with a reason', (text, message) => {
    expect(tryMatch({ text, isRegex: true }).error).toBe(message)
    expect(() => regex(text)).toThrow(PatternError)
  })
})

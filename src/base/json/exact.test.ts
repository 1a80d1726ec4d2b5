import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import { ExactError, indented, itemsBeforeCut, itemsOf, kindOf, memberOf, membersOf, plainText } from './exact.ts'

const NUMBERS = [
  '9007199254740993',
  '1.10',
  '1e400',
  '-0',
  '0.30000000000000000000000000000004',
  '18446744073709551615',
]

describe('values as they are written', () => {
  it.each(NUMBERS)('leaves the number %s as it is', (number) => {
    const text = `{"a":${number},"b":[${number} , ${number}]}`
    expect(membersOf(text)).toEqual([
      { key: 'a', value: number },
      { key: 'b', value: `[${number} , ${number}]` },
    ])
    expect(itemsOf(`[${number} , ${number}]`)).toEqual([number, number])
    expect(indented(text).replaceAll(/[\n ]/g, '')).toBe(text.replaceAll(' ', ''))
  })

  it('has the items before a cut, wherever it is', () => {
    const text = String.raw`[{"a":"}]\""},{"b":[9007199254740993]} , {}]`
    const items = itemsOf(text)
    expect(items).toHaveLength(3)
    for (let end = 0; end <= text.length; end++) {
      const before = itemsBeforeCut(text.slice(0, end))
      expect(before).toEqual(items.slice(0, before.length))
      const whole = items.filter((item) => text.indexOf(item) + item.length <= end)
      expect(before).toHaveLength(whole.length)
    }
  })

  it('keeps repeated keys, their order, and takes the last of them', () => {
    const text = '{"a":1,"b":2,"a":3}'
    expect(membersOf(text).map(({ key }) => key)).toEqual(['a', 'b', 'a'])
    expect(memberOf(text, 'a')).toBe('3')
    expect(memberOf(text, 'c')).toBeNull()
  })

  it('is not misled by what lies inside strings', () => {
    const text = String.raw`{"a\"b}":"x\\","c":"]}\"{","\ud800":"é\u202e"}`
    expect(membersOf(text).map(({ value }) => value)).toEqual([
      String.raw`"x\\"`,
      String.raw`"]}\"{"`,
      String.raw`"é\u202e"`,
    ])
    expect(membersOf(text)[0]?.key).toBe('a"b}')
    expect(membersOf(text)[2]?.key).toBe('\ud800')
  })

  it('knows kinds, and what a string says', () => {
    expect(['{}', '[]', '"a"', '-1', 'true', 'null'].map(kindOf)).toEqual([
      'object',
      'array',
      'string',
      'number',
      'word',
      'word',
    ])
    expect(plainText(String.raw`"a\nb"`)).toBe('a\nb')
    expect(plainText('1.10')).toBe('1.10')
    expect(plainText('"é\u{1F600}\u007F"')).toBe('é\u{1F600}\u007F')
    expect(plainText('""')).toBe('')
    expect(memberOf(String.raw`{"a\u0062":1,"ab":{"ab":2}}`, 'ab')).toBe('{"ab":2}')
    for (const wrong of ['"', '"a', '"a"b"', '"a\nb"', String.raw`"\x"`])
      expect(() => plainText(wrong)).toThrow(SyntaxError)
  })

  it.each(['{', '{"a"}', '{"a":}', '[1', '[1,]', '{"a":1,}', '"', 'x', ''])('refuses %s', (text) => {
    expect(() => membersOf(text)).toThrow(ExactError)
  })

  it('nests without a limit', () => {
    const deep = `${'['.repeat(100_000)}1.10${']'.repeat(100_000)}`
    expect(itemsOf(`[${deep}]`)).toEqual([deep])
  })
})

law('reads whatever JSON has, and changes no token where it indents', [fc.json()], (json) => {
  expect(JSON.stringify(JSON.parse(indented(json)))).toBe(JSON.stringify(JSON.parse(json)))
  const items = kindOf(json) === 'array' ? itemsOf(json) : [json]
  expect(JSON.parse(`[${items.join(',')}]`)).toEqual(kindOf(json) === 'array' ? JSON.parse(json) : [JSON.parse(json)])
})

it('indents a deep value only so far that its text stays short', () => {
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
  expect(indented(deep).replaceAll(/\s/g, '')).toBe(deep)
  expect(indented(deep).length).toBeLessThan(100 * deep.length)
})

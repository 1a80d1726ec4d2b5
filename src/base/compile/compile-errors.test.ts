import { describe, expect, it } from 'vitest'
import { compileErrorsIn, compileErrorsOf, compileErrorWords, placeInSource, scriptPlaceOf } from './compile-errors.ts'

/** As 7.1.5 refuses an index, with the middle of its imports left in: lines count. */
const generated = (body: readonly string[], errors: string): string =>
  [
    'Failed to compile index Bad',
    '',
    [
      'using System;',
      'using System.Linq;',
      '',
      'namespace Raven',
      '{',
      '    public class Index_Bad',
      '    {',
      ...body,
    ].join('\r\n'),
    '',
    errors,
    '',
  ].join('\n')

const BODY = [
  '        IEnumerable Map_0(IEnumerable<dynamic> docs)',
  '        {',
  '            foreach (var o in docs)',
  '            {',
  '                yield return new',
  '                {',
  '                    o.N,',
  '                    X = Foo(o.Company)',
  '                };',
]
const MAP = 'from o in docs.Orders\nselect new {\n  o.N,\n  X = Foo(o.Company)\n}'

describe('errors of the compiler', () => {
  const message = generated(BODY, "(15,25): error CS0103: The name 'Foo' does not exist in the current context")

  it('are found again in the map', () => {
    const [error] = compileErrorsOf(message)
    expect(error).toEqual({
      part: 1,
      message: "CS0103: The name 'Foo' does not exist in the current context",
      before: 'X = ',
      after: 'Foo(o.Company)',
    })
    const place = placeInSource(MAP, error!)
    expect(MAP.slice(place?.from, place?.to)).toBe('Foo')
  })

  it('point to what something is missing after', () => {
    const body = BODY.map((line) => line.replace(' Foo(o.Company)', ''))
    const [error] = compileErrorsOf(generated(body, "(15,24): error CS1525: Invalid expression term '}'"))
    const map = 'from o in docs.Orders\nselect new {\n  o.N,\n  X = \n}'
    const place = placeInSource(map, error!)
    expect(map.slice(place?.from, place?.to)).toBe('=')
  })

  it('are worded in a line each, and read back', () => {
    const errors = compileErrorsOf(message)
    expect(compileErrorWords(errors)).toBe(
      "Map 1: CS0103: The name 'Foo' does not exist in the current context, at “X =  ▸Foo(o.Company)”",
    )
    expect(compileErrorsIn(compileErrorWords(errors))).toEqual(errors)
  })

  it('are not looked for in other messages', () => {
    expect(compileErrorsOf('(1,2): error CS1: x')).toEqual([])
    expect(compileErrorsIn('The index is locked.')).toEqual([])
    expect(placeInSource('from o in docs', { before: '', after: '' })).toBeNull()
  })
})

it.each([
  ["Unexpected token ';' (<anonymous>:3:1)", { line: 3, column: 1 }],
  ['Line 1: Unexpected token )', { line: 1, column: 1 }],
  ['The index is locked', null],
])('a script error %s is at its line', (message, place) => expect(scriptPlaceOf(message)).toEqual(place))

import { describe, expect, it } from 'vitest'
import {
  copyOf,
  definitionJson,
  definitionProblem,
  definitionText,
  faultsOf,
  isScript,
  wholeText,
  withSettingsOf,
} from './definition-text.ts'
import type { DefinitionText } from './contract.ts'

/** As 7.1.5 sends it, without what is null. */
const SAVED = String.raw`{"Name":"Orders/ByN","SourceType":"Documents","Type":"Map","LockMode":"Unlock","Priority":"Normal","State":"Normal","DeploymentMode":null,"Configuration":{"Indexing.MapTimeoutInSec":"15"},"AdditionalSources":{"a.cs":"class A { \"x\" }"},"Reduce":null,"Maps":["from o in docs.Orders\r\nselect new { o.N }"],"Fields":{"N":{"Storage":"Yes","Boost":1.10}}}`

describe('a definition as text', () => {
  it('has each part, and loses none of them on the way back', () => {
    const definition = definitionText(SAVED)
    expect(definition.maps).toEqual(['from o in docs.Orders\r\nselect new { o.N }'])
    expect(definition.reduce).toBe('')
    expect(definition.sources).toEqual([{ name: 'a.cs', text: 'class A { "x" }' }])
    // Nothing of the options is read as a number.
    expect(definition.options).toContain('"Boost": 1.10')
    const sent = definitionJson('Orders/ByN', definition)
    expect(sent).toContain('1.10')
    expect(JSON.parse(sent)).toEqual({
      Name: 'Orders/ByN',
      Maps: definition.maps,
      Reduce: null,
      AdditionalSources: { 'a.cs': 'class A { "x" }' },
      LockMode: 'Unlock',
      Priority: 'Normal',
      State: 'Normal',
      Configuration: { 'Indexing.MapTimeoutInSec': '15' },
      Fields: { N: { Storage: 'Yes', Boost: 1.1 } },
    })
  })

  it('with two sources of one name is not sent: the server would keep one of them', () => {
    const source = { name: 'a.cs', text: '' }
    const definition = { maps: ['x'], reduce: '', sources: [source, source], options: '{}' }
    expect(definitionProblem('A', definition)).toContain('the same name')
  })

  it('of many comments is told from a script at once', () => {
    expect(isScript({ maps: [`${'/* a */ '.repeat(200)}from o in docs.Orders select new { o.N }`] })).toBe(false)
    expect(isScript({ maps: [`${'/* a * / ** */ '.repeat(200)}map("Orders", o => o)`] })).toBe(true)
  })

  it.each([
    ['', { maps: ['x'] }, 'needs a name'],
    ['Auto/X', { maps: ['x'] }, 'automatic'],
    ['A', { maps: [' '] }, 'needs a map'],
    ['A', { maps: ['x'], options: '{' }, 'no JSON'],
    ['A', { maps: ['x'], options: '[]' }, 'an object'],
  ])('named %j with %j is not sent', (name, parts, words) => {
    const definition = { reduce: '', sources: [], options: '{}', ...parts }
    expect(definitionProblem(name, definition)).toContain(words)
  })

  it.each([
    ['map("Orders", o => ({ N: o.N }))', true],
    ['// of orders\n timeSeries.map("Orders", "x", s => s)', true],
    ['from o in docs.Orders select new { o.N }', false],
    ['docs.Orders.Select(o => new { o.N })', false],
  ])('%s is a script: %s', (map, script) => expect(isScript({ maps: [map] })).toBe(script))
})

describe('what does not compile', () => {
  const definition = { maps: ['map("Orders", o => {\n return { N: o.N \n; })'], reduce: '', sources: [], options: '' }

  it('of a script is at the line that the server names', () => {
    const [fault] = faultsOf("Unexpected token ';' (<anonymous>:3:1)", definition)
    expect(fault).toMatchObject({ part: 0 })
    expect(definition.maps[0]?.slice(fault?.place?.from)).toBe('; })')
    expect(faultsOf('Line 1: Unexpected token )', definition)[0]?.place?.from).toBe(0)
  })

  it('of a script is in the part that has the token there', () => {
    const sources = [{ name: 'h.js', text: 'function twice(n) { return n * ; }' }]
    const maps = ['map("Things", t => ({ T: twice(t.N), Another: 1, Third: 2 }))']
    const message = "Unexpected token ';' (<anonymous>:1:32)"
    expect(faultsOf(message, { ...definition, maps, sources })).toEqual([
      { part: 'source 0', message, place: { from: 31, to: 34 } },
    ])
    expect(faultsOf(message, { ...definition, maps: [...maps, 'map("Others", t => ({ Four: 444 ; }))'] })).toEqual([
      { part: 1, message, place: { from: 31, to: 37 } },
    ])
  })

  it.each([
    // Lines of the source as the server formats it: beyond the generated code, and within the code of the map.
    ["(70,24): error CS0103: The name 'Missing' does not exist in the current context", { from: 60, to: 67 }],
    ["(10,24): error CS0103: The name 'Missing' does not exist in the current context", { from: 60, to: 67 }],
    ['(70,24): error CS1002: ; expected', null],
  ])('in an additional source is there: %s', (error, place) => {
    const generated = `using System;\n\n\n\nIEnumerable Map_0(docs)${'\nselect new { T = 1 }'.repeat(9)}`
    const message = `Failed to compile index A\n\n${generated}\n\n${error}\n`
    const sources = [{ name: 'a.cs', text: 'public static class H { public static int T(int n) { return Missing; } }' }]
    const found = faultsOf(message, {
      maps: ['from t in docs.Things select new { T = 1 }'],
      reduce: '',
      sources,
      options: '',
    })
    expect(found).toEqual([{ part: 'source 0', message: error.slice(error.indexOf('CS')), place }])
  })

  it('in a map of an index with additional sources is there', () => {
    const generated =
      'using My;\nusing Other;\nusing System;\n\nMap_0(docs)\nselect new { A = 1,\nF = Foo(t.N),\nB = 2 }'
    const message = `Failed to compile index A\n\n${generated}\n\n(7,5): error CS0103: The name 'Foo' does not exist\n`
    const map = 'from t in docs.Things select new { A = 1, F = Foo(t.N), B = 2 }'
    const [fault] = faultsOf(message, { maps: [map], reduce: '', sources: [{ name: 'a.cs', text: '' }], options: '' })
    expect(fault).toMatchObject({ part: 0, place: { from: map.indexOf('Foo'), to: map.indexOf('Foo') + 3 } })
  })

  it('without a place is said all the same', () => {
    expect(faultsOf('The index is locked.\n at X', definition)).toEqual([
      { part: null, message: 'The index is locked.', place: null },
    ])
  })
})

it('takes an earlier definition with what the index is set to now', () => {
  const now = definitionText(
    '{"Maps":["b"],"LockMode":"Unlock","Priority":"High","State":"Normal","Configuration":{"A":1.10}}',
  )
  const past = definitionText(
    '{"Maps":["a"],"LockMode":null,"Priority":null,"Fields":{"N":{"Boost":2.50}},"Configuration":{"A":1.1}}',
  )
  const taken = withSettingsOf(past, now)
  expect(taken.maps).toEqual(['a'])
  expect(taken.options.replaceAll(/\s/gu, '')).toBe(
    '{"LockMode":"Unlock","Priority":"High","State":"Normal","Configuration":{"A":1.1},"Fields":{"N":{"Boost":2.50}}}',
  )
})

it('is copied without what separate actions set', () => {
  const locked = '{"LockMode":"LockedError","Priority":"High","State":"Disabled","Fields":{"N":{"Boost":2.50}}}'
  const copy = copyOf({ maps: ['a'], reduce: '', sources: [], options: locked })
  expect(copy.options.replaceAll(/\s/gu, '')).toBe('{"Fields":{"N":{"Boost":2.50}}}')
})

it('knows the present definition in the history of 5.4, which has no version there', () => {
  const definition = (more: string): DefinitionText =>
    definitionText(`{"Name":"A",${more}"Type":"Map","LockMode":"Unlock","Maps":["a"]}`)
  const now = definition('"Version":54004,')
  expect(wholeText(withSettingsOf(definition(''), now))).toBe(wholeText(now))
})

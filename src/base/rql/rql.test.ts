import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import { errorWords, offsetOf, placeOf, selectsCall, shapeOf, withoutIncludes, withoutUpdate } from './shape.ts'
import { tokensOf } from './tokens.ts'

describe('tokens of RQL', () => {
  it('tells keywords, names, functions, strings, numbers and parameters', () => {
    const text = `from index 'A/B' as a where a.N > 1.10 and search(Text, "x''y") and id() in ($ids) // end`
    expect(tokensOf(text).map(({ kind, text: token }) => `${kind} ${token}`)).toEqual([
      'keyword from',
      'keyword index',
      "string 'A/B'",
      'keyword as',
      'name a',
      'keyword where',
      'name a',
      'operator .',
      'name N',
      'operator >',
      'number 1.10',
      'keyword and',
      'function search',
      'operator (',
      'name Text',
      'operator ,',
      `string "x''y"`,
      'operator )',
      'keyword and',
      'function id',
      'operator (',
      'operator )',
      'keyword in',
      'operator (',
      'parameter $ids',
      'operator )',
      'comment // end',
    ])
  })
})

law('tokens cover any text without gaps but white space', [fc.string({ unit: 'binary', maxLength: 30 })], (text) => {
  const tokens = tokensOf(text)
  const ends = [0, ...tokens.map(({ to }) => to)]
  const between = [...tokens.map(({ from }) => from), text.length].map((from, i) => text.slice(ends[i], from))
  expect(between.join('').trim()).toBe('')
  expect(tokens.map(({ from, to }) => text.slice(from, to))).toEqual(tokens.map((token) => token.text))
})

describe('shape of a query', () => {
  it.each([
    ['from Orders', { source: { kind: 'collection', name: 'Orders' }, needsIndex: false, indexed: [] }],
    ["from 'My Orders' as o where o.ShipTo.City = 'x'", { alias: 'o', needsIndex: true, indexed: ['ShipTo.City'] }],
    ["from index 'Orders/ByN' where N > 1", { source: { kind: 'index', name: 'Orders/ByN' } }],
    ["from Orders where id() = 'orders/1'", { needsIndex: false, indexed: [] }],
    ["from @all_docs where startsWith(id(), 'o')", { needsIndex: false }],
    ['from Orders order by Freight as double desc', { needsIndex: true }],
    ["from Orders where search(Text, 'a')", { needsIndex: true, indexed: ['Text'] }],
    ['from Orders as o select { N: o.N }', { isComputed: true, needsIndex: false }],
    ['from Orders update { this.A = 1 }', { isUpdate: true }],
    ['from Orders include timings()', { hasTimings: true, isUpdate: false }],
    ['from Orders where A = $a and B = $b or A = $a', { parameters: ['a', 'b'], indexed: ['A', 'B'] }],
    ['from A order by N as double desc, M as long', { indexed: ['N', 'M'] }],
    ['declare function f(o) { return o.where } from Orders as o select f(o)', { isComputed: true, needsIndex: false }],
    ['', { source: null, alias: null, needsIndex: false }],
    ['from', { source: null }],
  ])('%s', (text, expected) => expect(shapeOf(text)).toMatchObject(expected))
})

it.each([
  ['from Orders update { this.A = 1 }', 'from Orders'],
  ["from Orders where A = 'update {' update { put('x', { update: 1 }) }", "from Orders where A = 'update {'"],
  [
    'declare function f() { return 1 }\nfrom Orders UPDATE { this.A = f() }',
    'declare function f() { return 1 }\nfrom Orders',
  ],
  ['from Orders', 'from Orders'],
  ['from A /* x */ update /* y */ { this.N = 1 }', 'from A /* x */'],
])('the query of %j is %j', (text, query) => expect(withoutUpdate(text)).toBe(query))

it.each([
  ['from A include B', 'from A '],
  ["from index 'A/B' where N = 1 include counters('x'), timings() limit 5", "from index 'A/B' where N = 1 limit 5"],
  ['from A as a select { include: a.include }', 'from A as a select { include: a.include }'],
  ['declare function f(a) { include(a.B); return a } from A as a select f(a)', null],
  ["from A where N = 'include B'", null],
])('%j has the results of %j', (text, same) => expect(withoutIncludes(text)).toBe(same ?? text))

describe('where the server’s error is', () => {
  const at = (text: string, message: string): string | null => {
    const place = placeOf(text, message)
    return place === null ? null : text.slice(place.from, place.to)
  }

  // As 7.1.5, 6.2.4 and 5.4.207 report them.
  it.each([
    ['from Orders whre N > 1', '1:18 Expected end of query but got: N\nQuery: \nfrom Orders whre N > 1', 'N'],
    ['from Orders\nwhere N = 1\norder by ,', '3:11 Unable to get field for ORDER BY but got: ,', ','],
    ['from Orders where', '1:18 Unable to parse WHERE clause but got to the end of the query', 'where'],
    ["from index 'A' where Nope > 1", "The field 'Nope' is not indexed in 'A', cannot query", 'Nope'],
    ['from Orders limit $a', 'Limit must contain a value', null],
  ])('%s', (text, message, place) => expect(at(text, message)).toBe(place))

  law('is never outside of the text', [fc.string(), fc.nat(9), fc.nat(99)], (text, line, column) => {
    const place = placeOf(text, `${line}:${column} x`)
    expect(offsetOf(text, line, column)).toBeLessThanOrEqual(text.length)
    expect(place === null || (place.from <= place.to && place.to <= text.length)).toBe(true)
  })

  it('is worded without what is known', () => {
    expect(errorWords('1:18 Expected end of query but got: N\nQuery: \nfrom')).toBe('Expected end of query but got: N')
  })
})

it.each([
  ['declare function f(o) { return o.Lines } from Orders as o select f(o)', true],
  [
    'declare function a() {} declare function f(o) { return [] }\nfrom index "X" as o where o.N > 1 select distinct f(o) limit 3',
    true,
  ],
  ['declare function f(o) { return 1 } from Orders as o select { N: f(o) }', false],
  ['declare function f(o) { return 1 } from Orders as o select sum(o.N)', false],
  ['declare timeseries f(o) { from o.HeartRate } from Orders as o select f(o)', false],
  ['from Orders as o select o.Lines', false],
  ['from Orders', false],
])('%j has results that a function returns: %s', (text, expected) => expect(selectsCall(text)).toBe(expected))

import { expect, it } from 'vitest'
import { findingsOf, placeInError } from './findings.ts'

const marked = (text: string): readonly (readonly [string, string])[] =>
  findingsOf(text).map(({ from, to, message }) => [text.slice(from, to), message])

it('finds nothing in what the server stores as it is written', () => {
  expect(
    marked(
      '{"A": 12345678901234567890, "B": 1.10, "C": "\\ud83d\\ude00 \\\\ud800", "@metadata": {"@collection": "X"}}',
    ),
  ).toEqual([])
})

it('finds nothing in metadata as the server takes them', () => {
  expect(marked('{"@metadata": {"@collection": "X", "@refresh": "2027-01-01T00:00:00Z", "Own": null}}')).toEqual([])
})

it.each([
  ['{"A": 1,}', '}', 'A property name in double quotes is expected.'],
  ['{"A": nul}', 'nul', 'This is no value of JSON.'],
  ['{"A": 1 "B": 2}', '"B"', 'A comma is expected.'],
  ['[1]', '[1]', 'A document is an object: { … }.'],
  ['{"A": 1, "A": 2}', '"A"', '“A” is there twice: the server keeps the last one.'],
  ['{"A": 1e400}', '1e400', 'The server refuses a number beyond ±1.8e308.'],
  ['{"A": -0}', '-0', 'The server stores −0 as 0.'],
  ['{"A": "\\ud800"}', '"\\ud800"', 'The server replaces half a surrogate pair by U+FFFD.'],
  ['{"@metadata": {"@id": "x"}}', '"x"', 'The server writes “@id” itself.'],
  ['{"@metadata": 5}', '5', '“@metadata” is an object: { … }.'],
  ['{"@metadata": {"@collection": 5}}', '5', 'The name of a collection is a string.'],
  [
    '{"@metadata": {"@expires": "soon"}}',
    '"soon"',
    'The server takes a time for “@expires”, such as 2026-11-27T02:00:00.0000000Z.',
  ],
])('%s: %s', (text, at, message) => expect(marked(text)).toContainEqual([at, message]))

it('finds the place that an error of the server names', () => {
  const text = '{\n    "A": 1e400,\n    "B": 2\n}'
  expect(placeInError('Could not parse double: 1e400 at  (2,16) around: {', text)).toBe(text.indexOf('1e400') + 6)
  expect(placeInError('Stream ended', text)).toBeNull()
  expect(placeInError('at (9,1)', text)).toBeNull()
})

it('leaves a text with thousands of levels to the server', () => {
  expect(findingsOf(`{"D":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`)).toEqual([])
  expect(findingsOf(`{"D":"${'['.repeat(20_000)}","N":1,"N":2}`)).toHaveLength(1)
})

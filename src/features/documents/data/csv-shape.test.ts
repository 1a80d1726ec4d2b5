import { expect, it } from 'vitest'
import type { Delimiter } from './csv-preview.ts'
import { CsvShape } from './csv-shape.ts'

function problemOf(text: string, delimiter: Delimiter = 'Comma', size = 1000): string | null {
  const bytes = new TextEncoder().encode(text)
  const shape = new CsvShape(delimiter)
  for (let at = 0; at < bytes.length; at += size) shape.push(bytes.subarray(at, at + size))
  shape.end()
  return shape.problem
}

it.each([
  'a,b\n1,2\n',
  'a,b\r\n1,2\r\n\r\n3,4',
  'a,b\r1,2\r',
  '\uFEFF"a","b"\n"x, ""y""\n\nz",2\n',
  'a,b\n"",""\n,\n',
  'a,b\n1,x"y\n2,"x"y\n',
  'a\n1\n"2\n3"\n',
  '',
])('loses nothing of %j', (text) => {
  expect(problemOf(text)).toBeNull()
  expect(problemOf(text, 'Comma', 1)).toBeNull()
})

it.each([
  ['a,b\n1,"x\n2,y\n3,z\n', 'The quotation mark in line 2 is not closed: all that follows would be one value.'],
  ['a,b\n"x\ny",2\n\n3,"""', 'The quotation mark in line 5 is not closed: all that follows would be one value.'],
  ['a,b,c\n"x\ny",2,3\n1,2\n', 'Line 4 has 2 fields, and the first line 3: the server would leave the line out.'],
  ['a,b\r\n1,2\r\n1,2,3\r\n', 'Line 3 has 3 fields, and the first line 2: the server would leave the last ones out.'],
  ['a,b\n1,2\nend', 'Line 3 has 1 field, and the first line 2: the server would leave the line out.'],
])('finds what is lost of %j', (text, problem) => {
  expect(problemOf(text)).toBe(problem)
  expect(problemOf(text, 'Comma', 1)).toBe(problem)
})

it('counts fields by the delimiter', () => {
  expect(problemOf('a;b\n1,5;2\n', 'Semicolon')).toBeNull()
  expect(problemOf('a\tb\n1\n', 'Tab')).toMatch(/Line 2/)
})

import { expect, it } from 'vitest'
import { exactText } from '../../../base/text/exact-text.ts'
import { csvProblem, csvRows, csvWarning, likelyDelimiter } from './csv-preview.ts'

it('reads quoted fields, line ends of all kinds, and leaves out a row that is cut', () => {
  const text = '\uFEFF@id,Name,Note\r\n1,"A, ""B""","two\nlines"\n\n2,C,\r3,cut'
  expect(csvRows(text, 'Comma', 10, false)).toEqual([
    ['@id', 'Name', 'Note'],
    ['1', 'A, "B"', 'two\nlines'],
    ['2', 'C', ''],
  ])
  expect(csvRows(text, 'Comma', 10, true)).toHaveLength(4)
  expect(csvRows(text, 'Comma', 2, true)).toHaveLength(2)
})

it('finds the delimiter by the first line', () => {
  expect(likelyDelimiter('a;b;c\n1,2;3;4')).toBe('Semicolon')
  expect(likelyDelimiter('a\tb\n1\t2')).toBe('Tab')
  expect(likelyDelimiter('a,b\n1,2')).toBe('Comma')
})

it('names what makes no documents', () => {
  const of = (text: string) => csvProblem(text, csvRows(text, 'Comma', 10, true), true)
  expect(of('a,b\n1,2')).toBeNull()
  expect(of('')).toMatch(/empty/)
  expect(of('a,b\n')).toMatch(/no line of values/)
  expect(of('a,a\n1,2')).toMatch(/“a” twice/)
  expect(of('a\u0000\n1')).toMatch(/UTF-8/)
  expect(of(exactText(Buffer.from('a\nMüller', 'latin1')))).toMatch(/UTF-8/)
  expect(of('a\n🦆')).toBeNull()
  expect(of('sep=;\r\na;b\r\n1;2')).toMatch(/“sep=;”/)
  expect(of('@id,a\n1,2\n,3')).toMatch(/no @id/)
})

it('takes no file for empty of which the first rows are longer than what was read', () => {
  const of = (text: string) => csvProblem(text, csvRows(text, 'Comma', 10, false), false)
  expect(of('a,b,c')).toBeNull()
  expect(of('a,b\n1,xxxx')).toBeNull()
})

it('warns that leading zeros are lost', () => {
  const of = (text: string) => csvWarning(csvRows(text, 'Comma', 10, true))
  expect(of('007\nx,0,0.5,10')).toBeNull()
  expect(of('Zip\n01067')).toBe('The server makes the number 1067 of “01067”.')
})

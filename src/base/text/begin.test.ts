import { expect, it } from 'vitest'
import { beginOf, firstLineOf } from './begin.ts'

it('begins without half a character', () => {
  expect(beginOf('abc', 3)).toBe('abc')
  expect(beginOf('abcd', 3)).toBe('abc')
  expect(beginOf('ab\u{1F426}', 3)).toBe('ab')
})

it('is the first line, with a mark where it is cut', () => {
  expect(firstLineOf('one\ntwo', 10)).toBe('one')
  expect(firstLineOf('x'.repeat(300_000), 3)).toBe('xxx…')
  expect(firstLineOf(`${'x'.repeat(300)}\ny`, 3)).toBe('xxx…')
  expect(firstLineOf('xxx', 3)).toBe('xxx')
  expect(firstLineOf('xxx\n', 3)).toBe('xxx')
})

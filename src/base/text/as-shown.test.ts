import { expect, it } from 'vitest'
import { asShown } from './as-shown.ts'

it.each([
  ['two spaces', 'Orders/By  Company', 'Orders/By Company'],
  ['a hard space', 'a\u00A0b', 'a b'],
  ['an accent of its own', 'Cafe\u0301', 'Caf\u00E9'],
  ['a character without width', 'a\u200Bb\uFEFF', 'ab'],
  ['an escape as it is shown', 'a\u202Eb', String.raw`a\u202Eb`],
  ['a line break as it is shown', 'a\nb', String.raw`a\nb`],
  ['blanks around it', ' shop ', 'shop'],
])('takes %s for what it looks like', (_, name, typed) => expect(asShown(name)).toBe(asShown(typed)))

it.each([
  ['Gamma', 'gamma'],
  ['a b', 'ab'],
  ['shop', 'shop2'],
])('tells %s from %s', (name, typed) => expect(asShown(name)).not.toBe(asShown(typed)))

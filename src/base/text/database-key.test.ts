import fc from 'fast-check'
import { expect, test } from 'vitest'
import { law } from '../../testing/law.ts'
import { databaseKey } from './database-key.ts'

test.each([
  ['demo', 'DEMO', true],
  ['Übung', 'üBUNG', true],
  ['Straße', 'STRASSE', false],
  ['ınfo', 'INFO', false],
  ['ſhop', 'SHOP', false],
  ['a_b', 'a-b', false],
])('%s and %s are one database: %s', (a, b, areOne) => {
  expect(databaseKey(a) === databaseKey(b)).toBe(areOne)
})

law('a name has the key of its key, and the same length', [fc.string({ unit: 'grapheme' })], (name) => {
  expect(databaseKey(databaseKey(name))).toBe(databaseKey(name))
  expect(databaseKey(name)).toHaveLength(name.length)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastPart, readIndexNames, realIndexName } from './index-names.ts'

test('slashes of a name are underscores of its folder', () => {
  expect(realIndexName('Events_ByKind', ['Events/ByKind', 'Events/ByHour'])).toBe('Events/ByKind')
})

test('Windows forbids more', () => {
  expect(realIndexName('Auto_a_b_c', ['Auto/a<b>c'])).toBe('Auto/a<b>c')
})

test('a cut name is found by its beginning; two that begin alike are not guessed', () => {
  const long = `Orders/${'x'.repeat(80)}`
  const folder = `${long.replace('/', '_').slice(0, 64)}.1234567`
  expect(realIndexName(folder, [long])).toBe(long)
  expect(realIndexName(folder, [long, `${long}y`])).toBeNull()
})

test('law: the folder of any short name without underscores finds that name', () => {
  const name = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !text.includes('_') && text.trim() === text)
  fc.assert(
    fc.property(name, (text) => {
      expect(realIndexName(text.replaceAll(/[/\0]/g, '_'), [text])).toBe(text)
    }),
  )
})

test('names come from the answer, whatever else is in it', () => {
  expect(readIndexNames({ Results: ['a', 7, null, '__proto__'] })).toEqual(['a', '__proto__'])
  expect(readIndexNames('<html>')).toEqual([])
  expect(lastPart('C:\\raven\\Indexes\\A_B\\')).toBe('A_B')
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexFolder, lastPart, readIndexNames, realIndexName } from './index-names.ts'

test('slashes of a name are underscores of its folder', () => {
  expect(realIndexName('Events_ByKind', ['Events/ByKind', 'Events/ByHour'])).toBe('Events/ByKind')
})

test('Windows forbids more', () => {
  expect(realIndexName(String.raw`C:\raven\Databases\shop\Indexes\Auto_a_b_c`, ['Auto/a<b>c'])).toBe('Auto/a<b>c')
  const both = [String.raw`Auto/a\b`, 'Auto/c']
  expect(realIndexName(String.raw`C:\raven\Databases\shop\Indexes\Auto_a_b`, both)).toBe(both[0])
})

test('on Linux a backslash of a name becomes a folder: names are distinguished by the whole path', () => {
  // As a 7.1.5 on Linux reports them.
  const root = '/var/lib/ravendb/data/Databases/demo/Indexes'
  const names = [
    String.raw`Auto/back\slash/ByName`,
    String.raw`Auto/other\slash/ByName`,
    String.raw`Auto/a\u0000b/ByName`,
    String.raw`Auto/..\up/ByName`,
    'slash/ByName',
    'Auto/back/slash/ByName',
  ]
  const paths = [
    'Auto_back/slash_ByName',
    'Auto_other/slash_ByName',
    'Auto_a/u0000b_ByName',
    'Auto_../up_ByName',
    'slash_ByName',
    'Auto_back_slash_ByName',
  ]
  expect(paths.map((path) => realIndexName(`${root}/${path}`, names))).toEqual(names)
  expect(paths.map((path) => indexFolder(`${root}/${path}`))).toEqual(paths)
})

test('a database, or an index, may be called Indexes itself', () => {
  const root = '/data/Databases/Indexes/Indexes'
  const names = ['ByName', String.raw`a\Indexes\ByHour`]
  expect(realIndexName(`${root}/ByName`, names)).toBe('ByName')
  expect(realIndexName(`${root}/a/Indexes/ByHour`, names)).toBe(names[1])
})

test('a cut name is found by its beginning; two that begin alike are not guessed', () => {
  const long = `Orders/${'x'.repeat(80)}`
  const folder = `${long.replace('/', '_').slice(0, 64)}.1234567`
  expect(realIndexName(folder, [long])).toBe(long)
  expect(realIndexName(folder, [long, `${long}y`])).toBeNull()
})

test('law: the folder of any short name without underscores finds that name', () => {
  const name = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !/[_\\]/.test(text) && text.trim() === text)
  fc.assert(
    fc.property(name, (text) => {
      const folder = text.replaceAll(/[/\0]/g, '_')
      expect(realIndexName(`/data/Databases/x/Indexes/${folder}`, [text])).toBe(text)
      expect(realIndexName(folder, [text])).toBe(text)
    }),
  )
})

test('names come from the answer, whatever else is in it', () => {
  expect(readIndexNames({ Results: ['a', 7, null, '__proto__'] })).toEqual(['a', '__proto__'])
  expect(readIndexNames('<html>')).toEqual([])
  expect(lastPart('C:\\raven\\Indexes\\A_B\\')).toBe('A_B')
})

import { expect, it } from 'vitest'
import { collectionIn, withCollection } from './collection-in.ts'

it('adds a collection to the metadata, and changes no other byte', () => {
  const text = '{"Id":12345678901234567890,"P":1.10,"x":1,"x":2}'
  const added = withCollection(text, 'Odds') ?? ''
  expect(collectionIn(text)).toBeNull()
  expect(collectionIn(added)).toBe('Odds')
  expect(added).toBe(`${text.slice(0, -1)},"@metadata": {"@collection":"Odds"}}`)

  const lines = '{\n    "A": 1.10\n}'
  expect(withCollection(lines, 'As')).toBe(
    '{\n    "A": 1.10,\n    "@metadata": {\n        "@collection": "As"\n    }\n}',
  )
  const own = '{\n    "@metadata": {\n        "Own": 1.50\n    }\n}'
  expect(collectionIn(withCollection(own, 'A') ?? '')).toBe('A')
  expect(withCollection(own, 'A')).toContain('"Own": 1.50')
  expect(collectionIn('{"@metadata":{"@collection":"Orders"}}')).toBe('Orders')
  expect(collectionIn('{"\\q":1,"@metadata":{"@collection":"Orders"}}')).toBeNull()
  expect(withCollection('[1]', 'A')).toBeNull()
  expect(withCollection('', 'A')).toBeNull()
})

it('reads the collection of a document of more levels than are parsed', () => {
  const deep = `${'['.repeat(1001)}${']'.repeat(1001)}`
  expect(collectionIn(`\n{"A":${deep},"@metadata":{"@collection":"Orders"}}`)).toBe('Orders')
})

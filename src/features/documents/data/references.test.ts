import fc from 'fast-check'
import { expect, it } from 'vitest'
import { referencesTo, ResultDocuments } from './references.ts'

const documentOf = (id: string, fields: object): string =>
  JSON.stringify({
    ...fields,
    '@metadata': { '@collection': 'Orders', '@id': id, '@flags': 'employees/1-A', Own: 'x' },
  })

it('cuts a response into its documents, wherever its pieces end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (documents, lengths) => {
        const whole = documents.map((each) => JSON.stringify(each))
        const text = `{"Results":[${whole.join(',')}]}`
        const cutter = new ResultDocuments()
        const found: string[] = []
        for (let at = 0, i = 0; at < text.length; i++) {
          expect(cutter.isWhole).toBe(false)
          const length = lengths[i % lengths.length] ?? 1
          found.push(...cutter.push(text.slice(at, at + length)))
          at += length
        }
        expect(found).toEqual(whole)
        expect(cutter.isWhole).toBe(true)
      },
    ),
  )
})

it.each([
  ['a field', 'employees/1-A', { Employee: 'employees/1-A' }, ['Employee']],
  ['upper and lower case', 'employees/1-A', { Employee: 'Employees/1-a' }, ['Employee']],
  ['items, without their numbers', 'p/1', { Lines: [{ P: 'p/1' }, { P: 'p/2' }, { P: 'p/1' }] }, ['Lines[].P']],
  ['a name', 'p/1', { Stock: { 'p/1': 3 } }, ['Stock, as a name']],
  ['characters that are escaped', 'a"\\\n/1', { A: 'a"\\\n/1' }, ['A']],
  ['metadata of the user', 'x', {}, ['@metadata.Own']],
  ['no longer text', 'employees/1-A', { Note: 'see employees/1-A' }, null],
  ['no metadata of the server', 'employees/1-A', {}, null],
  ['not the document itself', 'orders/1', { Id: 'orders/1' }, null],
])('finds %s', (_, id, fields, expected) => {
  expect(referencesTo(id)(documentOf('orders/1', fields))).toEqual(
    expected === null ? null : { id: 'orders/1', collection: 'Orders', fields: expected },
  )
})

it('does not pass over a document of more levels than are parsed', () => {
  const deep = (text: string, id = 'a'): string =>
    `{"A":${'['.repeat(1001)}${text}${']'.repeat(1001)},"@metadata":{"@id":"${id}"}}`
  expect(referencesTo('p/1')(deep('"p/1"'))).toBe('unsearched')
  expect(referencesTo('p/1')(deep('"p/2"'))).toBeNull()
  // The document itself.
  expect(referencesTo('p/1')(deep('"p/1"', 'P/1'))).toBeNull()
})

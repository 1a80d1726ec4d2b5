import { expect, it } from 'vitest'
import { shapeOf } from '../../../base/rql/shape.ts'
import { fromCollection, fromIndex, offersAt, placeAt, quotedName, type NameSource } from './completion.ts'

it.each([
  ['', 'keyword'],
  ['from ', 'source'],
  ['from index ', 'index'],
  ['from Orders where ', 'field'],
  ['from Orders where A > 1 and ', 'field'],
  ['from Orders where A ', 'keyword'],
  ['from Orders where A > 1 ', 'keyword'],
  ['from Orders order by ', 'field'],
  ['from Orders select A, ', 'field'],
  ['from Orders // where ', 'keyword'],
])('after %j comes: %s', (before, place) => expect(placeAt(before)).toBe(place))

it('requests names only where they are offered, and quotes those that need it', async () => {
  const requested: string[] = []
  const names: NameSource = {
    names: () => {
      requested.push('names')
      return Promise.resolve({ collections: [{ name: 'My Orders', documents: 7 }], indexes: ["O'Brien"] })
    },
    fields: ({ kind, name }) => {
      requested.push(`${kind} ${name}`)
      return Promise.resolve(['N', 'select'])
    },
  }
  expect(await offersAt('from Orders where A ', 'from Orders where A ', names)).not.toHaveLength(0)
  expect(requested).toEqual([])
  expect(await offersAt('from ', 'from ', names)).toContainEqual({
    label: 'My Orders',
    type: 'class',
    detail: '7',
    apply: "'My Orders'",
  })
  expect(await offersAt('from index ', 'from index ', names)).toEqual([
    { label: "O'Brien", type: 'constant', apply: String.raw`'O\'Brien'` },
  ])
  const fields = await offersAt('from Orders as o where ', 'from Orders as o where ', names)
  expect(fields.filter(({ type }) => type === 'property').map(({ apply }) => apply)).toEqual(['o.N', "o.'select'"])
  expect(requested).toEqual(['names', 'names', 'collection Orders'])
})

it('leaves plain names as they are', () => expect(quotedName('Orders')).toBe('Orders'))

it.each(['Orders', 'My Orders', "O'Brien", '@empty', 'from', 'a`b'])(
  'a first query names the collection %j',
  (name) => {
    expect(shapeOf(`${fromCollection(name)} where A = 1`).source).toEqual({ kind: 'collection', name })
    expect(shapeOf(`${fromIndex(name)} where A = 1`).source).toEqual({ kind: 'index', name })
  },
)

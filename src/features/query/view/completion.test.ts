import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { expect, it } from 'vitest'
import { shapeOf } from '../../../base/rql/shape.ts'
import {
  completeRql,
  fromCollection,
  fromIndex,
  offersAt,
  placeAt,
  quotedName,
  wordStart,
  type NameSource,
} from './completion.ts'

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

it.each([
  ['from Orders where Ci', 'Ci'],
  ["from index 'Orders/ByN' where To", 'To'],
  ["from index 'Orders/ByN' where Name = 'x' and To", 'To'],
  ["from index 'Ord", "'Ord"],
  ["from index '", "'"],
  ["from index 'O''Brien'", ''],
  ["from index 'Orders/ByN'", ''],
  ['from @all', '@all'],
  ['from Orders as o where o.', ''],
  ['from Orders where N > 1', ''],
  ['from Orders // where Na', ''],
  ['from Orders ', ''],
])('in %j the word %j is completed', (before, word) => expect(before.slice(wordStart(before))).toBe(word))

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

const COLLECTIONS = ['My Orders', 'Say "so"'].map((name) => ({ name, documents: 7 }))

it.each([
  ["from index 'Ord|'", "from index 'Orders/ByN'"],
  ['from "My|', 'from "My Orders"'],
  ['from "Say|"', `from 'Say "so"'`],
  ["from index 'Orders/ByN' where N = 'Ord|", null],
])('in a string that was begun, %j, it completes names only: %j', async (marked, completed) => {
  const names: NameSource = {
    names: () => Promise.resolve({ collections: COLLECTIONS, indexes: ['Orders/ByN'] }),
    fields: () => Promise.resolve(['Order']),
  }
  const pos = marked.indexOf('|')
  const state = EditorState.create({ doc: marked.replace('|', '') })
  const result = await completeRql(names)(new CompletionContext(state, pos, false))
  const offer = result?.options.find(({ label }) => label.startsWith(state.sliceDoc(result.from, pos)))
  let text: string | null = null
  const dispatch = (change: TransactionSpec): void => {
    text = state.update(change).state.doc.toString()
  }
  if (result && offer && typeof offer.apply === 'function')
    offer.apply({ state, dispatch } as unknown as EditorView, offer, result.from, pos)
  expect(text).toBe(completed)
})

it('leaves plain names as they are', () => expect(quotedName('Orders')).toBe('Orders'))

it.each(['Orders', 'My Orders', "O'Brien", '@empty', 'from', 'a`b'])(
  'a first query names the collection %j',
  (name) => {
    expect(shapeOf(`${fromCollection(name)} where A = 1`).source).toEqual({ kind: 'collection', name })
    expect(shapeOf(`${fromIndex(name)} where A = 1`).source).toEqual({ kind: 'index', name })
  },
)

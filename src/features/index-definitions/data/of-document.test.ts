import { expect, it } from 'vitest'
import { readTrees } from './of-document.ts'

const TREE = `{"Results":[{"Name":"n","DisplayName":"{\\"Company\\":\\"c/1\\"}","Depth":2,"PageCount":2,"NumberOfEntries":3,
"Root":{"PageNumber":5,"AggregationResult":{"Total":1480.00000},"Children":[{"PageNumber":6,"AggregationResult":{"Total":9007199254740993},
"Children":null,"Entries":[{"Data":{"Total":440.00000},"Source":"orders/1"},{"Data":{"Total":1},"Source":null}]}],"Entries":null}}]}`

it('reads the tree of a key digit for digit', () => {
  const [tree] = readTrees(TREE)
  expect(tree).toMatchObject({ key: '{"Company":"c/1"}', depth: '2', pages: '2', entries: '3' })
  expect(tree?.root).toMatchObject({ page: '5', result: '{"Total":1480.00000}', entries: [] })
  expect(tree?.root?.children[0]).toEqual({
    page: '6',
    result: '{"Total":9007199254740993}',
    children: [],
    entries: [
      { data: '{"Total":440.00000}', source: 'orders/1' },
      { data: '{"Total":1}', source: null },
    ],
  })
})

it('takes a document that adds to no key', () => expect(readTrees('{"Results":[]}')).toEqual([]))

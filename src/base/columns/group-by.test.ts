import fc from 'fast-check'
import { expect, it } from 'vitest'
import { groupBy } from './group-by.ts'

it('keeps every item once, with those of its key, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 1 })), (items) => {
      const groups = groupBy(items, (item) => item)
      expect(groups.map(([key]) => key)).toEqual([...new Set(items)])
      expect(groups.flatMap(([key, group]) => group.filter((item) => item === key))).toHaveLength(items.length)
    }),
  )
  expect(groupBy([3, 1, 2, 5], (item) => (item % 2 === 0 ? 'even' : 'odd'))).toEqual([
    ['odd', [3, 1, 5]],
    ['even', [2]],
  ])
})

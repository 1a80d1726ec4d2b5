import { expect, it } from 'vitest'
import { itemAfter } from './menu-keys.ts'

const ITEMS = ['Disable …', 'Restart …', 'Delete, keep the files …', 'Delete with all files …']

it.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 3, 0],
  ['ArrowDown', -1, 0],
  ['ArrowUp', 0, 3],
  ['ArrowUp', -1, 3],
  ['Home', 2, 0],
  ['End', 0, 3],
  ['d', 0, 2],
  ['D', 2, 3],
  ['d', 3, 0],
  ['r', 1, 1],
  ['x', 0, null],
  [' ', 0, null],
  ['Enter', 0, null],
  ['F5', 0, null],
] as const)('%s on item %i goes to %s', (key, at, to) => expect(itemAfter(ITEMS, at, key)).toBe(to))

it('takes no key where there is no item', () => expect(itemAfter([], -1, 'ArrowDown')).toBeNull())

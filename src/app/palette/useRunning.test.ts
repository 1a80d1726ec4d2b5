import { expect, it } from 'vitest'
import { missingOperations } from './useRunning.ts'

const response = (...names: readonly string[]) => ({
  operations: [],
  more: 0,
  loaded: names.length,
  answered: 0,
  resting: 0,
  isBlind: false,
  failed: names.map((database) => ({ database, message: 'Out of memory.' })),
})

it('names the databases whose operations are not known, the others by their number', () => {
  expect(missingOperations(response())).toEqual([])
  expect(missingOperations(response('shop'))).toEqual(['Operations of “shop” are not known: see Activity.'])
  expect(missingOperations(response('a', 'b', 'c', 'd', 'e'))).toEqual([
    'Operations of “a”, “b”, “c” and 2 more are not known: see Activity.',
  ])
})

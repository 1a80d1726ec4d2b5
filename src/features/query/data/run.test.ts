import { expect, it } from 'vitest'
import { missingParameters } from './run.ts'

it('names the parameters of a query that have no value', () => {
  expect(missingParameters(['min', 'max'], '')).toEqual(['min', 'max'])
  expect(missingParameters(['min', 'max'], '{ "max": 9007199254740993 }')).toEqual(['min'])
  expect(missingParameters([], '{"a":1}')).toEqual([])
})

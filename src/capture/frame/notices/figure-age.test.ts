import { expect, it } from 'vitest'
import { describeAge } from './figure-age.ts'

it('tells the age of figures only where it matters', () => {
  expect(describeAge(1000, 3000)).toBeNull()
  expect(describeAge(null, 3000)).toBeNull()
  expect(describeAge(0, 134_000)).toBe('2 min 14 s')
})

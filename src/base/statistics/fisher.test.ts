import { expect, it } from 'vitest'
import { fisherChance } from './fisher.ts'

it('is the chance of tables as far apart, counted by hand', () => {
  // For 3 of 3 and 0 of 3 there is one table in twenty on each side.
  expect(fisherChance(3, 3, 0, 3)).toBeCloseTo(0.1, 9)
  expect(fisherChance(0, 3, 3, 3)).toBeCloseTo(0.1, 9)
  expect(fisherChance(0, 40, 0, 40)).toBe(1)
  expect(fisherChance(5, 40, 5, 40)).toBe(1)
  expect(fisherChance(0, 32, 8, 32)).toBeCloseTo(2 * (10_518_300 / 4_426_165_368), 7)
  expect(fisherChance(20, 64, 0, 32)).toBeLessThan(0.001)
})

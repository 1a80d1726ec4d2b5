// @ts-check
import { expect, test } from 'vitest'
import { fuzz } from './fuzz/fuzz.mjs'

test('of odd requests only those on the list reach the server behind', async () => {
  const { sent, reached, faults } = await fuzz({ seed: 7, ms: 5000 })
  expect(faults).toEqual([])
  expect(sent).toBeGreaterThan(200)
  expect(reached).toBeGreaterThan(20)
})

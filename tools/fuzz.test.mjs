// @ts-check
import { expect, test } from 'vitest'
import { fuzz } from './fuzz/fuzz.mjs'

const isGate = process.env['ROOKERY_TESTS'] === 'gate'
const SECONDS = isGate ? 1.5 : 5

test('of odd requests only those on the list reach the server behind', async () => {
  const { sent, reached, faults } = await fuzz({ seed: 7, ms: SECONDS * 1000 })
  expect(faults).toEqual([])
  expect(sent).toBeGreaterThan(40 * SECONDS)
  expect(reached).toBeGreaterThan(4 * SECONDS)
})

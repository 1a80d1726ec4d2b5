// @ts-check
import { expect, test } from 'vitest'
import { accepted } from './flags.mjs'

test('a flag that this Node does not know is left out', () => {
  expect(accepted(['--max-semi-space-size=64', '--no-such-flag-of-v8=1'])).toEqual(['--max-semi-space-size=64'])
})

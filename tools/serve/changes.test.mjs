// @ts-check
import { expect, test } from 'vitest'
import { allowsChanges, checkChanges } from './changes.mjs'

const lent = { cert: 'c', key: 'k' }

test('changes pass unless a certificate is lent or they are not wanted', () => {
  expect(allowsChanges({}, {})).toBe(true)
  expect(allowsChanges({ 'view-only': true }, {})).toBe(false)
  expect(allowsChanges({}, lent)).toBe(false)
  expect(allowsChanges({ 'view-only': true }, lent)).toBe(false)
  expect(allowsChanges({ 'allow-changes': true }, lent)).toBe(true)
})

test('what cannot be held is refused', () => {
  expect(() => checkChanges({ 'view-only': true, 'allow-changes': true }, true)).toThrow(/exclude each other/)
  // A server that is started here has the studio in itself: nothing stands before it.
  expect(() => checkChanges({ 'view-only': true }, false)).toThrow(/name the server behind it with --server URL/)
  expect(() => checkChanges({ 'view-only': true }, true)).not.toThrow()
})

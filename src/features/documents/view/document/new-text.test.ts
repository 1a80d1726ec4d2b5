import { expect, it } from 'vitest'
import { cloneId, idNote, suggestedCollection } from './new-text.ts'

it('begins a clone with what its ids share, for the server to complete', () => {
  expect(cloneId('orders/1-A')).toBe('orders/')
  expect(cloneId('a/b/c-1')).toBe('a/b/')
  expect(cloneId('config-x')).toBe('config-x/')
  expect(idNote(cloneId('orders/1-A'))).toMatch(/server completes/)
  expect(idNote('orders|')).toMatch(/cluster/)
  expect(idNote('orders/1')).toBe('')
})

it('suggests the collection that clients would take', () => {
  expect(suggestedCollection('users/1')).toBe('Users')
  expect(suggestedCollection('Users|')).toBe('Users')
  expect(suggestedCollection('überall/1')).toBe('Überall')
  for (const id of ['users', '1/2', '/a', '@x/1']) expect(suggestedCollection(id)).toBeNull()
})

import { expect, test } from 'vitest'
import { errorText } from './error-text.ts'

test('an error without a message has that of its cause, or its name', () => {
  expect(errorText(new Error('No space left'))).toBe('No space left')
  expect(errorText(new TypeError('', { cause: new Error('unexpected end of file') }))).toBe('unexpected end of file')
  expect(errorText(new TypeError(''))).toBe('TypeError')
  expect(errorText('closed')).toBe('closed')
})

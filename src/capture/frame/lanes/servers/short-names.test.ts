import { expect, it } from 'vitest'
import { shortNames } from './short-names.ts'

it.each([
  [
    ['db1.example.com:8080', 'db2.example.com:8080'],
    ['db1', 'db2'],
  ],
  [
    ['127.0.0.1:8080', '127.0.0.1:8081'],
    ['8080', '8081'],
  ],
  [
    ['10.0.0.1:8080', '10.0.0.12:8080'],
    ['1', '12'],
  ],
  [
    ['a', 'b.example'],
    ['a', 'b.example'],
  ],
  [
    ['a:8080', 'a:8080:x'],
    ['8080', '8080:x'],
  ],
  [['only:8080'], ['only:8080']],
])('%j are %j, each another one', (names, short) => {
  const shortened = shortNames(names)
  expect(names.map((name) => shortened.get(name))).toEqual(short)
  expect(new Set(shortened.values()).size).toBe(names.length)
})

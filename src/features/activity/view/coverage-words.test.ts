import { expect, test } from 'vitest'
import { coverageWords } from './coverage-words.ts'

test('databases that are not read yet are not counted among those where nothing runs', () => {
  const words = (answered: number, resting: number): string => coverageWords({ loaded: 301, answered, resting })
  expect(words(1, 23)).toMatch(
    /^Read so far: 1 of 301 loaded databases, and the server\. Nothing runs in 23 others, which/,
  )
  expect(words(1, 23)).toMatch(/277 are not read yet\.$/)
  expect(words(1, 300)).toMatch(
    /^Read: 1 of 301 loaded databases, and the server\. Nothing runs in the other 300, which/,
  )
  expect(words(1, 300)).not.toContain('not read yet')
})

test('a database is not said to be unused, only not seen in use: the first reading shows no change', () => {
  const words = coverageWords({ loaded: 3, answered: 0, resting: 3 })
  expect(words).toContain('Nothing runs in the other 3, which no other client was seen to use')
})

import { expect, it } from 'vitest'
import { compareTimings } from './compare-timings.ts'

const step = (name: string, ms: number, ...parts: ReturnType<typeof leaf>[]) => ({ name, ms, parts })
const leaf = (name: string, ms: number) => ({ name, ms, parts: [] })

it('joins the steps of two runs, and keeps those of one alone', () => {
  const now = step('Query', 10, leaf('Lucene', 4), leaf('Fetch', 6))
  const before = step('Query', 30, leaf('Fetch', 25), leaf('Sort', 5))
  expect(compareTimings(now, before).map(({ name, depth, now: a, before: b }) => [name, depth, a, b])).toEqual([
    ['Query', 0, 10, 30],
    ['Lucene', 1, 4, null],
    ['Fetch', 1, 6, 25],
    ['Sort', 1, null, 5],
  ])
})

import { expect, it } from 'vitest'
import { seededRandom } from '../../../../base/random.ts'
import type { Stall } from './events.ts'
import { endInSteps } from './regular-ends.ts'

const stall = (start: number, end: number): Stall => ({
  lane: 0,
  row: 0,
  bytes: 4096,
  start,
  end,
  freeSince: Number.NEGATIVE_INFINITY,
})

it('knows the steps in which a bucket is filled, though some let nothing through', () => {
  const random = seededRandom(1)
  const stalls = Array.from({ length: 60 }, () => {
    const end = 1000 * Math.floor(200 * random()) + 5 * random()
    return stall(end - 300 - 1500 * random(), end)
  })
  expect(endInSteps(stalls)).toBe(true)
})

it('sees no steps in what stands still at any time, or regularly but for far longer than a stall', () => {
  const random = seededRandom(2)
  const anytime = Array.from({ length: 60 }, () => 200_000 * random())
  const regular = Array.from({ length: 60 }, (_, at) => 30_000 * at)
  for (const ends of [anytime, regular]) expect(endInSteps(ends.map((end) => stall(end - 400, end)))).toBe(false)
})

import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../base/random.ts'
import { outcomeOf, type BlockingOutcome } from './blocking.ts'
import type { Stall } from './events.ts'
import { chanceOf, place, type Exposed } from './exposure.ts'

const EVERY_MS = 4000
const SYNC_MS = 400
const STALL_MS = 200

/** A hundred syncs: stalls that end with one, that merely start in one, and that start elsewhere. */
async function outcomeWith(ended: number, merelyInside: number, elsewhere: number): Promise<BlockingOutcome> {
  const random = seededRandom(5)
  const syncs = Array.from({ length: 100 }, (_, i) => ({
    start: EVERY_MS * (i + 1),
    end: EVERY_MS * (i + 1) + SYNC_MS,
    lane: 0,
    bytes: 1,
  }))
  const starts = [
    ...syncs.slice(0, ended).map(({ end }) => end - STALL_MS),
    ...syncs.slice(0, merelyInside).map(({ start }) => start + 20),
    ...Array.from({ length: elsewhere }, (_, i) => EVERY_MS * (1 + (i % 100)) + 600 + 3000 * random()),
  ]
  const stalls = starts
    .toSorted((a, b) => a - b)
    .map((start, row): Stall => ({ lane: 0, row, start, end: start + STALL_MS, bytes: 4096, freeSince: start - 40 }))
  const exposed: Exposed = {
    intervals: syncs,
    stalls,
    medians: [1],
    concerns: () => true,
    random,
    step: () => Promise.resolve(),
  }
  return outcomeOf(exposed, place(exposed), await chanceOf(exposed), 1000, 1)
}

describe('stalls that end with syncs', () => {
  it('are blamed on them where they come beside the others', async () => {
    expect(await outcomeWith(60, 34, 90)).toBe('blocks')
  })

  it('are not where about as many would start inside anyway: something ends both', async () => {
    expect(await outcomeWith(60, 34, 576)).toBe('no-evidence')
  })
})

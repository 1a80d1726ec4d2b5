import { expect, it } from 'vitest'
import { seededRandom } from '../../../../base/random.ts'
import type { GeneratedEvent } from '../../../../testing/stalls/generated-stalls.ts'
import { judged } from '../../../../testing/stalls/scored-stalls.ts'

/** Ten calm times, each followed by one at 10 kB a ms, in which small writes of another environment wait for large ones. */
function inLine(random: () => number): { readonly large: GeneratedEvent[]; readonly small: GeneratedEvent[] } {
  const large: GeneratedEvent[] = []
  const small: GeneratedEvent[] = []
  const add = (to: GeneratedEvent[], start: number, end: number, bytes: number): void => {
    to.push({ start, end, bytes, truth: null })
  }
  for (let period = 0; period < 10; period++) {
    let at = period * 20_000
    for (let i = 0; i < 30; i++, at += 300) {
      add(large, at, at + 5, 1_000_000 * (0.7 + random()))
      add(small, at + 50, at + 52, 8192)
    }
    for (let i = 0; i < 12; i++) {
      const bytes = 1_000_000 * (0.7 + random())
      const end = at + bytes / 10_000
      add(large, at, end, bytes)
      if (i % 3 === 1) add(small, at + 10, end + 8, 8192)
      at = end
    }
  }
  return { large, small }
}

it('a ceiling is the cause of small writes that wait in line behind large ones', async () => {
  const { large, small } = inLine(seededRandom(3))
  const lane = { volume: 'one', syncs: [] }
  const { stalls } = await judged(
    [
      { ...lane, environment: '/large', writes: large },
      { ...lane, environment: '/small', writes: small },
    ],
    1,
  )
  expect(stalls).toHaveLength(160)
  expect(stalls.filter(({ cause }) => cause === 'ceiling').length).toBeGreaterThan(155)
})

it('a write that claims to have lasted for ten years keeps nobody waiting', async () => {
  const random = seededRandom(3)
  const { large, small } = inLine(random)
  // The limit is not exact, and nothing is faster: so it is looked for in what a second let through.
  const slow = large
    .filter(({ start, end }) => end - start > 5)
    .map(({ start, end, bytes, truth }) => ({ start, end: end - 6 * random(), bytes, truth }))
  slow.push({ start: 0, end: 10 * 365 * 86_400_000, bytes: 4096, truth: null })
  const writes = [...slow, ...small].toSorted((a, b) => a.start - b.start)
  const { stalls } = await judged([{ environment: '/one', volume: 'one', writes, syncs: [] }], 1)
  expect(stalls.length).toBeGreaterThan(150)
})

/** Thirty environments whose writes take `ownMs` each, one after the other, on a device that stands still every seven seconds. */
function afterStandstills(ownMs: number, random: () => number): GeneratedEvent[][] {
  const lanes: GeneratedEvent[][] = Array.from({ length: 30 }, () => [])
  for (let period = 0; period < 40; period++) {
    const stillFrom = period * 7000
    let free = stillFrom + 400
    for (const writes of lanes) {
      const start = Math.floor(stillFrom + 300 * random())
      free += ownMs * (0.95 + 0.1 * random())
      writes.push({ start, end: Math.floor(free), bytes: 8192, truth: null })
    }
    for (const [lane, writes] of lanes.entries())
      for (let round = 1; round <= 5; round++) {
        const start = stillFrom + 1000 * round + 30 * lane
        writes.push({ start, end: Math.floor(start + ownMs), bytes: 8192, truth: null })
      }
  }
  return lanes
}

it.each([0.6, 6])('what a device works off at its own speed, %d ms each, is no ceiling', async (ownMs) => {
  const lanes = afterStandstills(ownMs, seededRandom(5)).map((writes, id) => {
    return { environment: `/${id}`, volume: 'one', writes, syncs: [] }
  })
  const { stalls } = await judged(lanes, 1)
  expect(stalls).toHaveLength(1200)
  expect(stalls.filter(({ cause }) => cause !== 'unexplained')).toEqual([])
})

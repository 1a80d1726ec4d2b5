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

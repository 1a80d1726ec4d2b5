import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../base/random.ts'
import type { GeneratedEvent, GeneratedLane } from '../../../../testing/stalls/generated-stalls.ts'
import { judged } from '../../../../testing/stalls/scored-stalls.ts'
import type { StallCause } from '../../contract.ts'

const LASTS_MS = 9 * 60_000
const MB = 1 << 20

/** One environment whose writes follow each other. Times in ms. */
class Environment {
  readonly writes: GeneratedEvent[] = []
  readonly syncs: GeneratedEvent[] = []
  freeAt = 0
  readonly #random: () => number
  readonly #name: string
  readonly #volume: string

  constructor(seed: number, name: string, volume = 'one') {
    this.#random = seededRandom(seed)
    this.#name = name
    this.#volume = volume
  }

  between(low: number, high: number): number {
    return low + this.#random() * (high - low)
  }

  write(start: number, durationMs: number, bytes: number): void {
    this.writes.push({ start, end: start + durationMs, bytes, truth: null })
    this.freeAt = start + durationMs
  }

  sync(start: number, durationMs: number): void {
    this.syncs.push({ start, end: start + durationMs, bytes: 4 * MB, truth: null })
  }

  /** Small ones with pauses, until then. */
  small(until: number): void {
    for (let at = this.freeAt + this.between(5, 80); at < until - 3; at += this.between(5, 80))
      this.write(at, this.between(0.8, 1.6), 8192)
  }

  get lane(): GeneratedLane {
    return { environment: this.#name, volume: this.#volume, writes: this.writes, syncs: this.syncs }
  }
}

/** The causes that stalls of the environments are put down to. */
async function causesOf(...environments: readonly Environment[]): Promise<readonly StallCause[]> {
  const { stalls, judgements } = await judged(
    environments.map(({ lane }) => lane),
    1,
  )
  expect(stalls.length).toBeGreaterThan(20)
  return judgements.filter(({ cause, stalls: own }) => cause !== 'unexplained' && own > 0).map(({ cause }) => cause)
}

describe('what looks like another cause', () => {
  it('large commits of one size, one after the other, are no limit of operations', async () => {
    const one = new Environment(1, '/a')
    while (one.freeAt < LASTS_MS) {
      one.small(one.freeAt + one.between(2000, 9000))
      const commits = Math.round(one.between(3, 9))
      for (let i = 0; i < commits; i++) {
        // Merged up to a size; the last one has what is left.
        const bytes = i < commits - 1 ? 9.7 * MB : one.between(2, 9) * MB
        one.write(one.freeAt + 0.1, (bytes / (100 * MB)) * 1000 * one.between(0.97, 1.03), Math.round(bytes))
      }
    }
    expect(await causesOf(one)).toEqual(['size'])
  })

  it('volumes that are busy at the same time do not stand still', async () => {
    const volumes = [new Environment(2, '/a', 'a'), new Environment(3, '/b', 'b')] as const
    const [first] = volumes
    while (first.freeAt < LASTS_MS) {
      const start = first.freeAt + first.between(3000, 12_000)
      for (const volume of volumes) {
        volume.small(start)
        // What arrived meanwhile is served in turn; it is no matter of size.
        for (let i = 0; i < 12; i++) volume.write(volume.freeAt + 0.1, volume.between(60, 300), 8192)
      }
      const until = Math.max(...volumes.map(({ freeAt }) => freeAt))
      for (const volume of volumes) volume.small(until)
    }
    expect(await causesOf(...volumes)).toEqual([])
  })

  it('a device that is slow during syncs, equally for each write, has no limit of operations', async () => {
    const one = new Environment(4, '/a')
    while (one.freeAt < LASTS_MS) {
      const start = one.freeAt + one.between(4000, 20_000)
      one.small(start)
      const until = start + one.between(800, 3000)
      one.sync(start, until - start)
      while (one.freeAt + 85 < until) one.write(one.freeAt + 0.2, one.between(79, 81), 8192)
    }
    expect(await causesOf(one)).not.toContain('ceiling')
  })

  it('a sync that waits for the same large commit as a small write does not hold it up', async () => {
    const [large, small] = [new Environment(5, '/a'), new Environment(6, '/b')]
    while (large.freeAt < LASTS_MS) {
      const start = large.freeAt + large.between(2000, 9000)
      for (const each of [large, small]) each.small(start)
      const takesMs = large.between(120, 700)
      large.write(start, takesMs, Math.round((takesMs / 1000) * 100 * MB))
      const waitsSince = start + large.between(5, 60)
      small.write(waitsSince, start + takesMs + small.between(0.5, 4) - waitsSince, 8192)
      if (small.between(0, 1) < 0.4) small.sync(start + small.between(2, 60), takesMs)
    }
    expect(await causesOf(large, small)).toEqual(['neighbour', 'size'])
  })
})

import { describe, expect, it } from 'vitest'
import type { Lane } from './events.ts'
import { SizePeers } from './size.ts'

const MIB = 1 << 20

/** One lane, of so many writes of a size each. */
function peersOf(groups: readonly (readonly [count: number, bytes: number, durationMs: number])[]): SizePeers {
  const writes = groups.flatMap(([count, bytes, durationMs]) =>
    Array.from({ length: count }, (_, i) => ({ bytes, durationMs: durationMs * (0.95 + 0.1 * (i / count)) })),
  )
  const lane: Lane = {
    environment: '/db',
    volume: 'a',
    isVolumeKnown: true,
    writes: {
      start: Float64Array.from(writes, (_, i) => i * 1000),
      end: Float64Array.from(writes, ({ durationMs }, i) => i * 1000 + durationMs),
      bytes: Float64Array.from(writes, ({ bytes }) => bytes),
    },
    syncs: { start: new Float64Array(), end: new Float64Array(), bytes: new Float64Array() },
    compressions: { start: new Float64Array(), end: new Float64Array(), bytes: new Float64Array() },
  }
  return new SizePeers([lane], [0])
}

describe('the size of a write', () => {
  it('explains what its peers take as well', () => {
    const peers = peersOf([
      [200, 16 * 1024, 1],
      [50, MIB, 12],
      [20, 8 * MIB, 90],
    ])
    expect(peers.explains(0, 8 * MIB, 90, 50)).toBe(true)
    expect(peers.explains(0, 8 * MIB, 400, 50)).toBe(false)
  })

  it('explains nothing where smaller writes are far faster for each byte', () => {
    // Committed together while they waited: there are no others of their size.
    const peers = peersOf([
      [200, 16 * 1024, 1],
      [50, MIB, 2],
      [20, 4 * MIB, 90],
    ])
    expect(peers.explains(0, 4 * MIB, 90, 50)).toBe(false)
    expect(peers.isUsual(0, 4 * MIB, 90)).toBeNull()
  })

  it('explains nothing where most far smaller writes are ten times as fast, and much where they are somewhat faster', () => {
    const limited = peersOf([
      [200, MIB / 2, 1],
      [20, 64 * MIB, 2500],
    ])
    expect(limited.explains(0, 64 * MIB, 2500, 50)).toBe(false)
    const slow = peersOf([
      [200, MIB / 2, 5],
      [20, 64 * MIB, 2500],
    ])
    expect(slow.explains(0, 64 * MIB, 2500, 50)).toBe(true)
  })
})

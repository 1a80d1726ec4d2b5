import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bytes, Ticks } from '../../../base/brand.ts'
import { generateServer } from '../../../testing/generated-server.ts'
import type { ServerMemory } from '../queries.ts'
import { splitMemory } from './memory-split.ts'

const healthy = generateServer('healthy').now
const troubled = generateServer('trouble').now

describe('the split of memory', () => {
  it('goes from what only the server can give back to what is free', () => {
    const { parts, privateBytes } = splitMemory(healthy.memory!, healthy.gc)
    expect(parts.map((part) => part.id)).toEqual([
      'gen0',
      'gen1',
      'gen2',
      'loh',
      'poh',
      'managed',
      'unmanaged',
      'dirty',
      'mapped',
      'others',
      'reclaimable',
      'available',
    ])
    expect(privateBytes).toBe(
      healthy.memory!.managedBytes + healthy.memory!.unmanagedBytes + healthy.memory!.dirtyBytes,
    )
  })

  it('draws the line where the last quarter of the machine begins, and puts swap behind the end of it', () => {
    const split = splitMemory(troubled.memory!, troubled.gc)
    expect(split.quarterFromBytes).toBe(split.physicalBytes * 0.75)
    expect(split.parts.at(-1)?.id).toBe('swap')
    expect(split.totalBytes).toBe(split.physicalBytes + troubled.memory!.swapBytes)
  })

  it('has one managed part while no collection was told', () => {
    const { parts } = splitMemory(healthy.memory!, null)
    expect(parts[0]).toMatchObject({ id: 'managed', title: 'Managed', bytes: healthy.memory!.managedBytes })
  })

  it('never is more than the machine, whatever the figures', () => {
    const some = fc.nat({ max: 2 ** 36 }).map((count) => count as Bytes)
    const memory: fc.Arbitrary<ServerMemory> = fc.record({
      atTicks: fc.constant(0 as Ticks),
      physicalBytes: some,
      workingSetBytes: some,
      managedBytes: some,
      unmanagedBytes: some,
      encryptionBytes: some,
      luceneBytes: some,
      mappedBytes: some,
      dirtyBytes: some,
      availableBytes: some,
      availableForProcessingBytes: some,
      swapBytes: some,
      commitLimitBytes: some,
      severity: fc.constant('None'),
      lowThresholdText: fc.constant(null),
    })
    fc.assert(
      fc.property(memory, fc.boolean(), (of, withGc) => {
        const { parts, physicalBytes, privateBytes } = splitMemory(of, withGc ? healthy.gc : null)
        const inside = parts.filter((part) => part.id !== 'swap')
        expect(parts.every((part) => part.bytes > 0)).toBe(true)
        expect(inside.reduce((sum, part) => sum + part.bytes, 0)).toBe(physicalBytes)
        expect(privateBytes).toBeLessThanOrEqual(physicalBytes)
      }),
    )
  })
})

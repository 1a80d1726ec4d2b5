import { describe, expect, it } from 'vitest'
import { folded } from '../../../../testing/stalls/folded-stalls.ts'
import { generateStalls, STALL_SCENARIOS, type GeneratedLane } from '../../../../testing/stalls/generated-stalls.ts'
import { stallsOfLimits } from '../../../../testing/stalls/limited-stalls.ts'
import { queueStalls } from '../../../../testing/stalls/queued-stalls.ts'
import { judged, testScenarios } from '../../../../testing/stalls/scored-stalls.ts'
import { simulateStalls } from '../../../../testing/stalls/simulated-stalls.ts'
import { stallsOfSlowing } from '../../../../testing/stalls/slowing-stalls.ts'
import type { Judged } from './judge.ts'

testScenarios(STALL_SCENARIOS, generateStalls)

describe('the judgement', () => {
  it('says that a few writes are too few to tell', async () => {
    const [lane] = generateStalls('sync', 7, 30_000)
    const { judgements } = await judged([{ ...(lane as GeneratedLane), syncs: [] }], 1)
    expect(judgements.find(({ cause }) => cause === 'sync')?.verdict).toBe('too-few')
  })

  it('says of stalls in sums alone that they are too few to tell', async () => {
    const { judgements } = await judged(generateStalls('quiet', 3, 20 * 60_000), 1, true, 40)
    for (const { verdict, allStalls } of judgements)
      expect({ verdict, allStalls }).toEqual({ verdict: 'too-few', allStalls: 40 })
  })

  it('counts writes that a guilty sync did not hold up', async () => {
    const { judgements } = await judged(generateStalls('sync', 23, 60 * 60_000), 1)
    const sync = judgements.find(({ cause }) => cause === 'sync')
    expect(sync?.verdict).toBe('explains')
    expect(sync?.exposed).toBeGreaterThan(sync?.exposedStalls ?? 0)
    expect(sync?.counterExamples.length).toBeGreaterThan(0)
    expect(sync?.endedWith).toBeGreaterThan(0.6 * (sync?.exposedStalls ?? 0))
    expect(sync?.effectMs?.[0]).toBeGreaterThan(5)
  })

  it('counts as exposed only writes of the volume that a sync concerns', async () => {
    const [lane] = generateStalls('sync', 23, 30 * 60_000)
    const own = lane as GeneratedLane
    const alone = await judged([own], 1)
    const elsewhere = await judged([own, { ...own, environment: '/other', volume: 'other', syncs: [] }], 1)
    const exposed = ({ judgements }: Judged): number | undefined =>
      judgements.find(({ cause }) => cause === 'sync')?.exposed
    expect(exposed(elsewhere)).toBe(exposed(alone))
  })

  it.each([
    ['is reached nearly all the time', 5126],
    ['meets sizes that are about the same', 5053],
  ])('finds a limit of bytes that %s', async (_, seed) => {
    const { stalls, judgements } = await judged(queueStalls('bytes per second, merged', seed * 7919, 9 * 60_000), seed)
    const claims = judgements.filter((each) => each.cause !== 'unexplained' && each.stalls > 0)
    expect(claims.map(({ cause }) => cause)).toEqual(['ceiling'])
    expect(claims[0]?.stalls).toBeGreaterThan(0.95 * stalls.length)
  })

  it('puts no stall down to its size where smaller writes beside it are as slow', async () => {
    const seed = 30_021
    const { judgements } = await judged(stallsOfSlowing('slowing: busy times', seed * 7919, 9 * 60_000), seed)
    expect(judgements.filter((each) => each.cause !== 'unexplained' && each.stalls > 0)).toEqual([])
  })

  it.each([
    ['slowing: busy times', 50_077],
    ['slowing: phases that start syncs', 50_084],
  ] as const)('%s: finds no limit in what clients send (seed %i)', async (scenario, seed) => {
    const { judgements } = await judged(stallsOfSlowing(scenario, seed * 7919, 9 * 60_000), seed)
    expect(judgements.filter((each) => each.cause !== 'unexplained' && each.stalls > 0)).toEqual([])
  })

  it('takes no large write at a limit that is filled in steps for the speed of the device', async () => {
    const seed = 50_041
    const { judgements } = await judged(stallsOfLimits('limited: bytes in steps', seed * 7919, 9 * 60_000), seed)
    const claims = judgements.filter((each) => each.cause !== 'unexplained' && each.stalls > 0)
    expect(claims.map(({ cause }) => cause)).toEqual(['ceiling'])
  })

  it('blames no large commit that waits for the same limit as the writes behind it', async () => {
    const seed = 185
    const { judgements } = await judged(stallsOfLimits('limited: several in line', seed * 7919, 9 * 60_000), seed)
    const claims = judgements.filter((each) => each.cause !== 'unexplained' && each.stalls > 0)
    expect(claims.map(({ cause }) => cause)).toEqual(['ceiling'])
  })

  it('finds no limit of operations where a slow device takes about as long for each', async () => {
    const seed = 50_011
    const { judgements } = await judged(queueStalls('phases of a slower device', seed * 7919, 9 * 60_000), seed)
    expect(judgements.filter((each) => each.cause !== 'unexplained' && each.stalls > 0)).toEqual([])
  })

  it('blames no sync before which writes were slow already, few as they are', async () => {
    const seed = 50_204
    const { judgements } = await judged(
      stallsOfSlowing('slowing: phases that start syncs', seed * 7919, 9 * 60_000),
      seed,
    )
    expect(judgements.filter((each) => each.cause !== 'unexplained' && each.stalls > 0)).toEqual([])
  })

  it('does not blame a sync for what its guilty companion let go early', async () => {
    const seed = 15
    const { judgements } = await judged(generateStalls('idle companion', seed * 7919, 9 * 60_000), seed)
    const claims = judgements.filter((each) => each.cause !== 'unexplained' && each.stalls > 0)
    expect(claims.map(({ cause }) => cause)).toEqual(['neighbour'])
  })

  it('does not blame a sync that slows nothing for what its guilty companion let go early', async () => {
    const seed = 22
    const { judgements } = await judged(simulateStalls('companion sync is idle', seed * 7919, 120 * 60_000), seed)
    expect(judgements.find(({ cause }) => cause === 'sync')).toMatchObject({ stalls: 0, verdict: 'no-evidence' })
  })

  it.each([
    ['companion sync is idle', 10_082, 'sync'],
    ['companion sync is busy', 10_169, 'neighbour'],
  ] as const)('%s: few stalls do not tell a cause from its companion (seed %i)', async (scenario, seed, innocent) => {
    const { judgements } = await judged(simulateStalls(scenario, seed * 7919, 9 * 60_000), seed)
    expect(judgements.find(({ cause }) => cause === innocent)?.verdict).toMatch(/too-few|no-evidence/)
  })

  it('puts down to a sync what waited for it before it met a limit', async () => {
    const seed = 7
    const lanes = stallsOfLimits('limited: gathered after syncs', seed * 7919, 40 * 60_000)
    const { stalls } = await judged(lanes, seed)
    const held = stalls.filter(({ lane, row }) => lanes[lane]?.writes[row]?.truth === 'sync')
    expect(held.length).toBeGreaterThan(50)
    expect(held.filter(({ cause }) => cause === 'sync').length).toBeGreaterThanOrEqual(0.95 * held.length)
    const others = stalls.filter(({ lane, row }) => lanes[lane]?.writes[row]?.truth === 'ceiling')
    expect(others.filter(({ cause }) => cause === 'ceiling').length).toBeGreaterThanOrEqual(0.99 * others.length)
  })

  it.each([
    // All that is left is served at one rate, one after the other.
    ['limited: calm and busy in turn', 31_005],
    // Most stalls have no known cause.
    ['limited: several in line', 31_004],
    // Each has what waited during the one before.
    ['limited: bytes in steps', 31_104],
  ] as const)('%s: does not put stalls in rings down to their size (seed %i)', async (scenario, seed) => {
    const { lanes, summed } = folded(stallsOfLimits(scenario, seed * 7919, 9 * 60_000), seed)
    const { judgements } = await judged(lanes, seed, true, summed)
    expect(judgements.find(({ cause }) => cause === 'size')).toMatchObject({ stalls: 0, verdict: 'too-few' })
  })
})

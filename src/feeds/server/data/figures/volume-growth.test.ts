import { expect, it } from 'vitest'
import type { Bytes } from '../../../../base/brand.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { VolumeGrowths } from './volume-growth.ts'

const MIB = 1024 ** 2
const HOUR_MS = 3_600_000

/** A sample a minute; each takes so many MiB: of `shop`, of what else RavenDB has, and of others. */
function grown(minutes: number, shop: number, raven: number, others: number, hasSizes = true): VolumeGrowths {
  const growths = new VolumeGrowths()
  for (let minute = 0; minute <= minutes; minute++)
    growths.note('/', {
      atTicks: (minute * 60 * TICKS_PER_SECOND) as Ticks,
      freeBytes: (1e12 - minute * (shop + raven + others) * MIB) as Bytes,
      ravenBytes: minute * (shop + raven) * MIB,
      databases: new Map(
        hasSizes || minute > 2
          ? [
              ['small', 7],
              ['shop', minute * shop * MIB],
              ['other', minute * raven * MIB],
            ]
          : [],
      ),
      mostOfOthers: 0,
    })
  return growths
}

it('says by how much each grew, largest first, and nothing of two samples', () => {
  expect(grown(2, 5, 1, 1).of('/', HOUR_MS)).toBeNull()
  expect(grown(10, 5, 1, 4).of('/', HOUR_MS)).toEqual({
    overMs: 600_000,
    lostBytes: 100 * MIB,
    ravenBytes: 60 * MIB,
    databases: [
      { database: 'shop', bytes: 50 * MIB },
      { database: 'other', bytes: 10 * MIB },
    ],
  })
  expect(grown(10, 5, 1, 4).of('/other', HOUR_MS)).toBeNull()
})

it('is of the last hour, and does not take sizes that were reported later for growth', () => {
  expect(grown(200, 5, 1, 4).of('/', HOUR_MS)).toMatchObject({ overMs: HOUR_MS, lostBytes: 600 * MIB })
  expect(grown(6, 5, 1, 4, false).of('/', HOUR_MS)).toMatchObject({ overMs: 360_000, databases: null })
  // From when they were reported on, once that is long enough.
  expect(grown(10, 5, 1, 4, false).of('/', HOUR_MS)).toMatchObject({
    overMs: 420_000,
    lostBytes: 70 * MIB,
    databases: [
      { database: 'shop', bytes: 35 * MIB },
      { database: 'other', bytes: 7 * MIB },
    ],
  })
})

it('does not take a database that was not among the largest for one that was added', () => {
  const growths = new VolumeGrowths()
  const sample = (minute: number, sizes: readonly (readonly [string, number])[]): void =>
    growths.note('/', {
      atTicks: (minute * 60 * TICKS_PER_SECOND) as Ticks,
      freeBytes: (1e12 - minute * MIB) as Bytes,
      ravenBytes: minute * MIB,
      databases: new Map(sizes),
      mostOfOthers: 900 * MIB,
    })
  sample(0, [['large', 1000 * MIB]])
  sample(10, [['next', 1010 * MIB]])
  expect(growths.of('/', HOUR_MS)?.databases).toEqual([{ database: 'next', bytes: 110 * MIB }])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../../../testing/law.ts'
import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import { buildTimeScale } from '../../../../charts/scale.ts'
import type { StallMark } from '../../../stalls/contract.ts'
import { placeStalls, stallOf, stallsByLane } from './marks.ts'

const LANE = 'db:shop|/data/shop'
const scale = buildTimeScale({ range: { startTicks: 0 as Ticks, endTicks: 1000 as Ticks }, widthPx: 1000 })
const mark = (start: number, duration: number): StallMark => ({
  lane: LANE,
  startTicks: start as Ticks,
  durationTicks: duration as TickSpan,
  cause: 'sync',
  title: 'Data sync',
  blamed: null,
  selection: `${String(start)} ${String(duration)}`,
})
const marks = fc
  .array(fc.tuple(fc.integer({ min: -300, max: 1300 }), fc.nat({ max: 500 })), { minLength: 1, maxLength: 200 })
  .map((all) => all.map(([start, duration]) => mark(start, duration)).toSorted((a, b) => a.startTicks - b.startTicks))
const own = (all: readonly StallMark[]) => stallsByLane(all).get(LANE)!

describe('markers of stalls', () => {
  law('show the longest of each place, in sight only, and no more than there are places', [marks], (all) => {
    const placed = placeStalls(own(all), scale)
    expect(placed.length).toBeLessThanOrEqual(1000 / 8 + 4)
    for (const each of all.filter(({ startTicks }) => startTicks >= 0 && startTicks <= 1000))
      expect(
        placed.some(
          ({ mark: shown, xPx }) =>
            Math.floor(xPx / 8) === Math.floor(each.startTicks / 8) && shown.durationTicks >= each.durationTicks,
        ),
      ).toBe(true)
    for (const { xPx } of placed) expect(xPx >= -8 && xPx <= 1008).toBe(true)
  })

  it('are found by the event that they mark, and by no other', () => {
    const stalls = stallsByLane([mark(10, 5), mark(10, 7), mark(20, 5)])
    const event = (startTicks: number, durationTicks: number, kind = 'JournalWrite') => ({
      lane: LANE,
      kind,
      startTicks: startTicks as Ticks,
      durationTicks: durationTicks as TickSpan,
      sizeBytes: 0 as Bytes,
    })
    expect(stallOf(stalls, event(10, 5))?.selection).toBe('10 5')
    expect(stallOf(stalls, event(10, 7))?.selection).toBe('10 7')
    expect(stallOf(stalls, event(10, 6))).toBeNull()
    expect(stallOf(stalls, event(15, 5))).toBeNull()
    expect(stallOf(stalls, event(20, 5, 'DataSync'))).toBeNull()
  })
})

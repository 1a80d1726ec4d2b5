import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CssPx } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { transferables } from '../../../../capture/client/protocol.ts'
import type { AxisPiece } from '../../contract/marks.ts'
import type { IoTrack } from '../lane-table.ts'
import { RollUpTable, type IoRollUp } from '../rollups.ts'
import { noBands, pixelOf, rollUpBands } from './roll-up-bands.ts'

const END_TICKS = 1_000_000
const WIDTH_PX = 200

const trackOf = (rows: readonly IoRollUp[]): IoTrack => {
  const rollUps = new RollUpTable()
  for (const row of rows) rollUps.add(row)
  return { rollUps } as unknown as IoTrack
}

const rollUp = (startTicks: number, lengthTicks: number, parts: Partial<IoRollUp> = {}): IoRollUp => ({
  startTicks,
  endTicks: startTicks + lengthTicks,
  sizeBytes: 4096,
  busyTicks: 10,
  minTicks: 1,
  maxTicks: 5,
  file: 0,
  seenCount: 0,
  seenBytes: 0,
  seenBusyTicks: 0,
  unseenFromTicks: startTicks,
  ...parts,
})

const WHOLE: readonly AxisPiece[] = [
  { startTicks: 0 as Ticks, endTicks: END_TICKS as Ticks, startPx: 0 as CssPx, endPx: WIDTH_PX as CssPx },
]
const FOLDED: readonly AxisPiece[] = [
  { startTicks: 0 as Ticks, endTicks: 300_000 as Ticks, startPx: 0 as CssPx, endPx: 90 as CssPx },
  { startTicks: 600_000 as Ticks, endTicks: END_TICKS as Ticks, startPx: 110 as CssPx, endPx: WIDTH_PX as CssPx },
]
const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)

it('keeps every roll-up, byte and busy tick, and the extremes, whatever is drawn as one band', () => {
  const some = fc.array(
    fc.tuple(fc.nat(END_TICKS - 1), fc.nat(20_000), fc.nat(9000), fc.integer({ min: 5, max: 99 })),
    {
      maxLength: 80,
    },
  )
  fc.assert(
    fc.property(some, fc.constantFrom(WHOLE, FOLDED), (made, pieces) => {
      const rows = made.map(([start, length, sizeBytes, maxTicks]) => rollUp(start, length, { sizeBytes, maxTicks }))
      const bands = rollUpBands(trackOf(rows), pieces, pixelOf(pieces), null)
      expect(sum(bands.count)).toBe(rows.length)
      expect(sum(bands.sizeBytes)).toBe(sum(rows.map(({ sizeBytes }) => sizeBytes)))
      expect(sum(bands.busyTicks)).toBe(10 * rows.length)
      expect(Math.max(0, ...bands.maxTicks)).toBe(Math.max(0, ...rows.map(({ maxTicks }) => maxTicks)))
      const starts = [...bands.startTicks]
      expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    }),
  )
})

it('draws 100,000 short ones as few bands as there are pixels', () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => rollUp(i * 10, 4))
  const bands = rollUpBands(trackOf(rows), WHOLE, pixelOf(WHOLE), null)
  // A roll-up that crosses the edge of a pixel is a band of its own.
  expect(bands.length).toBeLessThanOrEqual(2 * WIDTH_PX)
  expect(sum(bands.count)).toBe(100_000)
})

it('leaves out what was seen event by event, and other files', () => {
  const seen = { seenCount: 3, seenBytes: 4096, seenBusyTicks: 10 }
  const rows = [rollUp(0, 9000), rollUp(20_000, 9000, seen), rollUp(40_000, 9000, { file: 1 })]
  const bands = rollUpBands(trackOf(rows), WHOLE, pixelOf(WHOLE), 0)
  expect([...bands.startTicks]).toEqual([0])
})

it('can be transferred each time', () => {
  for (let i = 0; i < 2; i++)
    for (const bands of [rollUpBands(trackOf([]), WHOLE, pixelOf(WHOLE), null), noBands()])
      expect(() => structuredClone(bands, { transfer: transferables(bands) })).not.toThrow()
})

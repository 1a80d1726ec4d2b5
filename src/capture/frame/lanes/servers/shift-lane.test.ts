import { expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import { buildTimeScale } from '../../../../charts/scale.ts'
import { marksWindow } from '../../../../charts/timeline/marks-window.ts'
import { NO_FOLDS } from '../../../../charts/scale.ts'
import { TEST_TOKENS } from '../../../../testing/canvas-tokens.ts'
import { recordingContext } from '../../../../testing/recording-context.ts'
import type { Gap } from '../../../client/state.ts'
import type { LaneData, LaneItem } from '../lane.ts'
import { markTrack, spanMarks, summarizeMarks } from '../mark-track.ts'
import { shiftLane, windowAt } from './shift-lane.ts'

const LOOKS = [{ title: 'Mark', token: '--error', pattern: 'solid' }] as const
const itemAt = (startTicks: number): LaneItem => ({
  startTicks: startTicks as Ticks,
  durationTicks: 10,
  title: 'Mark',
  facts: [],
  evidence: [],
  of: { index: 'db:orders|ByN' },
  link: { text: 'Open', panel: 'io', parts: {} },
})
const gap = (source: string): Gap =>
  ({ source, lane: null, reason: 'socket-closed', startTicks: 1000, endTicks: 1010 }) as unknown as Gap

/** Marks at 1,020 and 1,060 by the clock of the other server, which is 1,000 ahead. */
function foreign(): LaneData {
  const items = [itemAt(1020), itemAt(1060)]
  const marks = spanMarks(items)
  return {
    tracks: [markTrack({ key: '', marks, looks: LOOKS, lookAt: () => 0, itemAt: (mark) => items[mark] as LaneItem })],
    summarize: summarizeMarks([marks], { one: 'mark' }),
    legend: LOOKS,
    hasGap: ({ source }) => source === 'db:orders',
    gaps: [],
  }
}

const shifted = shiftLane({
  server: 'b:8080',
  source: 'db:orders',
  data: foreign(),
  gaps: [gap('db:orders'), gap('db:other'), { ...gap('db:orders'), isOpen: true }],
  byTicks: -1000,
  nowTicks: 90 as Ticks,
})
const range = { startTicks: 0 as Ticks, endTicks: 100 as Ticks }

it('has marks, words and gaps at the time of this page', () => {
  const [track] = shifted.tracks
  expect([...(track?.marks.startTicks ?? [])]).toEqual([20, 60])
  expect([...(track?.marks.latestEndTicks ?? [])]).toEqual([30, 70])
  expect(track?.itemAt(1).startTicks).toBe(60)
  expect(shifted.summarize({ ...range, endTicks: 40 as Ticks })).toMatch(/^1 mark/)
  expect(shifted.gaps.map(({ startTicks, endTicks }) => [startTicks, endTicks])).toEqual([
    [0, 10],
    // Its server does not answer: the gap goes on until now.
    [0, 90],
  ])
  // A gap of this page is of another source, though it is called the same.
  expect(shifted.hasGap(gap('db:orders'))).toBe(false)
})

it('draws them there, by the code of the lane', () => {
  const scale = buildTimeScale({ range, widthPx: 200 })
  const { context, of } = recordingContext()
  shifted.tracks[0]?.draw(context, { scale, tokens: TEST_TOKENS }, { yPx: 0, heightPx: 20 })
  const xs = of('fillRect').map(({ args }) => Number(args[0]))
  expect(xs.some((xPx) => Math.abs(xPx - 40) <= 1)).toBe(true)
  expect(xs.some((xPx) => Math.abs(xPx - 120) <= 1)).toBe(true)
  expect(xs.every((xPx) => xPx >= 39 && xPx < 150)).toBe(true)
})

it('belongs to things of its own server, and links there', () => {
  const item = shifted.tracks[0]?.itemAt(0)
  expect(item?.of).toEqual({ index: 'b:8080 db:orders|ByN' })
  expect(item?.link).toMatchObject({ server: 'b:8080', parts: { sources: ['db:orders'] } })
  // In the time of that server, at which the mark is.
  const range = item?.link?.parts.range
  expect([(range?.startTicks ?? 0) < 1020, (range?.endTicks ?? 0) > 1030]).toEqual([true, true])
})

it('is read for the window in the time of its server', () => {
  const window = marksWindow(buildTimeScale({ range, widthPx: 200 }), NO_FOLDS)
  const there = windowAt(window, -1000)
  expect(there.startTicks - window.startTicks).toBe(1000)
  expect(there.pieces[0]?.startTicks).toBe((window.pieces[0]?.startTicks ?? 0) + 1000)
  expect(there.pieces[0]?.startPx).toBe(window.pieces[0]?.startPx)
})

import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../../base/brand.ts'
import { type Ticks, TICKS_PER_SECOND, type TickSpan } from '../../../../base/ticks.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import { indexMarks } from '../../../../charts/timeline/marks.ts'
import { buildTimeScale } from '../../../../charts/scale.ts'
import { TEST_TOKENS as tokens } from '../../../../testing/canvas-tokens.ts'
import { recordingContext, type Recording } from '../../../../testing/recording-context.ts'
import { drawLaneOverlay, drawLanes } from '../../../../charts/timeline/lanes/draw.ts'
import { IO_LANES } from './draw.ts'
import type { IoPicture } from './picture.ts'
import { gapOfTrack, layoutGaps } from '../gaps.ts'
import { layoutLanes, trackOf } from './layout.ts'
import type { RowMarks } from './marks.ts'
import { buildPalette } from './palette.ts'
import { DEFAULT_SETTINGS, type IoSettings } from '../params.ts'
import type { IoLane } from '../../../../feeds/io/contract/lanes.ts'
import { buildSizeScale, SIZE_STEPS, sizeStepLabels } from '../../../../charts/canvas/size-scale.ts'

const palette = buildPalette(tokens)
const total = {
  known: true,
  count: 3,
  bytes: 0 as Bytes,
  busyTicks: 0 as TickSpan,
  slowestTicks: 0 as TickSpan,
  firstTicks: 0 as Ticks,
  lastTicks: 0 as Ticks,
  rollUps: 0,
  rollUpEvents: 0,
  rollUpBytes: 0 as Bytes,
  rollUpBusyTicks: 0 as TickSpan,
}
const lane: IoLane = {
  id: 'db:shop|/data/shop',
  source: 'db:shop',
  path: '/data/shop',
  type: 'Documents',
  label: 'Documents',
  labelIsReal: true,
  files: [],
  filesLeft: {},
  kinds: [
    { ...total, kind: 'JournalWrite' },
    { ...total, kind: 'DataSync' },
  ],
}
const none = new Float64Array(0)
const noRollUps = {
  length: 0,
  startTicks: none,
  endTicks: none,
  sizeBytes: none,
  busyTicks: none,
  minTicks: none,
  maxTicks: none,
  count: new Uint32Array(0),
}
const rowMarks = (
  events: readonly (readonly [start: number, duration: number, bytes: number])[],
  rollUps = noRollUps,
): RowMarks =>
  indexMarks({
    length: events.length,
    startTicks: Float64Array.from(events, ([start]) => start),
    durationTicks: Float64Array.from(events, ([, duration]) => duration),
    sizeBytes: Float64Array.from(events, ([, , bytes]) => bytes),
    count: Uint32Array.from(events, () => 1),
    largestBytes: Float64Array.from(events, ([, , bytes]) => bytes),
    rollUps,
  })

function pictureOf(
  marks: readonly RowMarks[],
  parts: Partial<IoPicture> & { settings?: Partial<IoSettings> } = {},
): IoPicture {
  const layout = layoutLanes([lane], ['db:shop'], { ...DEFAULT_SETTINGS, ...parts.settings })
  return {
    layout,
    scale: buildTimeScale({ range: { startTicks: 0 as Ticks, endTicks: 1000 as Ticks }, widthPx: 1000 }),
    marks: new Map(layout.tracks.flatMap((track, i) => (marks[i] === undefined ? [] : [[track.key, marks[i]]]))),
    gaps: [],
    scrollPx: 0,
    tokens,
    palette,
    sizes: buildSizeScale('log', 0),
    clock: 'utc',
    known: null,
    selected: null,
    overlaps: [],
    stalls: new Map(),
    ...parts,
  }
}
const drawn = (picture: IoPicture): Recording => {
  const recording = recordingContext()
  drawLanes(recording.context, 400, picture, IO_LANES)
  return recording
}
const rectsIn = (recording: Recording, colours: readonly string[]): unknown[] =>
  recording
    .of('fillRect')
    .filter((call) => colours.includes(call.fillStyle))
    .map((call) => call.args)

describe('the I/O timeline', () => {
  const blue = palette.ramp('JournalWrite')
  const red = palette.ramp('DataSync')

  it('draws width true to duration, place by kind, lightness by size', () => {
    const picture = pictureOf([
      rowMarks([
        [100, 40, 4096],
        [300, 0.2, 20 * 2 ** 20],
      ]),
      rowMarks([[500, 100, 65_536]]),
    ])
    const recording = drawn(picture)
    const [journal, sync] = picture.layout.tracks
    expect(rectsIn(recording, blue)).toEqual([
      [100, AXIS_PX + journal!.topPx, 40, 5],
      [300, AXIS_PX + journal!.topPx, 1, 5],
    ])
    expect(rectsIn(recording, [blue[0]!])).toHaveLength(1)
    expect(rectsIn(recording, [blue[7]!])).toHaveLength(1)
    expect(rectsIn(recording, red)).toEqual([[500, AXIS_PX + sync!.topPx, 100, 5]])
    expect(sync!.topPx - journal!.topPx).toBe(12)
  })

  it('draws neighbours of one colour as one rectangle, and the larger of a shared column', () => {
    const recording = drawn(
      pictureOf([
        rowMarks([
          [10, 0.1, 4096],
          [11, 0.1, 4096],
          [12, 0.1, 4096],
          [20, 0.1, 4096],
          [20.5, 0.1, 2 ** 30],
        ]),
      ]),
    )
    expect(rectsIn(recording, [blue[0]!])).toEqual([[10, AXIS_PX + 3, 3, 5]])
    expect(rectsIn(recording, [blue[7]!])).toEqual([[20, AXIS_PX + 3, 1, 5]])
  })

  it('puts a short event on top of a long one', () => {
    const recording = drawn(
      pictureOf([
        rowMarks([
          [100, 300, 2 ** 30],
          [200, 0.1, 4096],
        ]),
      ]),
    )
    expect(rectsIn(recording, blue)).toEqual([
      [100, AXIS_PX + 3, 300, 5],
      [200, AXIS_PX + 3, 1, 5],
    ])
  })

  it('draws nothing of rows out of sight and never more than two rectangles a pixel', () => {
    const dense = rowMarks(Array.from({ length: 20_000 }, (_, i) => [i * 0.05, 0.01, 4096 * 4 ** (i % 9)] as const))
    expect(rectsIn(drawn(pictureOf([dense])), blue).length).toBeLessThanOrEqual(2000)
    expect(rectsIn(drawn(pictureOf([dense], { scrollPx: 500 })), blue)).toHaveLength(0)
  })

  it('draws a roll-up unlike events: a hatched band, a box from shortest to longest, its sum', () => {
    const band = {
      length: 1,
      startTicks: new Float64Array([100]),
      endTicks: new Float64Array([700]),
      sizeBytes: new Float64Array([3 * 2 ** 20]),
      busyTicks: new Float64Array([90]),
      minTicks: new Float64Array([2]),
      maxTicks: new Float64Array([50]),
      count: new Uint32Array([1]),
    }
    const settings = { openLanes: new Set([lane.id]) }
    const recording = drawn(pictureOf([rowMarks([], band)], { settings }))
    expect(recording.texts()).toContain('Σ 3.00 MiB · 0.2 µs – 5 µs')
    const hue = palette.hue('JournalWrite')
    expect(rectsIn(recording, [`${hue}29`])).toEqual([[100, AXIS_PX + 26, 600, 16]])
    expect(rectsIn(recording, [`${hue}99`])).toEqual([[100, AXIS_PX + 30, 50, 8]])
    expect(rectsIn(recording, [`${hue}ff`])).toEqual([[100, AXIS_PX + 30, 2, 8]])
    expect(rectsIn(recording, blue)).toHaveLength(0)
  })

  it('says what a gap is and why, and covers what it concerns', () => {
    const picture = pictureOf([])
    const gap = {
      id: 1,
      source: 'db:shop',
      lane: null,
      kind: null,
      reason: 'socket-closed' as const,
      startTicks: 200 as Ticks,
      endTicks: 600 as Ticks,
      missingCount: null,
      missingBytes: null,
      detail: '',
    }
    const gaps = layoutGaps(picture.layout, [gap], gapOfTrack)
    expect(gaps).toEqual([{ gap, words: 'connection lost', topPx: 0, heightPx: picture.layout.heightPx }])
    expect(drawn({ ...picture, gaps }).texts()).toContain('connection lost')
    expect(layoutGaps(picture.layout, [{ ...gap, source: 'db:other' }], gapOfTrack)).toEqual([])
    const ofKind = layoutGaps(picture.layout, [{ ...gap, lane: lane.id, kind: 'DataSync' }], gapOfTrack)
    expect(ofKind).toMatchObject([{ topPx: picture.layout.tracks[1]!.topPx, heightPx: 5 }])
    // A roll-up with its sum is drawn there.
    const summed = { ...gap, lane: lane.id, kind: 'DataSync', missingCount: 255, missingBytes: 4096 as Bytes }
    expect(layoutGaps(picture.layout, [summed], gapOfTrack)).toEqual([])
  })

  it('labels folds with what they leave out', () => {
    const rule = { idleSpans: new Float64Array([10 * TICKS_PER_SECOND, 22 * TICKS_PER_SECOND]), foldPx: 28 }
    const scale = buildTimeScale({
      range: { startTicks: 0 as Ticks, endTicks: (30 * TICKS_PER_SECOND) as Ticks },
      widthPx: 1000,
      rule,
    })
    const texts = drawn(pictureOf([], { scale })).texts()
    expect(texts).toContain('12.0 s')
    expect(texts).toContain('idle')
  })
})

describe('its overlay', () => {
  it('outlines the selected event, what overlaps it, and shows the time under the cursor', () => {
    const picture = pictureOf([rowMarks([[100, 40, 4096]]), rowMarks([[110, 100, 65_536]])])
    const recording = recordingContext()
    const ref = (
      kind: string,
      start: number,
      duration: number,
    ): { lane: string; kind: string; startTicks: Ticks; durationTicks: TickSpan; sizeBytes: Bytes } => ({
      lane: lane.id,
      kind,
      startTicks: start as Ticks,
      durationTicks: duration as TickSpan,
      sizeBytes: 1 as Bytes,
    })
    const selected = {
      ...picture,
      selected: ref('JournalWrite', 100, 40),
      overlaps: [ref('DataSync', 110, 100), ref('Gone', 1, 1)],
    }
    drawLaneOverlay(recording.context, 400, selected, IO_LANES, { pointer: { xPx: 500, hit: null }, focus: null })
    const outlines = recording.of('strokeRect')
    expect(outlines.map((call) => call.strokeStyle)).toEqual([tokens.warn, tokens.accent])
    expect(outlines[0]?.args[1]).toBe(AXIS_PX + trackOf(picture.layout, lane.id, 'DataSync')!.topPx - 1.5)
    expect(recording.texts()).toEqual(['00:00:00.0000500'])
  })
})

describe('size scales', () => {
  it('have eight steps with numbers, ascending, log or linear', () => {
    expect(sizeStepLabels(buildSizeScale('log', 0))).toEqual([
      '≤ 4.00 KiB',
      '≤ 16.0 KiB',
      '≤ 64.0 KiB',
      '≤ 256 KiB',
      '≤ 1.00 MiB',
      '≤ 4.00 MiB',
      '≤ 16.0 MiB',
      '> 16.0 MiB',
    ])
    for (const scale of [buildSizeScale('log', 0), buildSizeScale('linear', 3_000_000)]) {
      expect(scale.limits).toHaveLength(SIZE_STEPS - 1)
      scale.limits.forEach((limit, step) => {
        expect(scale.step(limit)).toBe(step)
        expect(scale.step(limit + 1)).toBe(step + 1)
      })
      expect([scale.step(0), scale.step(2 ** 50)]).toEqual([0, 7])
    }
  })
})

import { describe, expect, it } from 'vitest'
import type { CssPx } from '../../../../base/brand.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import { indexMarks } from '../../../../charts/timeline/marks.ts'
import { marksWindow } from '../../../../charts/timeline/marks-window.ts'
import { buildTimeScale, NO_FOLDS } from '../../../../charts/scale.ts'
import { buildSizeScale } from '../../../../charts/canvas/size-scale.ts'
import { TEST_TOKENS } from '../../../../testing/canvas-tokens.ts'
import { fakeIndexing } from '../../../../testing/fake-indexing.ts'
import { recordingContext } from '../../../../testing/recording-context.ts'
import { drawLaneOverlay, drawLanes, hitTestLanes, plotY } from '../../../../charts/timeline/lanes/draw.ts'
import { BATCH_LANES } from './draw.ts'
import { drawIcicle } from './draw-icicle.ts'
import type { BatchPicture } from './picture.ts'
import { indexIcicle } from './icicle.ts'
import { DEPTH_PX, depthTopPx, layoutLanes } from './layout.ts'
import { buildPalette } from '../palette.ts'
import { DEFAULT_SETTINGS } from '../params.ts'
import { NO_FILTER } from '../../../../feeds/indexing/contract/batches.ts'

const capture = await fakeIndexing({ seed: 5, indexes: 4, seconds: 30 })
const data = capture.indexing
const palette = buildPalette(TEST_TOKENS)
const { indexes } = await capture.request('indexing.indexes', { sources: ['db:shop'] })
const range = { startTicks: data.startTicks, endTicks: (data.startTicks + 25 * TICKS_PER_SECOND) as Ticks }
const scale = buildTimeScale({ range, widthPx: 1000 })
const opened = indexes[0]!.key
const { pieces } = marksWindow(scale, NO_FOLDS)

async function picture(): Promise<BatchPicture> {
  const open = new Set([opened])
  const icicle = indexIcicle(
    await capture.request('indexing.icicle', { index: opened, pieces, minPx: 10 as CssPx, filter: NO_FILTER }),
  )
  const layout = layoutLanes(indexes, ['db:shop'], { ...DEFAULT_SETTINGS, open }, new Map([[opened, icicle.depths]]))
  const { rows } = await capture.request('indexing.marks', { indexes: layout.keys, pieces, filter: NO_FILTER })
  return {
    layout,
    scale,
    marks: new Map(layout.keys.map((key, i) => [key, indexMarks(rows[i]!)])),
    icicles: new Map([[opened, icicle]]),
    gaps: [],
    scrollPx: 0,
    tokens: palette.tokens,
    palette,
    sizes: buildSizeScale('log', 0, 16_384),
    clock: 'utc',
    known: range,
    selected: null,
    atTicks: null,
  }
}

describe('the batches', () => {
  it('draws each wide batch as wide as it is long, and its centre hits it', async () => {
    const shown = await picture()
    const recording = recordingContext()
    drawLanes(recording.context, shown.layout.heightPx + AXIS_PX, shown, BATCH_LANES)
    const rects = recording.of('fillRect').map(({ args }) => args.map(Number))
    let checked = 0
    for (const row of shown.layout.rows) {
      const marks = shown.marks.get(row.key)!
      for (let i = 0; i < marks.length; i++) {
        const startPx = scale.toPx(marks.startTicks[i]!)
        const widthPx = scale.toPx(marks.startTicks[i]! + marks.durationTicks[i]!) - startPx
        if (widthPx < 4 || startPx < 0 || startPx + widthPx > 1000) continue
        const yPx = plotY(shown, row.trackPx.topPx + row.trackPx.heightPx / 2)
        const drawn = rects.some(([x, , width]) => Math.abs(x! - startPx) < 0.01 && Math.abs(width! - widthPx) < 0.01)
        expect(drawn).toBe(true)
        const hit = hitTestLanes(shown, BATCH_LANES, { xPx: startPx + widthPx / 2, yPx })
        expect(hit).toMatchObject({ own: { type: 'batch', ref: { index: row.key, id: marks.id[i] } } })
        checked++
      }
    }
    expect(checked).toBeGreaterThan(15)
  })

  it('lays operations end to end under their batch, and the centre of each hits it', async () => {
    const shown = await picture()
    const { response } = shown.icicles.get(opened)!
    const row = shown.layout.rows.find((each) => each.key === opened)!
    let checked = 0
    for (let i = 0; i < response.length; i++) {
      const depth = response.depth[i]!
      const startPx = scale.toPx(response.startTicks[i]!)
      const widthPx = scale.toPx(response.startTicks[i]! + response.durationTicks[i]!) - startPx
      if (depth === 0 || widthPx < 3 || startPx < 0 || startPx + widthPx > 1000) continue
      const yPx = plotY(shown, depthTopPx(row, depth) + DEPTH_PX / 2)
      const hit = hitTestLanes(shown, BATCH_LANES, { xPx: startPx + widthPx / 2, yPx })?.own
      if (hit?.type !== 'operation') throw new Error('an operation was expected')
      expect(hit.ref.id).toBe(response.id[i])
      expect(hit.durationTicks).toBe(response.durationTicks[i])
      expect(hit.path).toHaveLength(depth)
      checked++
    }
    expect(checked).toBeGreaterThan(10)
  })

  it('draws operations that are too narrow as one mark, so that pixels bound what is drawn', () => {
    const operations = 50_000
    const ticks = (25 * TICKS_PER_SECOND) / operations
    const columns = (value: (i: number) => number) => Float64Array.from({ length: operations }, (_, i) => value(i))
    const icicle = indexIcicle({
      length: operations,
      startTicks: columns((i) => range.startTicks + i * ticks),
      durationTicks: columns((i) => (i === 0 ? 25 * TICKS_PER_SECOND : ticks)),
      reportedTicks: columns(() => ticks),
      depth: Uint8Array.from({ length: operations }, (_, i) => Math.min(i, 1)),
      nameId: new Int32Array(operations),
      id: columns(() => 7),
      batchTicks: columns(() => range.startTicks),
      names: [{ nameId: 0, name: 'Map', family: 'map' }],
      narrow: 0,
    })
    const drawn = (): number[][] => {
      const recording = recordingContext()
      drawIcicle(recording.context, scale, icicle, 0, palette)
      return recording.of('fillRect').map(({ args }) => args.map(Number))
    }
    expect(drawn()).toEqual([[expect.closeTo(0, 1), 0, expect.closeTo(1000, 1), DEPTH_PX - 1]])
    // With a pixel of nothing between every two, each is a mark of its own, and there is room for so many.
    for (let i = 0; i < operations; i++) if (Math.floor(i / 50) % 2 === 1) icicle.response.depth[i] = 0
    expect(drawn()).toHaveLength(500)
  })

  it('writes names of operations where there is room', async () => {
    const shown = await picture()
    const recording = recordingContext()
    drawLanes(recording.context, shown.layout.heightPx + AXIS_PX, shown, BATCH_LANES)
    expect(recording.texts()).toContain('Map')
  })

  it('distinguishes states by more than colour: failures are cut, waiting is hatched, empty is thin', async () => {
    const shown = await picture()
    const lane = shown.layout.rows[1]!
    const one = (state: number, waitTicks = 0): BatchPicture => {
      const column = (value: number): Float64Array => Float64Array.of(value)
      return {
        ...shown,
        marks: new Map([
          [
            lane.key,
            indexMarks({
              length: 1,
              startTicks: column(range.startTicks + TICKS_PER_SECOND),
              durationTicks: column(2 * TICKS_PER_SECOND),
              id: column(1),
              state: Uint8Array.of(state),
              states: Uint8Array.of(1 << state),
              count: Uint32Array.of(1),
              documents: column(10),
              largestBytes: column(10_000),
              reason: Uint8Array.of(0),
              waitTicks: column(waitTicks),
            }),
          ],
        ]),
        icicles: new Map(),
      }
    }
    const drawn = (state: number, waitTicks = 0): ReturnType<typeof recordingContext> => {
      const recording = recordingContext()
      drawLanes(recording.context, 300, one(state, waitTicks), BATCH_LANES)
      return recording
    }
    const heights = (of: ReturnType<typeof recordingContext>): number[] =>
      of.of('fillRect').flatMap(({ args }) => (Math.abs(Number(args[2]) - 80) < 0.01 ? [Number(args[3])] : []))
    expect(heights(drawn(0))).toEqual([lane.trackPx.heightPx])
    expect(heights(drawn(1))).toEqual([2])
    expect(heights(drawn(2))).toEqual([lane.trackPx.heightPx, 2])
    const hatches = (of: ReturnType<typeof recordingContext>): number => of.of('lineTo').length
    expect(hatches(drawn(4))).toBeGreaterThan(hatches(drawn(0)) + 5)
    expect(hatches(drawn(0, TICKS_PER_SECOND))).toBeGreaterThan(hatches(drawn(0)) + 3)
    expect(drawn(5).of('setLineDash').length).toBeGreaterThan(drawn(0).of('setLineDash').length)
  })
})

describe('their overlay', () => {
  it('outlines what is selected, and writes the time of the pointer', async () => {
    const shown = await picture()
    const marks = shown.marks.get(shown.layout.keys[1]!)!
    const recording = recordingContext()
    const chosen: BatchPicture = {
      ...shown,
      selected: {
        ref: { index: shown.layout.keys[1]!, startTicks: marks.startTicks[0] as Ticks, id: marks.id[0]! },
        durationTicks: marks.durationTicks[0]!,
      },
      atTicks: (range.startTicks + TICKS_PER_SECOND) as Ticks,
    }
    drawLaneOverlay(recording.context, 300, chosen, BATCH_LANES, { pointer: { xPx: 500, hit: null }, focus: null })
    expect(recording.of('strokeRect')).toHaveLength(1)
    expect(recording.texts()[0]).toMatch(/^02:12:\d\d/)
  })
})

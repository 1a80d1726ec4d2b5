import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import { indexMarks, markSpan } from '../../../../charts/timeline/marks.ts'
import { marksWindow } from '../../../../charts/timeline/marks-window.ts'
import { buildTimeScale, NO_FOLDS } from '../../../../charts/scale.ts'
import type { CanvasTokens } from '../../../../charts/canvas/tokens.ts'
import { filledIo } from '../../../../testing/filled-feeds.ts'
import { generateIo } from '../../../../testing/generated/generated-io.ts'
import { IO_LANES } from './draw.ts'
import type { IoPicture } from './picture.ts'
import { gapOfTrack, layoutGaps } from '../gaps.ts'
import { hitTestLanes } from '../../../../charts/timeline/lanes/draw.ts'
import { layoutLanes } from './layout.ts'
import { buildPalette } from './palette.ts'
import { DEFAULT_SETTINGS } from '../params.ts'
import { NO_FILTER } from '../../../../feeds/io/contract/rows.ts'
import { buildSizeScale } from '../../../../charts/canvas/size-scale.ts'

const data = generateIo({ seed: 11, databases: ['shop'], indexes: 4, seconds: 60, unknownKind: true })
const layout = layoutLanes(data.lanes, ['db:shop', 'server'], DEFAULT_SETTINGS)
const range = { startTicks: data.startTicks, endTicks: (data.startTicks + 100_000_000) as Ticks }
const scale = buildTimeScale({ range, widthPx: 1200 })
const window = marksWindow(scale, NO_FOLDS)
const response = filledIo(data).responses['io.marks']({
  rows: layout.tracks.map((track) => track.ref),
  pieces: window.pieces,
  filter: NO_FILTER,
})
const marks = new Map(layout.tracks.map((track, i) => [track.key, indexMarks(response.rows[i]!)]))
const tokens = { theme: 'dark', kinds: new Map() } as unknown as CanvasTokens
const picture: IoPicture = {
  layout,
  scale,
  marks,
  gaps: layoutGaps(layout, data.gaps, gapOfTrack),
  scrollPx: 20,
  clock: 'utc',
  known: null,
  tokens,
  palette: buildPalette(tokens),
  selected: null,
  overlaps: [],
  stalls: new Map(),
  sizes: buildSizeScale('log', 0),
}

describe('a hit', () => {
  it('the centre of every drawn mark hits a mark of its own row, and no outlier is out of reach', () => {
    let tried = 0
    for (const track of layout.tracks) {
      const row = marks.get(track.key)!
      for (let i = 0; i < row.length; i++) {
        const span = markSpan(scale, row.startTicks[i]!, row.durationTicks[i]!)
        if (span.startPx < 0 || span.endPx > 1200) continue
        const hit = hitTestLanes(picture, IO_LANES, {
          xPx: (span.startPx + span.endPx) / 2,
          yPx: AXIS_PX - 20 + track.topPx + track.heightPx / 2,
        })
        if (track.topPx < 20) continue
        tried++
        expect(hit).toMatchObject({ own: { type: 'mark', track: { key: track.key } } })
      }
    }
    expect(tried).toBeGreaterThan(300)
  })

  it('finds gaps and nothing on the axis', () => {
    const far = buildTimeScale({ range: { startTicks: data.startTicks, endTicks: data.endTicks }, widthPx: 1200 })
    const gap = data.gaps[0]!
    const xPx = far.toPx((gap.startTicks + gap.endTicks) / 2)
    expect(hitTestLanes({ ...picture, scale: far, marks: new Map() }, IO_LANES, { xPx, yPx: 100 })).toMatchObject({
      stretch: { type: 'gap', gap: { id: gap.id } },
    })
    expect(hitTestLanes(picture, IO_LANES, { xPx: 10, yPx: 5 })).toBeNull()
  })
})

describe('keyboard focus', () => {
  const all = new Set(layout.tracks.map((track) => track.key))
  const { first, step, stepTrack } = IO_LANES.focus!

  it('begins at the slowest in view', () => {
    const slowest = Math.max(
      ...data.events.filter((event) => event.startTicks < range.endTicks).map((event) => event.durationTicks),
    )
    expect(first(picture, all)!.durationTicks).toBe(slowest)
    expect(first(picture, new Set())).toBeNull()
  })

  it('steps along a row and back, and to the row beside', () => {
    const from = first(picture, all)!
    const next = step(picture, from, 1)!
    expect(next.startTicks).toBeGreaterThan(from.startTicks)
    expect(step(picture, next, -1)!.ref).toEqual(from.ref)
    const beside = stepTrack(picture, from, 1) ?? stepTrack(picture, from, -1)!
    expect(beside.track.key).not.toBe(from.track.key)
  })
})

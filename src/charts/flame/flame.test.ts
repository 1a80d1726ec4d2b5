import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import { recordingContext } from '../../testing/recording-context.ts'
import {
  boxesAt,
  boxesIn,
  hitTestBoxes,
  middleOf,
  neighbourBox,
  parentBox,
  widestChild,
  type FlameBoxes,
} from './flame-boxes.ts'
import { drawFlame, fitLabel, levelAt, levelsInSight, levelTop, ROW_PX, spanOf } from './flame-draw.ts'
import { flameMove } from './flame-keys.ts'
import { panWindow, revealIn, WHOLE, withMargins, zoomWindow } from './flame-window.ts'
import type { CanvasTokens } from '../canvas/tokens.ts'

const boxesOf = (rows: readonly (readonly [depth: number, start: number, end: number])[]): FlameBoxes => ({
  length: rows.length,
  depth: Uint16Array.from(rows, ([depth]) => depth),
  startShare: Float64Array.from(rows, ([, start]) => start),
  endShare: Float64Array.from(rows, ([, , end]) => end),
})

/** The drawing of `flame-boxes.ts`. */
const SMALL = boxesOf([
  [0, 0, 1],
  [1, 0, 0.4],
  [1, 0.4, 1],
  [2, 0, 0.2],
  [2, 0.4, 1],
])

/** Rows of boxes that do not overlap, gaps between them included. */
const anyBoxes = fc
  .array(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 40 }), { minLength: 1, maxLength: 6 })
  .map((rows) =>
    boxesOf(
      rows.flatMap((cuts, depth) => {
        const edges = [...new Set(cuts)].toSorted((a, b) => a - b)
        return edges
          .slice(1)
          .flatMap((edge, i) => (i % 3 === 2 ? [] : [[depth, edges[i]! / 1000, edge / 1000] as const]))
      }),
    ),
  )

describe('FlameBoxes', () => {
  it('finds the boxes of a depth and of a stretch of it', () => {
    expect(boxesAt(SMALL, 1)).toEqual({ first: 1, end: 3 })
    expect(boxesAt(SMALL, 9)).toEqual({ first: 5, end: 5 })
    expect(boxesIn(SMALL, 1, 0.3, 0.35)).toEqual({ first: 1, end: 2 })
    expect(boxesIn(SMALL, 1, 0.3, 0.5)).toEqual({ first: 1, end: 3 })
    expect(boxesIn(SMALL, 2, 0.25, 0.35)).toEqual({ first: 4, end: 4 })
  })

  it('is walked by parents, children and neighbours', () => {
    expect(parentBox(SMALL, 4)).toBe(2)
    expect(parentBox(SMALL, 0)).toBeNull()
    expect(widestChild(SMALL, 0)).toBe(2)
    expect(widestChild(SMALL, 3)).toBeNull()
    expect(neighbourBox(SMALL, 1, 1)).toBe(2)
    expect(neighbourBox(SMALL, 1, -1)).toBeNull()
    expect(neighbourBox(SMALL, 2, 1)).toBeNull()
  })

  it('is hit in the middle of every box, and close beside one only where there is nothing', () => {
    fc.assert(
      fc.property(anyBoxes, (boxes) => {
        for (let box = 0; box < boxes.length; box++)
          expect(hitTestBoxes(boxes, boxes.depth[box]!, middleOf(boxes, box), 0.01)).toBe(box)
      }),
    )
    expect(hitTestBoxes(SMALL, 2, 0.3)).toBe(-1)
    expect(hitTestBoxes(SMALL, 2, 0.21, 0.02)).toBe(3)
    expect(hitTestBoxes(SMALL, 2, 0.39, 0.02)).toBe(4)
    expect(hitTestBoxes(SMALL, 7, 0.3)).toBe(-1)
  })

  law(
    'finds the same boxes in a stretch as a scan',
    [anyBoxes, fc.nat(5), fc.nat(1000), fc.integer({ min: 1, max: 500 })],
    (boxes, depth, from, span) => {
      const [start, end] = [from / 1000, (from + span) / 1000]
      const scan = Array.from({ length: boxes.length }, (_, box) => box).filter(
        (box) => boxes.depth[box] === depth && boxes.startShare[box]! < end && boxes.endShare[box]! > start,
      )
      const run = boxesIn(boxes, depth, start, end)
      expect(Array.from({ length: run.end - run.first }, (_, i) => run.first + i)).toEqual(scan)
    },
  )
})

describe('FlameWindow', () => {
  it('keeps what is under the pointer', () => {
    expect(zoomWindow(WHOLE, 0.25, 0.5)).toEqual({ start: 0.125, end: 0.625 })
    expect(zoomWindow({ start: 0.1, end: 0.2 }, 0.5, 100)).toEqual(WHOLE)
  })
  law(
    'stays inside of its bounds',
    [fc.double({ min: -5, max: 5, noNaN: true }), fc.double({ min: 0.01, max: 50, noNaN: true })],
    (by, factor) => {
      const next = withMargins(panWindow(zoomWindow({ start: 0.4, end: 0.6 }, 0.3, factor), by))
      expect(next.start).toBeGreaterThanOrEqual(0)
      expect(next.end).toBeLessThanOrEqual(1 + 1e-12)
      expect(next.end).toBeGreaterThan(next.start)
    },
  )
  it('brings a box into sight, and does not move for one that is', () => {
    const window = { start: 0.1, end: 0.2 }
    expect(revealIn(window, 0.12, 0.15)).toBe(window)
    const moved = revealIn(window, 0.5, 0.54)
    expect(moved.start).toBeLessThanOrEqual(0.5)
    expect(moved.end).toBeGreaterThanOrEqual(0.54)
  })
})

describe('drawFlame', () => {
  const picture = {
    boxes: SMALL,
    window: WHOLE,
    widthPx: 500,
    lookOf: (box: number) => ({ fill: `#00000${box}`, ink: '#ffffff', hatch: null, faint: false }),
    labelOf: (box: number) => `Frame${box}`,
    tokens: { mono: 'monospace', fgMuted: '#999999' } as CanvasTokens,
    contentPx: 400,
    scrollPx: 0,
    upwards: false,
  }

  it('draws a box and a name for each that is in sight', () => {
    const { context, of, texts } = recordingContext()
    drawFlame(context, 400, picture)
    expect(of('fillRect').map((call) => call.args.slice(0, 3))).toEqual([
      [0, 0, 499],
      [0, 20, 199],
      [200, 20, 299],
      [0, 40, 99],
      [200, 40, 299],
    ])
    expect(of('fillRect').map((call) => call.fillStyle)).toEqual([
      '#000000',
      '#000001',
      '#000002',
      '#000003',
      '#000004',
    ])
    expect(texts()).toEqual(['Frame0', 'Frame1', 'Frame2', 'Frame3', 'Frame4'])
  })

  it('draws only the levels and the stretch in sight', () => {
    const { context, of } = recordingContext()
    drawFlame(context, ROW_PX, { ...picture, scrollPx: ROW_PX, window: { start: 0.5, end: 1 } })
    expect(of('fillRect').map((call) => call.args)).toEqual([[0, 0, 499, ROW_PX - 1]])
  })

  it('hatches, and draws faint what is not searched', () => {
    const { context, of } = recordingContext()
    drawFlame(context, 400, {
      ...picture,
      lookOf: (box) => ({ fill: '#111111', ink: '#ffffff', hatch: box === 4 ? '#222222' : null, faint: box !== 4 }),
    })
    expect(of('stroke')).toHaveLength(1)
    expect(of('fillText').map((call) => call.fillStyle)).toEqual([
      '#999999',
      '#999999',
      '#999999',
      '#999999',
      '#ffffff',
    ])
  })

  it('cuts at the edges of the window, and loses none', () => {
    const cut = { boxes: SMALL, window: { start: 0.3, end: 0.5 }, widthPx: 100 }
    expect(spanOf(cut, 1).widthPx).toBeCloseTo(50, 9)
    expect(spanOf({ ...cut, boxes: boxesOf([[0, 0.4, 0.4 + 1e-9]]) }, 0).widthPx).toBe(1)
  })

  it('grows upwards, and levels are where they are drawn', () => {
    for (const upwards of [true, false])
      for (const level of [0, 1, 2]) {
        const turned = { ...picture, upwards, scrollPx: 7 }
        expect(levelAt(turned, levelTop(turned, level) + ROW_PX / 2)).toBe(level)
      }
    expect(levelTop({ ...picture, upwards: true }, 0)).toBe(380)
    expect(levelsInSight({ ...picture, upwards: true }, 400)).toEqual({ first: 0, end: 20 })
    expect(levelsInSight({ ...picture, scrollPx: 30 }, 40)).toEqual({ first: 1, end: 4 })
  })

  it('shortens names', () => {
    expect(fitLabel('DocumentPut', 20)).toBe('DocumentPut')
    expect(fitLabel('DocumentPut', 5)).toBe('Docu…')
    expect(fitLabel('DocumentPut', 2)).toBe('')
    expect(fitLabel('a\u202Eb', 8)).toBe(String.raw`a\u202Eb`)
    expect(fitLabel('a\u202Eb', 6)).toBe(String.raw`a\u20…`)
  })
})

describe('flameMove', () => {
  it('follows the picture with arrows', () => {
    expect(flameMove(SMALL, 'ArrowDown', null, 0, false)).toEqual({ type: 'focus', box: 0 })
    expect(flameMove(SMALL, 'ArrowDown', 0, 0, false)).toEqual({ type: 'focus', box: 2 })
    expect(flameMove(SMALL, 'ArrowUp', 0, 0, true)).toEqual({ type: 'focus', box: 2 })
    expect(flameMove(SMALL, 'ArrowLeft', 2, 0, false)).toEqual({ type: 'focus', box: 1 })
    expect(flameMove(SMALL, 'ArrowUp', 0, 0, false)).toBeNull()
  })
  it('zooms, pans and leaves', () => {
    expect(flameMove(SMALL, 'Enter', 3, 0, false)).toEqual({ type: 'enter' })
    expect(flameMove(SMALL, 'Escape', 3, 0, false)).toEqual({ type: 'out' })
    expect(flameMove(SMALL, '0', 3, 0, false)).toEqual({ type: 'all' })
    expect(flameMove(SMALL, '+', 3, 0, false)).toEqual({ type: 'zoom', factor: 0.7 })
    expect(flameMove(SMALL, 'd', 3, 0, false)).toEqual({ type: 'pan', share: 0.15 })
    expect(flameMove(SMALL, 'x', 3, 0, false)).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { DURATION_STEPS, stepOf } from '../../../../base/columns/duration-steps.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { formatDateTime, formatTime } from '../../../../base/text/format.ts'
import { buildSizeScale } from '../../../../charts/canvas/size-scale.ts'
import { buildTimeScale } from '../../../../charts/scale.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import { drawLanes, hitTestLanes } from '../../../../charts/timeline/lanes/draw.ts'
import { TEST_TOKENS as tokens } from '../../../../testing/canvas-tokens.ts'
import { filledIo, requestsOf } from '../../../../testing/filled-feeds.ts'
import { generateIo } from '../../../../testing/generated/generated-io.ts'
import { recordingContext } from '../../../../testing/recording-context.ts'
import { NO_FILTER } from '../../../../feeds/io/contract/rows.ts'
import { DEFAULT_SETTINGS, type IoSettings } from '../params.ts'
import { NO_STALLS, stallsByLane } from '../stalls/marks.ts'
import { rowKey } from '../timeline/layout.ts'
import { buildPalette } from '../timeline/palette.ts'
import { HEAT_LANES } from './draw.ts'
import { joinRows, type RowHeat } from './heat.ts'
import { layoutHeat, trackOfEvent, type HeatTrack } from './layout.ts'
import { COUNTS, yOfDuration, type HeatPicture } from './picture.ts'

const data = generateIo({ seed: 11, databases: ['shop'], indexes: 3, seconds: 60, unknownKind: true })
const request = requestsOf([filledIo(data)])
const SOURCES = ['db:shop', 'server']
const range = { startTicks: data.startTicks, endTicks: data.endTicks }
const scale = buildTimeScale({ range, widthPx: 1200 })
const palette = buildPalette(tokens)

async function pictureOf(settings: Partial<IoSettings> = {}): Promise<HeatPicture> {
  const layout = layoutHeat(data.lanes, SOURCES, { ...DEFAULT_SETTINGS, ...settings }, 2)
  const refs = layout.tracks.flatMap((track) => track.refs)
  const columnTicks = Math.round((range.endTicks - range.startTicks) / 200)
  const { rows } = await request('io.heat', { rows: refs, pieces: [range], columnTicks, filter: NO_FILTER })
  const byRow = new Map<string, RowHeat>(
    refs.map((ref, i) => [rowKey(ref), { ...rows[i]!, widthTicks: columnTicks, pieces: [range] }]),
  )
  const heats = new Map(
    layout.tracks.map((track) => [track.key, joinRows(track.refs.map((ref) => byRow.get(rowKey(ref))))!]),
  )
  return {
    layout,
    scale,
    heats,
    marks: new Map(Array.from(heats, ([key, { marks }]) => [key, marks])),
    gaps: [],
    isFiltered: false,
    scrollPx: 0,
    tokens,
    palette,
    clock: 'utc',
    known: null,
    selected: null,
    overlaps: [],
    stalls: NO_STALLS,
  }
}
const sumOf = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0)
const inRange = data.events.filter(({ startTicks }) => startTicks < range.endTicks)

describe('heat maps of lanes', () => {
  describe('of a lane without events in view', () => {
    const drawn = (picture: HeatPicture): string[] => {
      const { context, texts } = recordingContext()
      drawLanes(context, 5000, picture, HEAT_LANES)
      return texts().filter((text) => /^No .*events in view/.test(text))
    }
    /** The same picture where it shows another range, of which its heat maps are. */
    const movedTo = (picture: HeatPicture, startTicks: number): HeatPicture => {
      const shown = { startTicks: startTicks as Ticks, endTicks: (startTicks + 1e8) as Ticks }
      const heats = new Map(
        Array.from(picture.heats, ([key, heat]) => [
          key,
          { ...heat, rows: heat.rows.map((row) => (row === null ? null : { ...row, pieces: [shown] })) },
        ]),
      )
      return { ...picture, heats, scale: buildTimeScale({ range: shown, widthPx: 1200 }) }
    }
    // Seconds after the last event or roll-up of all.
    const later = data.endTicks + 6e8
    const lastOf = (lane: string): Ticks =>
      Math.max(...data.events.filter((event) => event.lane === lane).map(({ startTicks }) => startTicks)) as Ticks

    it('say when the last one was, with the day where it is another, and of others nothing', async () => {
      const full = await pictureOf()
      expect(drawn(full)).toEqual([])
      const texts = drawn(movedTo(full, later))
      expect(texts).toHaveLength(full.layout.tracks.length)
      const last = lastOf(full.layout.tracks[0]!.lane.id)
      expect(texts[0]).toBe(`No events in view, the last at ${formatTime(last, 'utc', 0)}`)
      const nextDay = drawn(movedTo(full, later + 864e9))
      expect(nextDay[0]).toBe(`No events in view, the last at ${formatDateTime(last, 'utc', 0)}`)
    })

    it('say nothing while the data are of another range', async () => {
      const full = await pictureOf()
      const { scale: moved } = movedTo(full, later)
      expect(drawn({ ...full, scale: moved })).toEqual([])
    })

    it('name no last one of a file, or where a filter leaves it out', async () => {
      const moved = movedTo(await pictureOf(), later)
      expect(new Set(drawn({ ...moved, isFiltered: true }))).toEqual(new Set(['No matching events in view']))
      const tracks = moved.layout.tracks.map((track) => ({
        ...track,
        refs: track.refs.map((ref) => ({ ...ref, file: 1 })),
      }))
      expect(new Set(drawn({ ...moved, layout: { ...moved.layout, tracks } }))).toEqual(new Set(['No events in view']))
    })

    it('say nothing of a lane with a gap in view, and name no last one before a gap', async () => {
      const moved = movedTo(await pictureOf(), later)
      const [first] = moved.layout.tracks as [HeatTrack]
      const all = drawn(moved)
      const withGap = (startTicks: number, endTicks: number): string[] => {
        const gap = { ...data.gaps[0]!, startTicks: startTicks as Ticks, endTicks: endTicks as Ticks }
        return drawn({ ...moved, gaps: [{ gap, words: '', topPx: first.topPx, heightPx: first.heightPx }] })
      }
      expect(withGap(later + 1e7, later + 2e7)).toEqual(all.slice(1))
      expect(withGap(later - 2e7, later - 1e7)).toEqual(['No events in view', ...all.slice(1)])
    })
  })

  it('count all events of a collapsed lane, and of each kind where it is expanded', async () => {
    const [lane] = data.lanes
    const closed = await pictureOf()
    const own = inRange.filter((event) => event.lane === lane!.id)
    expect(sumOf(closed.heats.get(lane!.id)!.counts)).toBe(own.length)
    const open = await pictureOf({ openLanes: new Set([lane!.id]) })
    for (const { kind } of lane!.kinds)
      expect(sumOf(open.heats.get(rowKey({ lane: lane!.id, kind, file: null }))!.counts)).toBe(
        own.filter((event) => event.kind === kind).length,
      )
    const hidden = await pictureOf({ hiddenKinds: new Set(['JournalWrite']) })
    expect(sumOf(hidden.heats.get(lane!.id)!.counts)).toBe(own.filter(({ kind }) => kind !== 'JournalWrite').length)
  })

  it('draw each cell once, in the hue of its main kind and lighter where there are more events', async () => {
    const picture = await pictureOf({ find: 'Documents' })
    const [track] = picture.layout.tracks
    const heat = picture.heats.get(track!.key)!
    const { context, of } = recordingContext()
    drawLanes(context, 400, picture, HEAT_LANES)
    const ramps = track!.refs.map(({ kind }) => palette.ramp(kind))
    const drawn = new Map<string, number>()
    for (const { args, fillStyle } of of('fillRect')) {
      const place = ramps.findIndex((ramp) => ramp.includes(fillStyle))
      const [x, y, width, height] = args.map(Number) as [number, number, number, number]
      if (place === -1 || height !== 2) continue
      for (let px = x; px < x + width; px++) drawn.set(`${String(px)} ${String(y)}`, ramps[place]!.indexOf(fillStyle))
    }
    let cells = 0
    heat.counts.forEach((count, cell) => {
      if (count === 0) return
      cells++
      const step = cell % DURATION_STEPS
      const xPx = Math.round(scale.toPx(heat.columnTicks[Math.floor(cell / DURATION_STEPS)]!))
      const yPx = AXIS_PX + track!.topPx + (DURATION_STEPS - 1 - step) * 2
      if (xPx >= 0) expect(drawn.get(`${String(xPx)} ${String(yPx)}`)).toBe(COUNTS.step(count))
    })
    expect(cells).toBeGreaterThan(100)
  })

  it('draw as dots the slowest alone: far above the median of their kind, few, each of which is hit and pinned', async () => {
    const picture = await pictureOf({ find: 'Documents' })
    const [track] = picture.layout.tracks
    const { marks } = picture.heats.get(track!.key)!
    const writes = inRange.filter((event) => event.lane === track!.lane.id && event.kind === 'JournalWrite')
    const slowest = writes.toSorted((a, b) => b.durationTicks - a.durationTicks)[0]!
    const dots = Array.from({ length: marks.length }, (_, i) => i).filter((i) => marks.isApart[i] === 1)
    expect(dots.length).toBeGreaterThan(0)
    expect(dots.length).toBeLessThan(marks.length / 5)
    expect(dots.map((i) => marks.startTicks[i])).toContain(slowest.startTicks)
    const hit = hitTestLanes(picture, HEAT_LANES, {
      xPx: scale.toPx(slowest.startTicks),
      yPx: AXIS_PX + yOfDuration(track!, slowest.durationTicks),
    })
    expect(hit?.own).toMatchObject({ type: 'mark', ref: { kind: 'JournalWrite', startTicks: slowest.startTicks } })
  })

  it('say of a cell how many events of which kind took how long, and what was slowest', async () => {
    const picture = await pictureOf({ find: 'Documents' })
    const [track] = picture.layout.tracks
    const heat = picture.heats.get(track!.key)!
    const cell = heat.counts.indexOf(Math.max(...heat.counts))
    const column = Math.floor(cell / DURATION_STEPS)
    const step = cell % DURATION_STEPS
    const startTicks = heat.columnTicks[column]!
    const hit = hitTestLanes(picture, HEAT_LANES, {
      xPx: scale.toPx(startTicks + heat.widthTicks / 2),
      yPx: AXIS_PX + track!.topPx + (DURATION_STEPS - 1 - step) * 2 + 1,
    })
    const own = inRange.filter(
      (event) =>
        event.lane === track!.lane.id &&
        event.startTicks >= startTicks &&
        event.startTicks < startTicks + heat.widthTicks,
    )
    const inCell = own.filter(({ durationTicks }) => stepOf(durationTicks) === step)
    const found = hit?.own
    if (found?.type !== 'cell') throw new Error(`a ${found?.type ?? 'gap'} instead of a cell`)
    expect(found.kinds.reduce((sum, { count }) => sum + count, 0)).toBe(inCell.length)
    expect(found.fromTicks!).toBeLessThanOrEqual(Math.min(...inCell.map(({ durationTicks }) => durationTicks)))
    expect(found.toTicks!).toBeGreaterThan(Math.max(...inCell.map(({ durationTicks }) => durationTicks)))
    expect(found.slowest.durationTicks).toBe(Math.max(...own.map(({ durationTicks }) => durationTicks)))
  })

  it('draw roll-ups apart, as hatched boxes', async () => {
    const before = buildTimeScale({
      range: { startTicks: Math.min(...data.rollUps.map((each) => each.startTicks)) as Ticks, endTicks: data.endTicks },
      widthPx: 1200,
    })
    const { context, of } = recordingContext()
    drawLanes(context, 400, { ...(await pictureOf()), scale: before }, HEAT_LANES)
    expect(of('strokeRect').length).toBe(0)
    const { rows } = await request('io.heat', {
      rows: [{ lane: data.rollUps[0]!.lane, kind: data.rollUps[0]!.kind, file: null }],
      pieces: [before.range],
      columnTicks: 1e8,
      filter: NO_FILTER,
    })
    const picture = await pictureOf()
    const heat = joinRows([{ ...rows[0]!, widthTicks: 1e8, pieces: [range] }])!
    drawLanes(context, 400, { ...picture, scale: before, heats: new Map([[data.rollUps[0]!.lane, heat]]) }, HEAT_LANES)
    expect(of('strokeRect').length).toBeGreaterThan(0)
  })

  it('mark stalls at their duration', async () => {
    const picture = await pictureOf({ find: 'Documents' })
    const write = inRange.find(
      (event) => event.kind === 'JournalWrite' && event.lane === picture.layout.tracks[0]!.lane.id,
    )!
    const stalls = stallsByLane([{ ...write, cause: 'sync', title: 'Data sync', blamed: null, selection: 'x' }])
    const track = trackOfEvent(picture.layout, write)!
    const hit = hitTestLanes({ ...picture, stalls }, HEAT_LANES, {
      xPx: scale.toPx(write.startTicks),
      yPx: AXIS_PX + yOfDuration(track, write.durationTicks),
    })
    expect(hit?.own).toMatchObject({ type: 'stall', stall: { selection: 'x' } })
  })
})

describe('the scale of counts', () => {
  it('has a step for one event alone', () => {
    expect([1, 2, 4, 5, 4096, 4097].map(COUNTS.step)).toEqual([0, 1, 1, 2, 6, 7])
    expect(buildSizeScale('log', 0, 1).limits).toEqual(COUNTS.limits)
  })
})

import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { RECORDED_LINES, recordedFrames, recordedJson } from '../../../../testing/recorded.ts'
import { GcLog, readMemoryGc } from './gc.ts'
import { readWidget, type GcWidget } from '../wire/widgets.ts'

const at = (seconds: number): Ticks => (seconds * TICKS_PER_SECOND) as Ticks
const detail = readMemoryGc(recordedJson('7.1', 'memory-gc.json'))

/** As a frame of the dashboard: one kind whose number changed. */
const frame = (index: number, kind: 'Ephemeral' | 'Background' = 'Ephemeral'): GcWidget => ({
  pauseTimePercent: index / 100,
  kinds: [{ ...detail.kinds.find((each) => each.kind === kind)!, index, pauseMs: 7 }],
})

describe('garbage collections', () => {
  it.each(RECORDED_LINES)('are read of %s, all generations of the newest', (line) => {
    const response = readMemoryGc(recordedJson(line, 'memory-gc.json'))
    const log = new GcLog()
    log.takeDetail(response, at(0))
    const gc = log.now(null)!
    expect(gc.index).toBe(Math.max(...response.kinds.map(({ index }) => index)))
    expect(gc.newest!.heaps.reduce((sum, { afterBytes }) => sum + afterBytes, 0)).toBe(gc.newest!.heapAfterBytes)
    // A minor collection: large and pinned objects are there all the same.
    expect(gc.newest!.kind).toBe('Ephemeral')
    expect(gc.newest!.heaps.find(({ heap }) => heap === 'loh')!.afterBytes).toBeGreaterThan(1_000_000)
    expect(gc.newest!.heaps.find(({ heap }) => heap === 'poh')!.afterBytes).toBeGreaterThan(0)
    expect(gc.detail!.committedBytes).toBeGreaterThan(gc.newest!.heapAfterBytes)
  })

  it('are counted by differences of the largest number over all kinds', () => {
    const log = new GcLog()
    log.take(frame(100), at(0))
    log.take(frame(104, 'Background'), at(30))
    expect(log.perMinute).toBeNull()
    log.take({ pauseTimePercent: null, kinds: [] }, at(60))
    expect(log.perMinute).toBe(4)
    log.take(frame(110), at(90))
    // From second 30 on.
    expect(log.perMinute).toBe(6)
    log.take({ pauseTimePercent: null, kinds: [] }, at(150))
    expect(log.perMinute).toBe(0)
  })

  it('are not counted over a long silence', () => {
    const log = new GcLog()
    log.take(frame(100), at(0))
    log.take(frame(900), at(3600))
    expect(log.perMinute).toBeNull()
  })

  it('take the share of pauses from the largest number, whatever comes later', () => {
    const log = new GcLog()
    log.take({ ...frame(50), pauseTimePercent: 0.5 }, at(0))
    log.take({ ...frame(40, 'Background'), pauseTimePercent: 3 }, at(3))
    expect(log.now(null)).toMatchObject({ pauseTimePercent: 0.5, index: 50 })
  })

  it('report pauses of collections that were not known, and none of the first frame', () => {
    const log = new GcLog()
    expect(log.take(frame(50), at(0))).toEqual([])
    expect(log.take(frame(51), at(3))).toEqual([7])
    expect(log.take(frame(51), at(6))).toEqual([])
    expect(log.takeDetail({ ...detail, kinds: frame(52).kinds }, at(7))).toEqual([7])
  })

  it.each(RECORDED_LINES)('agree between the dashboard and memory/gc on %s', (line) => {
    const frames = recordedFrames(line, 'cluster-dashboard-watch.ndjson').flatMap((text) => {
      const widget = readWidget(JSON.parse(text))
      return widget?.type === 'GcInfo' ? [widget.gc] : []
    })
    for (const { kinds } of frames)
      for (const kind of kinds)
        expect(kind.heaps.reduce((sum, { afterBytes }) => sum + afterBytes, 0)).toBe(kind.heapAfterBytes)
  })
})

import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { Coverage } from './coverage.ts'
import { SeriesStore, seriesInfo, volumeKey } from './series.ts'

const S = TICKS_PER_SECOND
const T0 = 200_000_000
const at = (second: number): Ticks => ((T0 + second) * S) as Ticks

describe('SeriesStore', () => {
  it('knows its keys, also of volumes', () => {
    expect(seriesInfo('cpu.machine')).toMatchObject({ unit: 'percent', group: 'cpu', mount: null, everyMs: 1000 })
    expect(seriesInfo(volumeKey('free', '/data|odd'))).toMatchObject({ unit: 'bytes', mount: '/data|odd' })
    expect(seriesInfo('volume.constructor|/')).toBeNull()
    expect(seriesInfo('toString')).toBeNull()
  })

  it('answers means and extremes, and NaN where something is missing', () => {
    const store = new SeriesStore()
    for (const second of [0, 1, 2, 3, 20, 21]) store.append('cpu.process', at(second), second)
    const rows = store.rows('cpu.process', { startTicks: at(0), endTicks: at(30) }, 1000)
    expect([...rows.mean]).toEqual([0, 1, 2, 3, Number.NaN, 20, 21])
    const few = store.rows('cpu.process', { startTicks: at(0), endTicks: at(30) }, 3)
    expect([...few.mean]).toEqual([1.5, Number.NaN, 20.5])
    expect([...few.max]).toEqual([3, Number.NaN, 21])
  })

  it('a figure that comes every three seconds has no gaps between', () => {
    const store = new SeriesStore()
    for (const second of [0, 3, 6.1, 9, 15]) store.append('writes.rate', at(second), 1)
    const rows = store.rows('writes.rate', { startTicks: at(0), endTicks: at(30) }, 1000)
    expect([...rows.mean]).toEqual([1, 1, 1, 1, 1])
  })

  it('sums up what was lately', () => {
    const store = new SeriesStore()
    for (let second = 0; second < 60; second++) store.append('cpu.machine', at(second), second)
    expect(store.recent('cpu.machine', at(59), 9000)).toEqual({ mean: 54.5, min: 50, max: 59, count: 10 })
    expect(store.recent('cpu.process', at(59), 9000)).toEqual({
      mean: Number.NaN,
      min: Number.NaN,
      max: Number.NaN,
      count: 0,
    })
    const slope = (spanMs: number, newest?: { atTicks: number; value: number }) =>
      store.slope('cpu.machine', at(59), { spanMs, leastMs: 30_000, newest: newest ?? null })
    expect(slope(40_000)).toEqual({ perSecond: 1, overMs: 40_000 })
    expect(slope(60_000, { atTicks: at(60), value: 120 })).toEqual({ perSecond: 2, overMs: 60_000 })
    expect(slope(10_000)).toBeNull()
  })

  it('passes over what is none of its keys, null and more volumes than it keeps', () => {
    const store = new SeriesStore()
    store.append('nonsense', at(0), 1)
    store.append('cpu.process', at(0), null)
    expect(store.available).toEqual([])
    for (let volume = 0; volume < 1000; volume++) store.append(volumeKey('queue', `/${volume}`), at(0), 1)
    expect(store.available.length).toBeLessThanOrEqual(139)
    expect(store.rows('memory.swap', { startTicks: at(0), endTicks: at(9) }, 10).length).toBe(0)
  })

  it('holds as much after eight hours of all its series as after one, within 5 %', () => {
    const store = new SeriesStore()
    const feed = (from: number, to: number): void => {
      for (let second = from; second < to; second += 5) {
        for (const key of ['cpu.process', 'memory.scratch', 'gc.heap', 'network.sent', volumeKey('free', '/')])
          store.append(key, at(second), second)
      }
    }
    feed(0, 3600)
    const after1 = store.byteLength
    feed(3600, 8 * 3600)
    expect(store.byteLength / after1).toBeLessThan(1.05)
  })
})

describe('Coverage', () => {
  it('reports gaps with their reasons', () => {
    const seen = new Coverage(5 * TICKS_PER_SECOND)
    for (let second = 0; second <= 10; second++) seen.received(at(second))
    seen.ended('tab-hidden', 'hidden')
    seen.ended('not-watched', 'a second reason does not count')
    for (let second = 60; second <= 70; second++) seen.received(at(second))
    for (let second = 200; second <= 210; second++) seen.received(at(second))
    expect(seen.gaps({ startTicks: at(0), endTicks: at(300) })).toEqual([
      { startTicks: at(10), endTicks: at(60), reason: 'tab-hidden', detail: 'hidden' },
      {
        startTicks: at(70),
        endTicks: at(200),
        reason: 'not-watched',
        detail: 'No figures arrived, for an unknown reason.',
      },
    ])
    expect(seen.gaps({ startTicks: at(20), endTicks: at(30) })).toMatchObject([
      { startTicks: at(20), endTicks: at(30) },
    ])
    expect(seen.gaps({ startTicks: at(65), endTicks: at(69) })).toEqual([])
  })

  it('reports a gap that goes on up to now, and none while the connection is open', () => {
    const seen = new Coverage(5 * TICKS_PER_SECOND)
    const range = { startTicks: at(0), endTicks: at(60) }
    for (let second = 0; second <= 10; second++) seen.received(at(second))
    expect(seen.gaps(range, false, at(40))).toEqual([])
    seen.ended('server-stopped', 'gone')
    expect(seen.gaps(range, false, at(40))).toEqual([
      { startTicks: at(10), endTicks: at(40), reason: 'server-stopped', detail: 'gone' },
    ])
    expect(seen.gaps(range, false, at(90))).toMatchObject([{ endTicks: at(60) }])
    expect(seen.gaps({ startTicks: at(50), endTicks: at(60) }, false, at(40))).toEqual([])
    expect(seen.gaps(range)).toEqual([])
  })

  it('joins earlier visits to this one', () => {
    const before = new Coverage(5 * TICKS_PER_SECOND)
    before.received(at(0))
    before.received(at(5))
    const now = new Coverage(5 * TICKS_PER_SECOND)
    now.received(at(1000))
    now.restore(before.spans, 0 as Ticks)
    expect(now.gaps({ startTicks: at(0), endTicks: at(2000) })).toMatchObject([
      { startTicks: at(5), endTicks: at(1000), reason: 'not-watched' },
    ])
  })

  it('forgets a future that did not come, and never grows beyond its bound', () => {
    const seen = new Coverage(5 * TICKS_PER_SECOND)
    seen.received(at(0))
    seen.received(at(100_000))
    seen.dropFrom(at(1))
    seen.received(at(2))
    expect(seen.spans.at(-1)).toMatchObject({ endTicks: at(2) })
    for (let visit = 0; visit < 3000; visit++) seen.received(at(1000 + visit * 100))
    expect(seen.spans).toHaveLength(1000)
  })
})

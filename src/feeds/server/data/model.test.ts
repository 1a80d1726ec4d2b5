import { describe, expect, it } from 'vitest'
import { formatTicks, type Ticks, TICKS_PER_SECOND, ticksFromMs } from '../../../base/ticks.ts'
import { recordedFrames, recordedJson } from '../../../testing/recorded.ts'
import { ServerModel } from './model.ts'
import { readTcpStats } from './wire/polls-wire.ts'
import type { ServerWatch } from '../contract/watch.ts'
import { readWidget } from './wire/widgets.ts'

const NOW_MS = 1_800_000_000_000
const WATCH = { role: 'leader' } as ServerWatch

function stamped(model: ServerModel, atMs: number, stampMs: number, data: object): void {
  const Date = formatTicks(ticksFromMs(stampMs))
  const frame = readWidget({ Id: 1, Data: { Date, ...data } })
  if (frame !== null) model.widget(frame, atMs)
}

const cpu = { Type: 'CpuUsage', ProcessCpuUsage: 60, MachineCpuUsage: 50 }
const counted = (model: ServerModel): number =>
  model.series
    .rows('cpu.machine', { startTicks: 0 as Ticks, endTicks: 1e17 as Ticks }, 1e6)
    .count.reduce((sum, count) => sum + count, 0)

describe('ServerModel', () => {
  it('keeps each kind of collection that a frame does not report, and counts pauses of new ones only', () => {
    const model = new ServerModel()
    for (const text of recordedFrames('7.1', 'cluster-dashboard-watch.ndjson')) {
      const frame = readWidget(JSON.parse(text))
      if (frame?.type === 'GcInfo') model.widget(frame, NOW_MS)
    }
    const { gc } = model.now(WATCH, NOW_MS)
    expect(gc?.kinds.map(({ kind, index }) => [kind, index])).toEqual([
      ['Ephemeral', 289],
      ['Background', 286],
      ['FullBlocking', 13],
    ])
    expect(gc?.recentPauseShare).toBeNull()
    // Five were new; which pauses those before the first frame made is not known.
    const pauses = model.series.rows('gc.pauseMs', { startTicks: 0 as Ticks, endTicks: 1e17 as Ticks }, 1e6)
    expect(pauses.count.reduce((sum, count) => sum + count, 0)).toBe(5)
  })

  it('reports the share of pauses of the last minute, once it has seen a minute', () => {
    const model = new ServerModel()
    const heap = { SizeBeforeBytes: 1, SizeAfterBytes: 1, FragmentationAfterBytes: 0 }
    const heaps = Object.fromEntries(
      ['Gen0', 'Gen1', 'Gen2', 'LargeObject', 'PinnedObject'].map((name) => [`${name}HeapSize`, heap]),
    )
    const collection = (Index: number) => ({
      Type: 'GcInfo',
      Ephemeral: {
        Index,
        Generation: 1,
        PauseTimePercentage: 1,
        PauseDurationsInMs: [900, 300],
        TotalHeapSizeAfterBytes: 5,
        ...heaps,
      },
      Background: null,
      FullBlocking: null,
    })
    for (let second = 0; second <= 70; second += 10)
      stamped(model, NOW_MS + second * 1000, NOW_MS + second * 1000, collection(second + 1))
    expect(model.now(WATCH, NOW_MS + 70_000).gc?.recentPauseShare).toBeCloseTo(0.12, 1)
  })

  it('computes rates of the network between two responses, and none across a counter that restarted', () => {
    const model = new ServerModel()
    stamped(model, NOW_MS, NOW_MS, cpu)
    const stats = readTcpStats(recordedJson('7.1', 'tcp-stats.json'))
    model.tcp(stats, NOW_MS)
    expect(model.now(WATCH, NOW_MS).network).toMatchObject({ sentSegmentsPerSecond: null })
    model.tcp({ ...stats, sentSegments: stats.sentSegments! + 500 }, NOW_MS + 10_000)
    expect(model.now(WATCH, NOW_MS).network).toMatchObject({ sentSegmentsPerSecond: 50, resentSegmentsPerSecond: 0 })
    model.tcp({ ...stats, sentSegments: 3 }, NOW_MS + 20_000)
    expect(model.now(WATCH, NOW_MS).network?.sentSegmentsPerSecond).toBeNull()
  })

  it('takes requests a second from differences of the server’s count, else about from the widget', () => {
    const model = new ServerModel()
    stamped(model, NOW_MS, NOW_MS, { Type: 'Traffic', RequestsPerSecond: 41, AverageRequestDuration: 2 })
    const traffic = (seconds: number) => model.now(WATCH, NOW_MS + seconds * 1000).traffic
    expect(traffic(0)).toMatchObject({ requestsPerSecond: 30.75, countedOverMs: null })
    const metrics = { concurrentRequests: 1, averageMs: 2 }
    model.metrics({ ...metrics, requestsSinceStart: 1000 }, NOW_MS)
    expect(traffic(0)).toMatchObject({ countedOverMs: null })
    model.metrics({ ...metrics, requestsSinceStart: 1301 }, NOW_MS + 10_000)
    expect(traffic(10)).toMatchObject({ requestsPerSecond: 30.1, countedOverMs: 10_000 })
    // A deleted one counts no more: the widget's figures are current.
    expect(traffic(200)).toMatchObject({ requestsPerSecond: 30.75, countedOverMs: null })
    // The server counts again after a restart.
    model.metrics({ ...metrics, requestsSinceStart: 12 }, NOW_MS + 20_000)
    expect(traffic(20)).toMatchObject({ countedOverMs: null })
  })

  it('tells our own requests from those of other clients, and all as ours where only some were under way', () => {
    const model = new ServerModel()
    let [own, since] = [120 as number | null, 1000]
    const metrics = (seconds: number, more: number) =>
      model.metrics(
        { concurrentRequests: 1, averageMs: 2, requestsSinceStart: (since += more) },
        NOW_MS + seconds * 1000,
      )
    model.own = { most: () => 0, count: () => 0, countAll: () => own, isKnown: () => true }
    stamped(model, NOW_MS, NOW_MS, cpu)
    metrics(0, 0)
    const trafficAfter = (seconds: number, more: number) => {
      metrics(seconds, more)
      return model.now(WATCH, NOW_MS + seconds * 1000).traffic
    }
    expect(trafficAfter(10, 122)).toMatchObject({ requestsPerSecond: 12.2, oursPerSecond: 12.2 })
    expect(trafficAfter(20, 130)).toMatchObject({ requestsPerSecond: 13, oursPerSecond: 12 })
    own = null
    expect(trafficAfter(30, 130)).toMatchObject({ requestsPerSecond: 13, oursPerSecond: null })
  })

  it('a clock that is set back a little loses no sample, one that was far ahead loses what it stamped', () => {
    const model = new ServerModel()
    for (let second = 0; second < 10; second++) stamped(model, NOW_MS + second * 1000, NOW_MS + second * 1000, cpu)
    stamped(model, NOW_MS + 10_000, NOW_MS - 60_000, cpu)
    expect([counted(model), model.time.jumps.length]).toEqual([11, 1])
    stamped(model, NOW_MS + 11_000, NOW_MS + 365 * 86_400_000, cpu)
    stamped(model, NOW_MS + 12_000, NOW_MS - 58_000, cpu)
    expect(model.time.jumps.map(({ byMs }) => Math.sign(byMs))).toEqual([-1, 1, -1])
    // Earlier samples are as old as they are, and the future is gone.
    expect(model.series.extent!.endTicks).toBeLessThan(ticksFromMs(NOW_MS + 60_000) + 60 * TICKS_PER_SECOND)
    expect(model.nowTicks(NOW_MS + 13_000)).toBe(ticksFromMs(NOW_MS - 57_000))
  })

  it('does not blame the server where this computer’s clock was set, and follows it either way', () => {
    const model = new ServerModel()
    const hourMs = 3_600_000
    const frames = (from: number, to: number, shiftMs: number): void => {
      for (let second = from; second < to; second++)
        stamped(model, NOW_MS + second * 1000 + shiftMs, NOW_MS + second * 1000, cpu)
    }
    frames(0, 30, 0)
    frames(30, 60, 3 * hourMs)
    expect(model.nowTicks(NOW_MS + 60_000 + 3 * hourMs)).toBe(ticksFromMs(NOW_MS + 60_000))
    frames(60, 90, 0)
    expect(model.nowTicks(NOW_MS + 90_000)).toBe(ticksFromMs(NOW_MS + 90_000))
    expect([counted(model), model.time.jumps]).toEqual([90, []])
  })

  /** Reports of the server on its volume: first a value that it had kept, a second later the one that it has read. */
  const storage = (model: ServerModel, atMs: number, FreeSpace: number, kept = 0.9e12): void => {
    const item = { MountPoint: '/', TotalCapacity: 1e12, RavenSize: 1, RavenTempBuffersSize: 1 }
    stamped(model, atMs - 1000, atMs - 1000, { Type: 'StorageUsage', Items: [{ ...item, FreeSpace: kept }] })
    stamped(model, atMs, atMs, { Type: 'StorageUsage', Items: [{ ...item, FreeSpace }] })
  }

  it('says when a disk will be full, by the last hour, and counts down from the newest value', () => {
    const model = new ServerModel()
    for (let minute = 0; minute <= 30; minute++) {
      const atMs = NOW_MS + minute * 60_000
      storage(model, atMs, 1e10 - minute * 6e8 * 0.1)
      if (minute === 5) expect(model.now(WATCH, atMs).volumes[0]!.fullInMs).toBeNull()
    }
    const at = (laterMs: number) => model.now(WATCH, NOW_MS + 1_800_000 + laterMs).volumes[0]!
    const volume = at(0)
    expect(volume.shrinksBytesPerSecond).toBeCloseTo(1e6)
    expect(volume.shrinksOverMs).toBe(1_800_000)
    expect(volume.fullInMs! / 1000).toBeCloseTo(volume.freeBytes / 1e6, 0)
    expect(volume.fullInMs! - at(40_000).fullInMs!).toBeCloseTo(40_000, 0)
  })

  it('measures the rate between the times of the values, which are not whole minutes apart', () => {
    const model = new ServerModel()
    const rates = Array.from({ length: 4 }, (_, i) => {
      const atMs = NOW_MS + 5000 + i * 65_000
      storage(model, atMs, 1e9 - i * 65 * 1e6)
      const { shrinksBytesPerSecond, shrinksOverMs } = model.now(WATCH, atMs).volumes[0]!
      return [shrinksBytesPerSecond, shrinksOverMs]
    })
    expect(rates).toEqual([
      [null, 0],
      [null, 0],
      [1e6, 130_000],
      [1e6, 195_000],
    ])
  })

  it('takes a value that the server had kept only where no other comes', () => {
    const model = new ServerModel()
    const item = { MountPoint: '/', TotalCapacity: 1e12, RavenSize: 1, RavenTempBuffersSize: 1 }
    for (let minute = 0; minute <= 20; minute++) {
      const atMs = NOW_MS + minute * 60_000
      const FreeSpace = 1e10 - minute * 6e7
      stamped(model, atMs, atMs, { Type: 'StorageUsage', Items: [{ ...item, FreeSpace }] })
    }
    expect(model.now(WATCH, NOW_MS + 1_230_000).volumes[0]!.shrinksBytesPerSecond).toBeCloseTo(1e6)
  })

  it.each([
    ['quickly', [0, 1.2e10, 2.4e10, 3.6e10, 4.8e10], 2e8, 240_000],
    ['in steps, as data files grow,', [0, 1.8e10, 1.8e10, 3.6e10, 3.6e10], 1.5e8, 240_000],
    ['by a single file', [0, 1.2e10, 1.2e10, 1.2e10, 1.2e10], 1.2e10 / 2040, 2_040_000],
    ['slowly', [0, 1.2e8, 2.4e8, 3.6e8, 4.8e8], 4.8e8 / 2040, 2_040_000],
  ])('says when a disk that fills up %s will be full', (_, taken, perSecond, overMs) => {
    const model = new ServerModel()
    for (let minute = 0; minute <= 34; minute++) {
      const atMs = NOW_MS + minute * 60_000
      storage(model, atMs, 7e10 - (taken[minute - 30] ?? 0))
    }
    const [volume] = model.now(WATCH, NOW_MS + 34 * 60_000).volumes
    expect(volume!.shrinksBytesPerSecond).toBeCloseTo(perSecond)
    expect(volume!.shrinksOverMs).toBe(overMs)
    expect(volume!.fullInMs! / 1000).toBeCloseTo(volume!.freeBytes / perSecond, 0)
  })

  it('keeps the forecast of a disk that fills up quickly between two values', () => {
    const model = new ServerModel()
    const forecasts = Array.from({ length: 120 }, (_, i) => {
      const atMs = NOW_MS + i * 5000
      if (i % 13 === 0) storage(model, atMs, 3e11 - i * 1e9)
      stamped(model, atMs, atMs, cpu)
      return model.now(WATCH, atMs).volumes[0]!.fullInMs !== null
    })
    expect(forecasts.lastIndexOf(false)).toBe(forecasts.indexOf(true) - 1)
    expect(forecasts.indexOf(true) * 5).toBeLessThan(140)
  })

  it('alerts are bounded, the newest stay', () => {
    const model = new ServerModel()
    for (let n = 0; n < 700; n++)
      model.raise({
        id: `a${n}`,
        createdTicks: null,
        type: 'AlertRaised',
        kind: null,
        severity: 'Error',
        title: '',
        message: null,
        database: null,
        exception: null,
      })
    expect(model.alerts.size).toBe(500)
    expect(model.alerts.has('a699')).toBe(true)
  })
})

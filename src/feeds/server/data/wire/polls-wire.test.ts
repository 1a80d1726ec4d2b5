import { describe, expect, it } from 'vitest'
import { parseTicks } from '../../../../base/ticks.ts'
import { RECORDED_LINES, recordedFrames, recordedJson } from '../../../../testing/recorded.ts'
import { readNotification } from './notifications-wire.ts'
import {
  readAdminMetrics,
  readAdminStats,
  readCredits,
  readIdle,
  readLicence,
  readLowMemoryLog,
  readServerId,
  readTcpStats,
} from './polls-wire.ts'
import { readTopology } from './topology-wire.ts'

describe.each(RECORDED_LINES)('answers of %s', (line) => {
  it('are read', () => {
    const stats = readAdminStats(recordedJson(line, 'admin-stats.json'))
    expect(stats.startTicks).toBeGreaterThan(parseTicks('2026-11-20T03:28:00Z'))
    expect(stats.upTimeMs).toBeGreaterThan(32 * 60_000)
    expect(readAdminMetrics(recordedJson(line, 'admin-metrics.json'))).toMatchObject({ concurrentRequests: 1 })
    expect(readCredits(recordedJson(line, 'cpu-credits.json'))).toBeNull()
    expect(readTcpStats(recordedJson(line, 'tcp-stats.json')).connections).toBeGreaterThan(0)
    expect(readLicence(recordedJson(line, 'license-status.json'))).toMatchObject({ type: 'None', expired: false })
    expect(readServerId(recordedJson(line, 'server-id.json'))).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('report low memory, newest first', () => {
    const { events, thresholdText } = readLowMemoryLog(recordedJson(line, 'memory-low-mem-log.json'))
    expect(thresholdText).toBe('2 GBytes')
    expect(events.length).toBeGreaterThan(3)
    expect(events[0]).toMatchObject({ event: 'BackToNormal', isLow: false, isSimulated: false })
    expect(events[1]).toMatchObject({ isLow: true, isSimulated: true })
    expect(events.map(({ atTicks }) => atTicks)).toEqual(events.map(({ atTicks }) => atTicks).toSorted((a, b) => b - a))
  })

  it('report when the server will unload a database, and what prevents it', () => {
    const idle = readIdle(recordedJson(line, 'databases-idle.json'))
    expect(idle).toMatchObject({ maxIdleMs: 900_000, sweepEveryMs: 60_000 })
    const bench = idle.databases.get('bench')!
    expect(bench).toMatchObject({ isLoaded: true, canCleanup: false, canUnload: true })
    expect(bench.lastWorkTicks).toBeGreaterThan(bench.loadedTicks!)
  })

  it('report the cluster of one', () => {
    expect(readTopology(recordedJson(line, 'cluster-topology.json'))).toMatchObject({
      leader: 'A',
      term: 1,
      ownTag: 'A',
      ownState: 'Leader',
      nodes: [{ tag: 'A', type: 'Member', cores: 2, memoryBytes: 25_276_510_208, connected: null }],
    })
  })

  it('report alerts, whichever name their kind has', () => {
    const frames = recordedFrames(line, 'server-notification-center-watch.ndjson').map((text) =>
      readNotification(JSON.parse(text)),
    )
    const alerts = frames.flatMap((frame) => (frame.kind === 'alert' ? [frame.alert] : []))
    expect(alerts.map(({ kind }) => kind)).toEqual(['LowSwapSize', 'LicenseManager_AGPL3', 'DatabaseTopologyWarning'])
    expect(alerts[2]).toMatchObject({ database: 'iodemo', severity: 'Warning', type: 'AlertRaised' })
    const changed = frames.find((frame) => frame.kind === 'topology')
    expect(readTopology(changed?.response)).toMatchObject({ leader: 'A', term: 1 })
  })
})

describe('what was not recorded', () => {
  it('CPU credits in use', () => {
    const base = recordedJson('7.1', 'cpu-credits.json') as object
    expect(readCredits({ ...base, Used: true, RemainingCpuCredits: 12, CurrentConsumption: 0.4 })).toMatchObject({
      remaining: 12,
      usedPerSecond: 0.4,
    })
  })

  it('an alert that was dismissed', () => {
    expect(
      readNotification({ Type: 'NotificationUpdated', NotificationId: 'AlertRaised/x', UpdateType: 'Dismissed' }),
    ).toEqual({ kind: 'removed', id: 'AlertRaised/x' })
    expect(readNotification({ Type: 'OperationChanged', Id: 'x' })).toEqual({ kind: 'other' })
  })

  it('says where an answer is not what it should be', () => {
    expect(() => readAdminStats([])).toThrow('an object')
    expect(() => readIdle({ Results: [{ Name: 7 }] })).toThrow('$.Results[0].Name')
    expect(() => readTopology({ Topology: { Members: { A: 1 } }, NodeTag: 'A' })).toThrow('$.Topology.Members.A')
    expect(() => readNotification(null)).toThrow('an object')
  })
})

import { describe, expect, it } from 'vitest'
import { Costs, frameCostMs } from './costs.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { MeterLog } from './meter.ts'
import { DEFAULT_LIMITS } from './plan.ts'

const bookOf = (now: () => number): MeterLog => new MeterLog(now, new Costs(now))
const read = (log: MeterLog, slowed: string | null = null) =>
  log.read({
    slowed,
    isServerSlow: false,
    limits: DEFAULT_LIMITS,
    isAttended: true,
    slowedPolls: [],
    pausedSockets: [],
    others: [],
  })

describe('MeterBook', () => {
  it('counts by endpoint and in all', () => {
    const log = bookOf(() => 5000)
    log.request('/a')
    log.bytes('/a', 100)
    log.ended('/a', 12)
    log.request('/b')
    log.failure('/b')
    log.socketOpened(ENDPOINTS.threadsInfo, 0, true)
    expect(read(log, 'why')).toEqual({
      sinceMs: 5000,
      requests: 2,
      sockets: 1,
      bytes: 100,
      requestsPerMinute: 2,
      bytesPerMinute: 100,
      slowed: 'why',
      isServerSlow: false,
      endpoints: [
        { endpoint: '/a', requests: 1, bytes: 100, failures: 0, lastMs: 12, serverMs: 0 },
        { endpoint: '/b', requests: 1, bytes: 0, failures: 1, lastMs: null, serverMs: 0 },
      ],
      cost: {
        limits: { attended: 0.02, background: 0.005 },
        isAttended: true,
        shareOfCore: 0,
        onceMs: 0,
        serverMs: 0,
        shareOfRequests: null,
        databasesLoaded: 0,
        slowedPolls: [],
        pausedSockets: [],
        otherPages: { pages: 0, shareOfCore: 0, requestsPerMinute: 0, bytesPerMinute: 0 },
      },
    })
  })

  it('forgets what is older than a minute, but not in the sums', () => {
    let nowMs = 1_000_000
    const log = bookOf(() => nowMs)
    for (let second = 0; second < 150; second++) {
      log.request('/a')
      log.bytes('/a', 10)
      nowMs += 1000
    }
    nowMs -= 1000
    expect(read(log)).toMatchObject({ requests: 150, bytes: 1500, requestsPerMinute: 60, bytesPerMinute: 600 })
    nowMs += 59_000
    expect(read(log).requestsPerMinute).toBe(1)
    nowMs += 3_600_000
    expect(read(log)).toMatchObject({ requests: 150, requestsPerMinute: 0, bytesPerMinute: 0 })
  })

  it('knows which share of the server’s requests is its own, and what it loaded', () => {
    const log = bookOf(() => 5000)
    log.serverRequests(1000)
    for (let call = 0; call < 25; call++) log.request('/a')
    expect(read(log).cost.shareOfRequests).toBeNull()
    log.serverRequests(1100)
    expect(read(log).cost.shareOfRequests).toBe(0.25)
    // The server was restarted.
    log.serverRequests(3)
    expect(read(log).cost.shareOfRequests).toBe(0.25)
    log.loaded()
    expect(read(log).cost.databasesLoaded).toBe(1)
  })
})

describe('Costs', () => {
  it('measures by what goes beyond the fastest short request, within bounds of the table', () => {
    const costs = new Costs(() => 5000)
    expect(costs.costMs(ENDPOINTS.databases)).toBeCloseTo(5.2)
    costs.took(ENDPOINTS.buildVersion, 10, 100, false)
    for (let call = 0; call < 3; call++) costs.took(ENDPOINTS.databases, 13, 100, false)
    // 3 ms of work, and what any call costs.
    expect(costs.costMs(ENDPOINTS.databases)).toBeCloseTo(5.4)
    for (let call = 0; call < 50; call++) costs.took(ENDPOINTS.databases, 5000, 100, false)
    expect(costs.costMs(ENDPOINTS.databases)).toBe(5.2 * 2)
    for (let call = 0; call < 50; call++) costs.took(ENDPOINTS.databases, 10, 100, false)
    expect(costs.costMs(ENDPOINTS.databases)).toBe(5.2 / 2)
  })

  it('takes what grows with the response by its bytes, however long it waited', () => {
    const costs = new Costs(() => 5000)
    expect(costs.costMs(ENDPOINTS.ioMetrics)).toBe(293)
    costs.took(ENDPOINTS.ioMetrics, 9000, 92_000, false)
    expect(costs.costMs(ENDPOINTS.ioMetrics)).toBeCloseTo(4.42, 1)
    expect(costs.serverMs(ENDPOINTS.ioMetrics.route)).toBeCloseTo(4.42, 1)
  })

  it('sums what the last minute cost, and apart what happened once', () => {
    let nowMs = 1_000_000
    const costs = new Costs(() => nowMs)
    costs.socket(ENDPOINTS.indexesPerformanceLive, 91, false)
    costs.socket(ENDPOINTS.indexesPerformanceLive, 300, true)
    expect(costs.share).toBeCloseTo(91 / 60_000)
    costs.took(ENDPOINTS.databases, 2.8, 100, false)
    expect(costs.share).toBeCloseTo(96.2 / 60_000)
    expect(costs.onceMs).toBe(300)
    expect(costs.serverMs('/databases')).toBeCloseTo(5.2)
    nowMs += 61_000
    expect(costs.share).toBe(0)
    expect(costs.onceMs).toBe(0)
    expect(costs.serverMs('/databases')).toBeCloseTo(5.2)
  })

  it('knows a frame by its bytes, a heartbeat by its emptiness, and an expensive one by its beginning', () => {
    expect(frameCostMs(ENDPOINTS.threadsInfo, '\r\n')).toBe(0.3)
    expect(frameCostMs(ENDPOINTS.threadsInfo, 'x'.repeat(27_000))).toBeCloseTo(6.4)
    expect(frameCostMs(ENDPOINTS.runningQueries, '[]')).toBeCloseTo(0.12)
    expect(frameCostMs(ENDPOINTS.clusterDashboard, '{"Id":1,"Data":{"Type":"CpuUsage"}}')).toBeCloseTo(0.75)
    expect(frameCostMs(ENDPOINTS.clusterDashboard, '{"Id":2,"Data":{"Type":"MemoryUsage"}}')).toBeCloseTo(4.25)
  })
})

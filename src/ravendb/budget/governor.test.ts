import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeRaven, json, never, settle, type FakeSocket } from '../../testing/fake-raven.ts'
import { recordedJson } from '../../testing/recorded.ts'
import { Governor } from './governor.ts'
import type { RavenError } from '../http/errors.ts'
import { LocalTabs } from '../tabs/local-tabs.ts'

function setup(): { raven: FakeRaven; governor: Governor } {
  const raven = new FakeRaven()
  return { raven, governor: new Governor(raven.env) }
}

describe('the gate', () => {
  it('asks nothing of an unloaded database', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'unloaded')
    await expect(governor.json('footerStats', { database: 'db' })).rejects.toMatchObject({
      kind: 'database-unloaded',
      status: null,
      endpoint: '/databases/db/studio/footer/stats',
    })
    expect(raven.paths()).toEqual(['/debug/is-loaded?name=db'])
  })

  it('lets a loaded one through, and believes the response for two seconds', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'loaded')
    await governor.json('footerStats', { database: 'db' })
    await raven.clock.advance(1900)
    await governor.json('perfMetrics', { database: 'db' })
    expect(raven.paths(/is-loaded/)).toHaveLength(1)
    await raven.clock.advance(200)
    raven.databases.set('db', 'unloaded')
    await expect(governor.json('perfMetrics', { database: 'db' })).rejects.toMatchObject({ kind: 'database-unloaded' })
    expect(raven.loads).toEqual([])
  })

  it('is opened for one call by a deliberate click', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'unloaded')
    await governor.json('footerStats', { database: 'db' }, { allowLoad: true })
    expect(raven.paths()).toEqual(['/databases/db/studio/footer/stats'])
    await expect(governor.json('footerStats', { database: 'db' })).rejects.toMatchObject({ kind: 'database-unloaded' })
  })

  it('is not asked for what loads nothing', async () => {
    const { raven, governor } = setup()
    await governor.json('databases')
    expect(raven.paths()).toEqual(['/databases?start=0&pageSize=256'])
  })

  it('reads the answer as it was recorded', async () => {
    const { raven, governor } = setup()
    raven.on(/is-loaded/, () => recordedJson('7.1', 'is-loaded.json'))
    expect(await governor.json('footerStats', { database: 'bench' })).toEqual({})
  })

  it('passes its own refusal on', async () => {
    const { raven, governor } = setup()
    raven.on(/is-loaded/, () => json({ Type: 'InvalidAuth', Message: 'not yours' }, 403))
    await expect(governor.json('footerStats', { database: 'db' })).rejects.toMatchObject({
      kind: 'refused',
      serverMessage: 'not yours',
    })
    expect(raven.paths(/footer/)).toEqual([])
  })

  it('says when its answer is not understood', async () => {
    const { raven, governor } = setup()
    raven.on(/is-loaded/, () => ({ IsLoaded: 'yes' }))
    const error = await governor
      .json('footerStats', { database: 'db' })
      .catch((thrown: unknown) => thrown as RavenError)
    expect(error).toMatchObject({ kind: 'unexpected' })
    expect((error as RavenError).message).toContain('At $.IsLoaded: expected true or false, got "yes"')
  })

  it('does not hang when every slot waits for it', async () => {
    const { raven, governor } = setup()
    for (const name of ['a', 'b', 'c', 'd', 'e']) raven.databases.set(name, 'loaded')
    const keys = ['footerStats', 'perfMetrics', 'storageReport', 'indexesNames', 'ioMetrics'] as const
    const responses = await Promise.all(keys.map((key, n) => governor.json(key, { database: 'abcde'[n]! })))
    expect(responses).toHaveLength(5)
  })
})

describe('versions', () => {
  it('are asked once, and an endpoint that is not offered is not called', async () => {
    const { raven, governor } = setup()
    raven.version = '5.4.207'
    await expect(governor.json('databasesState')).rejects.toMatchObject({
      kind: 'route-missing',
      message: 'This server is older than 6.2, which is the first version that offers it.',
    })
    await expect(governor.json('databasesState')).rejects.toMatchObject({ kind: 'route-missing' })
    expect(raven.paths()).toEqual(['/build/version'])
  })

  it('are asked again after the server was away', async () => {
    const { raven, governor } = setup()
    raven.version = '6.2.4'
    expect(await governor.version()).toMatchObject({ fullVersion: '6.2.4' })
    raven.up = false
    await governor.json('serverId').catch(() => {})
    raven.up = true
    raven.version = '7.1.5'
    expect(await governor.version()).toMatchObject({ fullVersion: '7.1.5' })
  })
})

describe('poll', () => {
  interface Polled {
    readonly responses: unknown[]
    readonly errors: RavenError[]
  }

  function poll(governor: Governor, everyMs: number, jitter = 0): Polled & { stop: () => void } {
    const polled: Polled = { responses: [], errors: [] }
    const stop = governor.poll(
      'serverId',
      {},
      {
        everyMs,
        jitter,
        onResponse: (response) => void polled.responses.push(response),
        onError: (error) => void polled.errors.push(error),
      },
    )
    return { ...polled, stop }
  }

  it('asks at once and then at its interval, until it is stopped', async () => {
    const { raven, governor } = setup()
    const { responses, stop } = poll(governor, 1000)
    await raven.clock.advance(0)
    expect(responses).toHaveLength(1)
    await raven.clock.advance(999)
    expect(responses).toHaveLength(1)
    await raven.clock.advance(2001)
    expect(responses).toHaveLength(4)
    stop()
    await raven.clock.advance(60_000)
    expect(responses).toHaveLength(4)
  })

  it('never overlaps, and reports nothing after it was stopped', async () => {
    const { raven, governor } = setup()
    raven.latencyMs = 3000
    const { responses, errors, stop } = poll(governor, 1000)
    await raven.clock.advance(3999)
    expect(raven.calls).toHaveLength(1)
    await raven.clock.advance(1)
    expect(raven.calls).toHaveLength(2)
    stop()
    await raven.clock.advance(60_000)
    expect(responses).toHaveLength(1)
    expect(errors).toHaveLength(0)
    expect(raven.underWay).toEqual([])
  })

  it('varies its interval by its jitter', async () => {
    const { raven, governor } = setup()
    raven.randomValue = () => 0
    poll(governor, 1000, 0.2)
    await raven.clock.advance(0)
    await raven.clock.advance(799)
    expect(raven.calls).toHaveLength(1)
    await raven.clock.advance(1)
    expect(raven.calls).toHaveLength(2)
  })

  it('waits while the page is hidden and asks at once when it is shown', async () => {
    const { raven, governor } = setup()
    governor.setHidden(true)
    const { responses } = poll(governor, 1000)
    await raven.clock.advance(10_000)
    expect(responses).toHaveLength(0)
    governor.setHidden(false)
    await raven.clock.advance(0)
    expect(responses).toHaveLength(1)
    governor.setHidden(true)
    await raven.clock.advance(60_000)
    expect(responses).toHaveLength(1)
  })

  it('slows down while the server is busy, says so in the meter, and recovers', async () => {
    const { raven, governor } = setup()
    let busy = true
    raven.on(/server-id/, () => (busy ? json({ Type: 'X', Message: 'later' }, 503) : {}))
    const { responses, errors } = poll(governor, 1000)
    await raven.clock.advance(10_000)
    // Due at 0, 2, 6 s; then eight seconds later.
    expect(errors).toHaveLength(3)
    expect(governor.meter().slowed).toBe('The server is busy (status 503): polls go 8 times slower than planned.')
    busy = false
    await raven.clock.advance(120_000)
    expect(governor.meter().slowed).toBeNull()
    const before = responses.length
    await raven.clock.advance(10_000)
    expect(responses.length - before).toBe(10)
  })

  it.each([
    ['latency', (raven: FakeRaven) => void (raven.latencyMs = 1500)],
    ['503', (raven: FakeRaven) => raven.on(/build\/version/, () => json({ Type: 'X' }, 503))],
    ['silence', (raven: FakeRaven) => raven.on(/build\/version/, never)],
  ])('slows down within two intervals of trouble: %s', async (_, trouble: (raven: FakeRaven) => void) => {
    const { raven, governor } = setup()
    const quiet = { onResponse: () => {}, onError: () => {} }
    governor.poll('buildVersion', {}, { everyMs: 5000, jitter: 0, ...quiet })
    await raven.clock.advance(12_000)
    expect(governor.meter().slowed).toBeNull()
    trouble(raven)
    await raven.clock.advance(10_000)
    expect(governor.meter().slowed).toMatch(/polls go 2 times slower than planned\.$/)
  })

  it('waits as long as Retry-After asks', async () => {
    const { raven, governor } = setup()
    raven.on(/server-id/, () => json({}, 429, { 'retry-after': '30' }))
    const { errors } = poll(governor, 1000)
    await raven.clock.advance(29_999)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ kind: 'busy', retryAfterMs: 30_000 })
    await raven.clock.advance(1)
    expect(errors).toHaveLength(2)
  })

  it('is stretched no further than a minute', async () => {
    const { raven, governor } = setup()
    raven.up = false
    poll(governor, 10_000)
    await raven.clock.advance(600_000)
    const gaps = raven.calls.map((call, n) => call.atMs - (raven.calls[n - 1]?.atMs ?? call.atMs))
    expect(Math.max(...gaps)).toBe(60_000)
  })

  it('returns to its pace as soon as a server that was away answers anything', async () => {
    const { raven, governor } = setup()
    raven.up = false
    const { responses } = poll(governor, 5000)
    await raven.clock.advance(300_000)
    raven.up = true
    expect(responses).toHaveLength(0)
    await governor.json('buildVersion')
    await raven.clock.advance(0)
    expect(responses).toHaveLength(1)
    expect(governor.meter().slowed).toBeNull()
  })

  it('asks again within a second what failed, as soon as something else that failed is answered', async () => {
    const { raven, governor } = setup()
    raven.on(/server-id|version/, () => new Response('<html></html>', { status: 403 }))
    const { responses, errors } = poll(governor, 60_000)
    await raven.clock.advance(1000)
    await expect(governor.json('buildVersion')).rejects.toMatchObject({ kind: 'not-json' })
    expect(errors).toHaveLength(1)
    raven.routes.length = 0
    await governor.json('buildVersion')
    await raven.clock.advance(1000)
    expect(responses).toHaveLength(1)
  })

  it('asks again within a second what failed, as soon as another page notices that the server is back', async () => {
    const raven = new FakeRaven()
    const tabs = new LocalTabs()
    const [own, other] = [new Governor({ ...raven.env, tabs }), new Governor({ ...raven.env, tabs })]
    raven.on(/server-id|version/, () => new Response('<html></html>', { status: 403 }))
    const { responses, errors } = poll(own, 60_000)
    await raven.clock.advance(1000)
    await expect(other.json('buildVersion')).rejects.toMatchObject({ kind: 'not-json' })
    expect(errors).toHaveLength(1)
    raven.routes.length = 0
    await other.json('buildVersion')
    await raven.clock.advance(1000)
    expect(responses).toHaveLength(1)
  })

  it('returns to its pace as soon as a socket opens again, with polls a minute apart', async () => {
    const { raven, governor } = setup()
    raven.up = false
    const { responses } = poll(governor, 5000)
    await raven.clock.advance(300_000)
    expect(governor.meter().slowed).toContain('does not answer: polls go 16 times slower')
    raven.up = true
    governor.openSocket('threadsInfo', {}, { onPhase: () => {}, onFrame: () => {} })
    await raven.clock.advance(0)
    expect(responses).toHaveLength(0)
    raven.lastSocket.accept()
    await raven.clock.advance(0)
    expect(governor.meter().slowed).toBeNull()
    expect(responses).toHaveLength(1)
  })

  it('turns a failure of the one who takes the response into an error, and continues', async () => {
    const { raven, governor } = setup()
    const errors: RavenError[] = []
    governor.poll(
      'serverId',
      {},
      {
        everyMs: 1000,
        jitter: 0,
        onResponse: () => {
          throw new Error('no such column')
        },
        onError: (error) => void errors.push(error),
      },
    )
    await raven.clock.advance(1000)
    expect(errors.map((error) => error.message)).toEqual(
      Array(2).fill('The response could not be used: no such column'),
    )
  })

  it('shares a budget of the server’s time: what costs more is asked less often', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'loaded')
    raven.on(/debug\/io-metrics/, () => ({ x: 'x'.repeat(17_000_000 - 8) }))
    governor.poll(
      'ioMetrics',
      { database: 'db' },
      { everyMs: 3000, jitter: 0, onResponse: () => {}, onError: () => {} },
    )
    await raven.clock.advance(82_000)
    // 17 MB are 376.4 ms of CPU: nine tenths of half a percent of a core is one in 83.6 s.
    expect(raven.paths(/io-metrics/)).toHaveLength(1)
    expect(governor.meter().slowed).toBe('Overhead limit: some requests sent less often.')
    await raven.clock.advance(5000)
    expect(raven.paths(/io-metrics/)).toHaveLength(2)
  })
})

describe('the meter', () => {
  it('counts requests, bytes and failures by route from the first on', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'loaded')
    raven.databases.set('other', 'loaded')
    raven.latencyMs = 7
    const calls = Promise.all([
      governor.json('footerStats', { database: 'db' }),
      governor.json('footerStats', { database: 'other' }),
      governor.json('databases'),
    ])
    await raven.clock.advance(1000)
    await calls
    raven.on(/server-id/, () => json({}, 500))
    const failing = governor.json('serverId').catch(() => {})
    await raven.clock.advance(1000)
    await failing
    const meter = governor.meter()
    expect(meter.requests).toBe(raven.calls.length)
    expect(meter.endpoints.find((row) => row.endpoint === '/databases/{database}/studio/footer/stats')).toEqual({
      endpoint: '/databases/{database}/studio/footer/stats',
      requests: 2,
      bytes: 4,
      failures: 0,
      lastMs: 7,
      // They took no longer than the shortest request, which is what any call costs.
      serverMs: 4.8,
    })
    expect(meter.endpoints.find((row) => row.endpoint === '/debug/server-id')).toMatchObject({
      requests: 1,
      failures: 1,
    })
    expect(meter.bytes).toBe(meter.endpoints.reduce((sum, row) => sum + row.bytes, 0))
    expect(meter.slowed).toBeNull()
  })
})

describe('the overhead limit', () => {
  const quiet = { onResponse: () => {}, onError: () => {} }

  it('is kept by going slower, and can be changed', () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'loaded')
    governor.poll('ioMetrics', { database: 'db' }, { everyMs: 3000, jitter: 0, ...quiet })
    expect(governor.meter().cost).toMatchObject({
      limits: { attended: 0.02, background: 0.005 },
      slowedPolls: [{ endpoint: '/databases/db/debug/io-metrics', plannedMs: 3000 }],
    })
    expect(governor.meter().cost.slowedPolls[0]!.everyMs).toBeCloseTo(65_644, 0)
    governor.overhead.setLimits({ attended: 0.02, background: 0.15 })
    expect(governor.meter()).toMatchObject({ slowed: null, cost: { slowedPolls: [] } })
    for (const [asked, kept] of [
      [1, 0.2],
      [0, 0.0005],
      [Number.NaN, 0.005],
    ] as const) {
      governor.overhead.setLimits({ attended: 0.02, background: asked })
      expect(governor.overhead.limits).toEqual({ attended: 0.02, background: kept })
    }
  })

  it('law: whatever is polled, no minute after the first answers costs more than the limit', async () => {
    const polls = fc.array(
      fc.record({
        key: fc.constantFrom('storageReport' as const, 'indexesStats' as const, 'indexesPerformance' as const),
        everyMs: fc.integer({ min: 1000, max: 20_000 }),
        kilobytes: fc.integer({ min: 1, max: 60 }),
      }),
      { minLength: 1, maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(polls, fc.double({ min: 0.002, max: 0.02, noNaN: true }), async (asked, limit) => {
        const { raven, governor } = setup()
        governor.overhead.setLimits({ attended: 0.2, background: limit })
        for (const [at, { key, everyMs, kilobytes }] of asked.entries()) {
          raven.databases.set(`db${at}`, 'loaded')
          raven.on(new RegExp(`^/databases/db${at}/`), () => ({ x: 'x'.repeat(kilobytes * 1000) }))
          governor.poll(key, { database: `db${at}` }, { everyMs, ...quiet })
        }
        await raven.clock.advance(20_000)
        let before = governor.meter().cost.serverMs
        for (let minute = 0; minute < 2; minute++) {
          await raven.clock.advance(60_000)
          const { serverMs } = governor.meter().cost
          // One call more or less falls into a minute.
          expect((serverMs - before) / 60_000).toBeLessThanOrEqual(limit * 1.1)
          before = serverMs
        }
      }),
      { numRuns: 10, endOnFailure: true },
    )
  }, 30_000)

  it('is another one for what the panel in front of an attentive user shows', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'loaded')
    const of = (feed: string) => ({
      everyMs: 1000,
      jitter: 0,
      costMs: () => 12,
      audience: { feed },
      ...quiet,
    })
    governor.poll('storageReport', { database: 'db' }, of('io'))
    governor.poll('perfMetrics', { database: 'db' }, of('indexing'))
    const everyMs = (): (number | undefined)[] =>
      ['storage/report', 'perf-metrics'].map(
        (path) => governor.meter().cost.slowedPolls.find(({ endpoint }) => endpoint.includes(path))?.everyMs,
      )
    await raven.clock.advance(2000)
    // 1.2 % each: 0.225 % for each of them, or 1.8 % and 0.45 %.
    expect(everyMs().map((ms) => Math.round(ms ?? 0))).toEqual([5333, 5333])
    governor.overhead.setFront(['io'])
    expect(everyMs().map((ms) => Math.round(ms ?? 0))).toEqual([0, 2667])
    governor.overhead.setFront(['server', 'indexing'])
    expect(everyMs().map((ms) => Math.round(ms ?? 0))).toEqual([2667, 0])
    expect(governor.overhead.limitOf({ feed: 'indexing' })).toBe(0.02)
    governor.overhead.setFront(null)
    expect(everyMs().map((ms) => Math.round(ms ?? 0))).toEqual([5333, 5333])
    expect(governor.overhead.limitOf({ feed: 'indexing' })).toBe(0.005)
  })

  it('counts what was measured: a poll that takes long is asked less often', async () => {
    const { raven, governor } = setup()
    await governor.json('buildVersion')
    raven.latencyMs = 200
    governor.poll('databases', {}, { everyMs: 1000, jitter: 0, ...quiet })
    await raven.clock.advance(20_000)
    const before = raven.paths(/^\/databases/).length
    await raven.clock.advance(60_000)
    // 2 × 5.2 ms a second would be 1 % of a core.
    expect(governor.meter().cost.slowedPolls[0]!.everyMs).toBeCloseTo(2311, 0)
    expect(raven.paths(/^\/databases/).length - before).toBeLessThan(36)
    expect(governor.meter().cost.shareOfCore).toBeLessThanOrEqual(0.005)
    expect(governor.meter().cost.serverMs).toBeGreaterThan(100)
  })

  it('slows down while the server says that it is short of something', async () => {
    const { raven, governor } = setup()
    governor.poll('serverId', {}, { everyMs: 1000, jitter: 0, ...quiet })
    await raven.clock.advance(10_000)
    const before = raven.paths().length
    governor.overhead.setStress('The machine has no CPU to spare')
    expect(governor.meter().slowed).toBe('The machine has no CPU to spare: polls go 4 times slower than planned.')
    await raven.clock.advance(40_000)
    expect(raven.paths().length - before).toBeLessThanOrEqual(11)
    governor.overhead.setStress(null)
    expect(governor.meter().slowed).toBeNull()
  })

  it('law: a vital poll and a vital socket are never held back, whatever the others want', async () => {
    const others = fc.record({
      polls: fc.array(fc.integer({ min: 100, max: 20_000 }), { maxLength: 4 }),
      frameKilobytes: fc.integer({ min: 1, max: 2000 }),
      limit: fc.double({ min: 0.0005, max: 0.02, noNaN: true }),
      isStressed: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(others, async ({ polls, frameKilobytes, limit, isStressed }) => {
        const { raven, governor } = setup()
        governor.overhead.setLimits({ attended: limit, background: limit })
        raven.databases.set('db', 'loaded')
        const responsesAtMs: number[] = []
        const vital = { vital: true, jitter: 0, onError: () => {} }
        governor.poll(
          'serverId',
          {},
          { everyMs: 5000, ...vital, onResponse: (_, atMs) => void responsesAtMs.push(atMs) },
        )
        const ignore = { onPhase: () => {}, onFrame: () => {} }
        governor.openSocket('runningQueries', {}, ignore, { vital: true })
        for (const everyMs of polls) governor.poll('databases', {}, { everyMs, jitter: 0, ...quiet })
        governor.openSocket('ioMetricsLive', { database: 'db' }, ignore)
        if (isStressed) governor.overhead.setStress('The machine has no CPU to spare')
        const queries = (): FakeSocket => raven.sockets.findLast(({ url }) => url.includes('queries/running'))!
        const frame = JSON.stringify([{ x: 'x'.repeat(frameKilobytes * 1000) }])
        for (let second = 0; second < 60; second++) {
          for (const socket of raven.sockets) {
            if (socket.readyState === 0) socket.accept()
            if (socket.readyState === 1) socket.frame(frame)
          }
          await raven.clock.advance(1000)
          expect(queries().readyState).not.toBe(3)
        }
        expect(responsesAtMs.length).toBeGreaterThanOrEqual(12)
      }),
      { numRuns: 25 },
    )
  }, 60_000)

  it('a server that fails to answer gets vital polls at half their pace, and one that asks to wait in 15 s', async () => {
    const { raven, governor } = setup()
    const vital = { everyMs: 5000, vital: true, jitter: 0, ...quiet }
    governor.poll('serverId', {}, vital)
    raven.up = false
    await raven.clock.advance(300_000)
    const before = raven.paths().length
    await raven.clock.advance(100_000)
    expect(raven.paths().length - before).toBe(10)
    raven.up = true
    raven.on(/server-id/, () => json({}, 429, { 'retry-after': '300' }))
    await raven.clock.advance(100_000)
    const after = raven.paths().length
    await raven.clock.advance(90_000)
    expect(raven.paths().length - after).toBe(6)
  })

  it('a recording continues in a hidden tab, and nothing else does', async () => {
    const { raven, governor } = setup()
    let records = true
    governor.poll('serverId', {}, { everyMs: 1000, jitter: 0, inBackground: () => records, ...quiet })
    governor.poll('clusterTopology', {}, { everyMs: 1000, jitter: 0, ...quiet })
    governor.openSocket(
      'clusterDashboard',
      { node: 'A' },
      { onPhase: () => {}, onFrame: () => {} },
      {
        inBackground: () => records,
      },
    )
    governor.openSocket('threadsInfo', {}, { onPhase: () => {}, onFrame: () => {} })
    await raven.clock.advance(10)
    for (const socket of raven.sockets) socket.accept()
    governor.setHidden(true)
    const before = raven.calls.length
    await raven.clock.advance(5000)
    expect(new Set(raven.calls.slice(before).map((call) => call.path))).toEqual(new Set(['/debug/server-id']))
    expect(raven.sockets.map((socket) => socket.readyState)).toEqual([1, 3])
    records = false
    governor.rearm()
    const after = raven.calls.length
    await raven.clock.advance(5000)
    expect(raven.calls.length).toBe(after)
    expect(raven.sockets.map((socket) => socket.readyState)).toEqual([3, 3])
  })

  it('counts databases that were loaded by a click, and none otherwise', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'unloaded')
    await expect(governor.json('footerStats', { database: 'db' })).rejects.toMatchObject({ kind: 'database-unloaded' })
    expect(governor.meter().cost.databasesLoaded).toBe(0)
    await governor.json('footerStats', { database: 'db' }, { allowLoad: true })
    expect(governor.meter().cost.databasesLoaded).toBe(1)
    raven.databases.set('loaded', 'loaded')
    await governor.json('footerStats', { database: 'loaded' })
    await governor.json('footerStats', { database: 'loaded' }, { allowLoad: true })
    expect(governor.meter().cost.databasesLoaded).toBe(1)
  })
})

describe('laws', () => {
  it('over any schedule: no request or socket reaches an unloaded database, nothing twice at once, at most four', async () => {
    const names = ['a', 'b', 'c']
    const name = fc.constantFrom(...names)
    const step = fc.oneof(
      fc.record({
        do: fc.constant('json' as const),
        name,
        key: fc.constantFrom('footerStats' as const, 'perfMetrics' as const, 'storageReport' as const),
      }),
      fc.record({ do: fc.constant('poll' as const), name, everyMs: fc.integer({ min: 500, max: 8000 }) }),
      fc.record({ do: fc.constant('socket' as const), name }),
      fc.record({
        do: fc.constant('set' as const),
        name,
        state: fc.constantFrom('loaded' as const, 'unloaded' as const, 'disabled' as const),
      }),
      fc.record({ do: fc.constant('hide' as const), hidden: fc.boolean() }),
      fc.record({ do: fc.constant('power' as const), up: fc.boolean() }),
      fc.record({ do: fc.constant('retry' as const) }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        async (steps, chances) => {
          const { raven, governor } = setup()
          raven.randomValue = () => Number(chances.next().value)
          for (const known of names) raven.databases.set(known, 'unloaded')
          // Answers take no time here: a database cannot change between the gate's answer and the call.
          const check = (): void => {
            expect(raven.loads).toEqual([])
            expect(raven.underWay.length).toBeLessThanOrEqual(4)
            const paths = raven.underWay.map((call) => call.path)
            expect(new Set(paths).size).toBe(paths.length)
          }
          for (const it of steps) {
            if (it.do === 'json') governor.json(it.key, { database: it.name }).catch(() => {})
            else if (it.do === 'poll')
              governor.poll(
                'footerStats',
                { database: it.name },
                { everyMs: it.everyMs, onResponse: () => {}, onError: () => {} },
              )
            else if (it.do === 'socket')
              governor.openSocket('ioMetricsLive', { database: it.name }, { onPhase: () => {}, onFrame: () => {} })
            else if (it.do === 'hide') governor.setHidden(it.hidden)
            else if (it.do === 'power') raven.up = it.up
            else if (it.do === 'retry') governor.retryNow()
            else if (it.do === 'wait') await raven.clock.advance(it.ms)
            else {
              // The gate may believe a response for two seconds: a change is judged after that.
              await settle()
              raven.databases.set(it.name, it.state)
              if (it.state !== 'loaded') {
                for (const socket of raven.sockets) if (socket.url.includes(`/${it.name}/`)) socket.cut()
                await quiet(raven, 2000)
              }
            }
            await settle()
            for (const socket of raven.sockets) if (socket.readyState === 0 && raven.up) socket.accept()
            check()
          }
          governor.close()
          await raven.clock.advance(120_000)
          check()
          expect(raven.underWay).toEqual([])
        },
      ),
      { numRuns: 150 },
    )
  }, 60_000)
})

/** Advances the clock without running what waits for it: as if the page had been busy. */
async function quiet(raven: FakeRaven, ms: number): Promise<void> {
  await settle()
  raven.clock.nowMs += ms
}

describe('a call that pends for ever', () => {
  it('does not stop the others, nor short requests', async () => {
    const { raven, governor } = setup()
    raven.on(/server-id/, never)
    const stuck = governor.json('serverId').catch((error: unknown) => error)
    await settle()
    expect(await governor.json('cpuCredits')).toEqual({})
    expect(await governor.version()).toMatchObject({ major: 7 })
    await raven.clock.advance(15_000)
    expect(await stuck).toMatchObject({ kind: 'timeout' })
  })
})

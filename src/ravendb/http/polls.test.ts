import { describe, expect, it } from 'vitest'
import { FakeRaven, json, never } from '../../testing/fake-raven.ts'
import { Governor } from '../governor/governor.ts'
import type { RavenError } from '../errors/errors.ts'
import { LocalTabs } from '../tabs/local-tabs.ts'

function setup(): { raven: FakeRaven; governor: Governor } {
  const raven = new FakeRaven()
  return { raven, governor: new Governor(raven.env) }
}

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

  it.each(['something else that failed is answered', 'another page notices that the server is back'] as const)(
    'asks again within a second what failed, as soon as %s',
    async (what) => {
      const raven = new FakeRaven()
      const tabs = new LocalTabs()
      const own = new Governor({ ...raven.env, tabs })
      const other = what.startsWith('another') ? new Governor({ ...raven.env, tabs }) : own
      raven.on(/server-id|version/, () => new Response('<html></html>', { status: 403 }))
      const { responses, errors } = poll(own, 60_000)
      await raven.clock.advance(1000)
      await expect(other.json('buildVersion')).rejects.toMatchObject({ kind: 'not-json' })
      expect(errors).toHaveLength(1)
      raven.routes.length = 0
      await other.json('buildVersion')
      await raven.clock.advance(1000)
      expect(responses).toHaveLength(1)
    },
  )

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

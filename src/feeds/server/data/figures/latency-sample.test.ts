import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../../../testing/law.ts'
import { Governor } from '../../../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../../../testing/fake-raven.ts'
import { LatencySample, percentile } from './latency-sample.ts'

const request = (Type: string, ElapsedMilliseconds: number, ResponseStatusCode = 200, RequestUri = ''): string =>
  JSON.stringify({ TrafficWatchType: 'Http', Type, ElapsedMilliseconds, ResponseStatusCode, RequestUri })

async function started() {
  const raven = new FakeRaven()
  const governor = new Governor(raven.env)
  const sample = new LatencySample()
  sample.start(governor)
  await raven.clock.advance(100)
  return { raven, governor, sample }
}

describe('a sample of latencies', () => {
  it('listens for ten seconds at a click, and reports each kind of request with its percentiles', async () => {
    const { raven, governor, sample } = await started()
    raven.lastSocket.accept()
    for (let ms = 1; ms <= 100; ms++) raven.lastSocket.frame(request('Queries', ms, ms === 100 ? 500 : 200))
    raven.lastSocket.frame(request('BulkDocs', 7))
    raven.lastSocket.frame('{"TrafficWatchType":"Tcp"}')
    raven.lastSocket.frame('<html>')
    expect(sample.response()).toMatchObject({ phase: 'running', requests: 101 })
    sample.start(governor)
    expect(raven.sockets).toHaveLength(1)
    await raven.clock.advance(10_000)
    expect(raven.lastSocket.readyState).toBe(3)
    expect(sample.response()).toMatchObject({
      phase: 'done',
      message: '',
      rows: [
        { type: 'Queries', requests: 100, failed: 1, p50Ms: 50, p95Ms: 95, p99Ms: 99, longestMs: 100 },
        { type: 'BulkDocs', requests: 1, p50Ms: 7, longestMs: 7 },
      ],
    })
    sample.start(governor)
    expect(sample.response()).toMatchObject({ phase: 'running', requests: 0, rows: [] })
  })

  it('listens for ten seconds from the opening of its connection, however long that takes', async () => {
    const { raven, sample } = await started()
    await raven.clock.advance(6000)
    expect(sample.response()).toMatchObject({ phase: 'running', atMs: null })
    raven.lastSocket.accept()
    const openedMs = raven.clock.nowMs
    await raven.clock.advance(9000)
    raven.lastSocket.frame(request('Queries', 3))
    expect(sample.response()).toMatchObject({ phase: 'running', atMs: openedMs, requests: 1 })
    await raven.clock.advance(1000)
    expect(sample.response()).toMatchObject({ phase: 'done', requests: 1 })
  })

  it('leaves out the requests of the page itself, and counts them', async () => {
    const { raven, governor, sample } = await started()
    raven.lastSocket.accept()
    await governor.json('adminStats')
    const uri = 'https://a.example:8080/admin/stats'
    raven.lastSocket.frame(request('None', 325, 200, uri))
    raven.lastSocket.frame(request('None', 2, 200, uri))
    expect(sample.response()).toMatchObject({
      requests: 1,
      ours: 1,
      rows: [{ type: 'None', requests: 1, longestMs: 2 }],
    })
  })

  it('ends early on a server that answers very much', async () => {
    const { raven, sample } = await started()
    raven.lastSocket.accept()
    for (let n = 0; n < 25_000; n++) raven.lastSocket.frame(request('Documents', 1))
    expect(sample.response()).toMatchObject({ phase: 'done', requests: 20_000 })
    expect(sample.response().message).toContain('ended early')
  })

  it('says which right is missing', async () => {
    const { raven, sample } = await started()
    raven.on(/admin\/stats/, () => json({ Type: 'InvalidAuth', Message: 'no' }, 403))
    raven.lastSocket.cut()
    await raven.clock.advance(100)
    expect(sample.response()).toMatchObject({ phase: 'failed', rows: [] })
    expect(sample.response().message).toMatch(/lacks a right.*Operator or ClusterAdmin/)
  })

  law(
    'a percentile is a value that was measured, with at least that share at or below it',
    [fc.array(fc.nat(1000), { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true })],
    (values, share) => {
      const sorted = values.toSorted((a, b) => a - b)
      const value = percentile(sorted, share)
      expect(values).toContain(value)
      expect(values.filter((each) => each <= value).length).toBeGreaterThanOrEqual(share * values.length)
    },
  )
})

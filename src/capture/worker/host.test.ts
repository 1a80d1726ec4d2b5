import { describe, expect, test } from 'vitest'
import { msFromTicks, ticksFromMs } from '../../base/ticks.ts'
import { FakeRaven, json, settle } from '../../testing/fake-raven.ts'
import type { Feed, WatchContext, WatchUnopened } from './feed.ts'
import { CaptureHost } from './host.ts'
import type { CaptureMemory } from '../client/summary.ts'
import type { Report, StateReport } from '../client/protocol.ts'

/** A feed that only counts its calls. */
declare module '../client/requests/requests.ts' {
  interface WorkerRequests {
    'counting.numbers': { params: { readonly count: number }; response: { readonly numbers: Float64Array } }
    'counting.fault': { params: null; response: null }
  }
}

function countingFeed() {
  const contexts: WatchContext[] = []
  const closed: string[] = []
  const feed: Feed = {
    name: 'counting',
    watch: (context) => {
      contexts.push(context)
      return {
        close: () => closed.push(context.source),
        loadNow: () => closed.push(`load ${context.source}`),
        retryNow: () => closed.push(`retry ${context.source}`),
      }
    },
    recognises: (paths) => paths.has('$.Mine'),
    reader: () => ({ rule: { kind: 'skip' }, salvage: () => undefined }),
    responses: {
      'counting.numbers': ({ count }) => ({ numbers: Float64Array.from({ length: count }, (_, i) => i) }),
      'counting.fault': () => {
        throw new Error('broken on purpose')
      },
    },
    extent: () => null,
    summary: () => [],
    spans: () => [],
    byteLength: () => ({ tables: 3, other: 4, rows: 5 }),
  }
  return { feed, contexts, closed }
}

function hosted() {
  const raven = new FakeRaven()
  const counting = countingFeed()
  const reports: { report: Report; transfer: ArrayBuffer[] }[] = []
  const host = new CaptureHost([counting.feed], raven.env, (report, transfer) => reports.push({ report, transfer }))
  const state = (): StateReport => {
    const last = reports.findLast(({ report }) => report.type === 'state')?.report
    if (last?.type !== 'state') throw new Error('no state yet')
    return last.state
  }
  const responses = () => reports.map(({ report }) => report).filter((report) => report.type !== 'state')
  return { raven, host, counting, reports, state, responses }
}

/** Responses are given after the messages that wait. */
const answered = async (): Promise<void> => {
  await new Promise((done) => setTimeout(done, 5))
  await settle()
}

describe('capture host', () => {
  test('watches one source that is not open, without a state, until it is opened', async () => {
    const { raven, host, counting, state } = hosted()
    const { contexts, closed, feed } = counting
    const begun: WatchUnopened[] = []
    Object.assign(feed, { begin: (_: unknown, watch: WatchUnopened) => begun.push(watch) })
    await raven.clock.advance(300)
    const watch = (name: string | null): void => begun[0]?.(feed, name === null ? null : { kind: 'database', name })
    watch('shop')
    watch('shop')
    expect(contexts.map(({ source }) => source)).toEqual(['db:shop'])
    expect(state().sources).toEqual([])
    watch('orders')
    expect(closed).toEqual(['db:shop'])
    host.receive({ type: 'watch', sources: [{ kind: 'database', name: 'orders' }] })
    expect(closed).toEqual(['db:shop', 'db:orders'])
    watch('orders')
    expect(contexts.map(({ source }) => source)).toEqual(['db:shop', 'db:orders', 'db:orders'])
    host.receive({ type: 'watch', sources: [] })
    watch('orders')
    watch(null)
    expect(closed).toEqual(['db:shop', 'db:orders', 'db:orders', 'db:orders'])
  })

  test('knows the time of a server of which only old rows arrive', async () => {
    const { raven, host, counting, state } = hosted()
    const minutes = (count: number): number => count * 60_000
    raven.on(/build\/version/, () =>
      json({ FullVersion: '7.1.5', ProductVersion: '7.1' }, 200, { date: new Date(raven.clock.nowMs).toUTCString() }),
    )
    await raven.clock.advance(300)
    host.receive({ type: 'watch', sources: [{ kind: 'server' }] })
    const [context] = counting.contexts
    context!.report({ phase: 'open' } as never)
    context!.clock.observe(ticksFromMs(raven.clock.nowMs - minutes(13)), raven.clock.nowMs)
    context!.received(raven.clock.nowMs, 10, true)
    await raven.clock.advance(1000)
    expect(Math.abs(msFromTicks(state().nowTicks!) - raven.clock.nowMs)).toBeLessThan(2500)
  })

  test('meets the server, and says when it is gone', async () => {
    const { raven, state } = hosted()
    await raven.clock.advance(300)
    expect(state().server).toMatchObject({ url: 'http://raven', fullVersion: '7.1.5' })
    expect(state().serverError).toBeNull()
    raven.up = false
    await raven.clock.advance(30_000)
    expect(state().serverError?.message).toMatch(/\w/)
    expect(state().server).toMatchObject({ fullVersion: '7.1.5' })
  })

  test('says that an answer of another shape came, not that none did', async () => {
    const { raven, state } = hosted()
    raven.on(/^\/build\/version$/, () => ({ Version: 7 }))
    await raven.clock.advance(300)
    expect(state().server).toBeNull()
    expect(state().serverError).toMatchObject({ kind: 'unexpected', endpoint: '/build/version', status: null })
  })

  test('notices within seconds that the server is back, however slow polls have become', async () => {
    const { raven, state } = hosted()
    await raven.clock.advance(300)
    raven.up = false
    await raven.clock.advance(180_000)
    expect(state().serverError).not.toBeNull()
    raven.up = true
    await raven.clock.advance(6000)
    expect(state().serverError).toBeNull()
  })

  test('says that the server is gone as soon as any request is not answered', async () => {
    const { raven, state, counting, host } = hosted()
    await raven.clock.advance(300)
    host.receive({ type: 'watch', sources: [{ kind: 'server' }] })
    raven.up = false
    await counting.contexts[0]?.governor.json('cpuCredits', {}).catch(() => undefined)
    await raven.clock.advance(1000)
    expect(state().serverError).not.toBeNull()
  })

  test('a hidden page does not look for a server that is gone', async () => {
    const { raven, host } = hosted()
    await raven.clock.advance(300)
    raven.up = false
    await raven.clock.advance(30_000)
    host.receive({ type: 'hidden', hidden: true })
    await raven.clock.advance(10_000)
    const before = raven.calls.length
    await raven.clock.advance(60_000)
    expect(raven.calls.length).toBe(before)
  })

  test('reports rows at once, time seldom where none arrive, and next to nothing to a hidden page', async () => {
    const { raven, host, counting, reports } = hosted()
    raven.on(/build\/version/, () => json({ FullVersion: '7.1.5', ProductVersion: '7.1' }))
    await raven.clock.advance(300)
    host.receive({ type: 'watch', sources: [{ kind: 'server' }] })
    const [context] = counting.contexts
    context!.report({ phase: 'open' } as never)
    /** States of a minute in which something arrives every 3 s. */
    const statesOf = async (arrives: () => void): Promise<number> => {
      const before = reports.length
      for (let i = 0; i < 20; i++) {
        context!.received(raven.clock.nowMs, 10, true)
        arrives()
        await raven.clock.advance(3000)
      }
      return reports.slice(before).filter(({ report }) => report.type === 'state').length
    }
    const busy = await statesOf(() => context!.changed())
    await raven.clock.advance(10_000)
    const resting = await statesOf(() => context!.changed('samples'))
    host.receive({ type: 'hidden', hidden: true })
    const hidden = await statesOf(() => context!.changed())
    expect(busy).toBeGreaterThanOrEqual(40)
    expect(busy).toBeLessThanOrEqual(80)
    expect(resting).toBeGreaterThanOrEqual(10)
    expect(resting).toBeLessThanOrEqual(20)
    expect(hidden).toBeLessThanOrEqual(7)
    const before = reports.length
    host.receive({ type: 'hidden', hidden: false })
    await raven.clock.advance(200)
    expect(reports.length).toBeGreaterThan(before)
  })

  test('watches exactly what is asked: new ones begin, others close, the same stay', async () => {
    const { raven, host, counting, state, responses } = hosted()
    host.receive({ type: 'watch', sources: [{ kind: 'database', name: 'a' }, { kind: 'server' }] })
    host.receive({
      type: 'watch',
      sources: [
        { kind: 'database', name: 'a' },
        { kind: 'database', name: '__proto__' },
      ],
    })
    await raven.clock.advance(200)
    expect(counting.contexts.map(({ source }) => source)).toEqual(['db:a', 'server', 'db:__proto__'])
    expect(counting.closed).toEqual(['server'])
    expect(state().sources.map(({ id }) => id)).toEqual(['db:a', 'db:__proto__'])
    host.receive({ type: 'request', id: 1, name: 'databases.load', params: { name: 'a' } })
    host.receive({ type: 'request', id: 2, name: 'databases.load', params: { name: 'b' } })
    await answered()
    host.receive({ type: 'retry' })
    expect(counting.closed).toEqual(['server', 'load db:a', 'retry db:a', 'retry db:__proto__'])
    expect(responses()).toMatchObject([
      { type: 'response', id: 1, value: null },
      { type: 'failure', id: 2, info: { message: 'b is not open.' } },
    ])
  })

  test('a source shows its phase, and what was received of it', async () => {
    const { raven, host, counting, state } = hosted()
    host.receive({ type: 'watch', sources: [{ kind: 'database', name: 'a' }] })
    const [context] = counting.contexts
    context!.report({ phase: 'open', message: '', retryAtMs: null, error: null })
    context!.received(raven.clock.nowMs, 120, true)
    context!.received(raven.clock.nowMs + 5, 0, false)
    await raven.clock.advance(200)
    expect(state().sources).toMatchObject([{ phase: 'live', frames: 1, bytes: 120 }])
    expect(state().nowTicks).not.toBeNull()
    context!.report({ phase: 'waiting', message: 'The connection closed.', retryAtMs: 99, error: null })
    await raven.clock.advance(200)
    expect(state().sources).toMatchObject([{ phase: 'waiting', message: 'The connection closed.', retryAtMs: 99 }])
  })

  test('responses are handed over, not copied; failures say what to do; a request that nothing handles fails', async () => {
    const { host, reports, responses } = hosted()
    host.receive({ type: 'request', id: 1, name: 'counting.numbers', params: { count: 3 } })
    host.receive({ type: 'request', id: 2, name: 'counting.fault', params: null })
    host.receive({ type: 'request', id: 3, name: 'unknown.request' as 'counting.fault', params: null })
    await answered()
    const failures = responses().filter((report) => report.type === 'failure')
    expect(failures.map(({ id, info }) => [id, info.message])).toEqual([
      [2, 'broken on purpose'],
      [3, 'Nothing responds to unknown.request.'],
    ])
    expect(failures.every(({ info }) => info.hint.length > 10)).toBe(true)
    expect(
      reports.find(({ report }) => report.type === 'response')?.transfer.map(({ byteLength }) => byteLength),
    ).toEqual([24])
  })

  test('a request that is no longer wanted is not worked on', async () => {
    const { host, responses } = hosted()
    host.receive({ type: 'request', id: 1, name: 'counting.numbers', params: { count: 3 } })
    host.receive({ type: 'abort', id: 1 })
    await answered()
    expect(responses()).toEqual([])
  })

  test('requests go through the governor, its errors come back as what, where and what to do', async () => {
    const { raven, host, responses } = hosted()
    raven.on(
      /^\/license|^\/debug\/server-id/,
      () => new Response('<html>proxy</html>', { status: 200, headers: { 'content-type': 'text/html' } }),
    )
    host.receive({ type: 'request', id: 1, name: 'host.serverId', params: null })
    await answered()
    await raven.clock.advance(50)
    await answered()
    expect(responses()).toMatchObject([{ type: 'failure', id: 1, info: { status: 200, endpoint: '/debug/server-id' } }])
  })

  test('memory is the sum of the feeds', async () => {
    const { host, responses } = hosted()
    host.receive({ type: 'request', id: 1, name: 'host.memory', params: null })
    await answered()
    expect(responses()).toMatchObject([{ value: { tables: 3, other: 4, rows: 5 } satisfies CaptureMemory }])
  })
})

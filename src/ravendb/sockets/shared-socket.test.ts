import { describe, expect, it } from 'vitest'
import { FakeRaven, never, settle, type FakeSocket } from '../../testing/fake-raven.ts'
import { frameCostMs } from '../budget/costs.ts'
import { ENDPOINTS, type Params, type SocketKey } from '../endpoints.ts'
import { Governor } from '../governor/governor.ts'
import type { SocketControl, SocketOptions } from './sockets.ts'
import { LocalTabs } from '../tabs/local-tabs.ts'
import type { CloseReason, SocketPhase } from './socket-events.ts'
import { tabName } from '../tabs/tabs.ts'

const IO = 'ioMetricsLive'
const DB = { database: 'db' }

interface Page {
  readonly governor: Governor
  readonly control: SocketControl
  readonly phases: SocketPhase[]
  readonly frames: string[]
  readonly closed: [atMs: number, reason: CloseReason][]
  readonly now: () => SocketPhase['phase'] | undefined
}

/** A server, and pages of one browser that use it. */
function browser(): { raven: FakeRaven; page: (key?: SocketKey, params?: Params, options?: SocketOptions) => Page } {
  const raven = new FakeRaven()
  raven.databases.set('db', 'loaded')
  raven.env.tabs = new LocalTabs()
  raven.on(/\/debug\/io-metrics$/, () => ({ history: true }))
  const page = (key: SocketKey = IO, params: Params = DB, options: SocketOptions = {}): Page => {
    const governor = new Governor(raven.env)
    const phases: SocketPhase[] = []
    const frames: string[] = []
    const closed: [number, CloseReason][] = []
    const handlers = {
      onPhase: (phase: SocketPhase) => void phases.push(phase),
      onFrame: (text: string) => void frames.push(text),
      onClosed: (atMs: number, reason: CloseReason) => void closed.push([atMs, reason]),
    }
    const control = governor.openSocket(key, params, handlers, options)
    return { governor, control, phases, frames, closed, now: () => phases.at(-1)?.phase }
  }
  return { raven, page }
}

async function accepted(raven: FakeRaven): Promise<FakeSocket> {
  await settle()
  raven.lastSocket.accept()
  await settle()
  return raven.lastSocket
}

const openSockets = (raven: FakeRaven): number => raven.sockets.filter(({ readyState }) => readyState < 2).length

describe('pages of one browser', () => {
  it('share one socket: a later page requests the history and receives what follows', async () => {
    const { raven, page } = browser()
    const first = page()
    const socket = await accepted(raven)
    socket.frame('whole')
    const second = page()
    await settle()
    socket.frame('delta')
    await settle()
    expect(raven.sockets).toHaveLength(1)
    expect([first.now(), second.now()]).toEqual(['open', 'open'])
    expect(second.phases.map(({ phase }) => phase)).toEqual(['checking', 'connecting', 'open'])
    expect(first.frames).toEqual(['whole', 'delta'])
    expect(second.frames).toEqual(['{"history":true}', 'delta'])
    expect([first, second].map(({ governor }) => governor.meter().sockets)).toEqual([1, 0])
    expect(second.governor.meter().endpoints.map(({ endpoint }) => endpoint)).not.toContain(
      '/databases/{database}/debug/io-metrics/live',
    )
  })

  it('what arrives while the history is on its way comes after it', async () => {
    const { raven, page } = browser()
    page()
    const socket = await accepted(raven)
    raven.latencyMs = 100
    const second = page()
    await raven.clock.advance(150)
    socket.frame('delta')
    await settle()
    expect(second.frames).toEqual([])
    await raven.clock.advance(200)
    expect(second.frames).toEqual(['{"history":true}', 'delta'])
  })

  it.each(['closed', 'hidden'] as const)(
    'the next takes over when the first is %s, and says what it did',
    async (how) => {
      const { raven, page } = browser()
      const first = page()
      const socket = await accepted(raven)
      const [second, third] = [page(), page()]
      await settle()
      await raven.clock.advance(3000)
      socket.frame('delta')
      await settle()
      const receivedMs = raven.clock.nowMs
      await raven.clock.advance(2000)
      if (how === 'closed') first.control.close()
      else first.governor.setHidden(true)
      await settle()
      expect(socket.readyState).toBe(3)
      const next = await accepted(raven)
      next.frame('whole again')
      await settle()
      expect(raven.sockets).toHaveLength(2)
      for (const { frames, phases, closed, now } of [second, third]) {
        expect(frames).toEqual(['{"history":true}', 'delta', 'whole again'])
        // Restarted, so that the whole document after it shows whether anything was missed.
        expect(phases.slice(-2).map(({ phase }) => phase)).toEqual(['connecting', 'open'])
        expect(closed).toEqual([[receivedMs, 'socket-closed']])
        expect(now()).toBe('open')
      }
      expect([second, third].map(({ governor }) => governor.meter().sockets)).toEqual([1, 0])
      if (how === 'closed') return
      first.governor.setHidden(false)
      await settle()
      expect(first.now()).toBe('open')
      expect(openSockets(raven)).toBe(1)
    },
  )

  it('taking over loads nothing: a database that was unloaded meanwhile is left alone', async () => {
    const { raven, page } = browser()
    const first = page()
    await accepted(raven)
    const second = page()
    await settle()
    raven.databases.set('db', 'unloaded')
    first.control.close()
    await settle()
    await raven.clock.advance(60_000)
    expect(raven.loads).toEqual([])
    expect(raven.sockets).toHaveLength(1)
    expect(second.now()).toBe('unloaded')
  })

  it('all are notified when the server ends it, and one of them connects again', async () => {
    const { raven, page } = browser()
    const pages = [page(), page(), page()]
    const socket = await accepted(raven)
    await settle()
    socket.cut()
    await raven.clock.advance(40_000)
    await settle()
    expect(openSockets(raven)).toBe(1)
    await accepted(raven)
    expect(pages.map(({ now }) => now())).toEqual(['open', 'open', 'open'])
    expect(raven.loads).toEqual([])
  })

  it('one whose leader is stuck continues alone', async () => {
    const { raven, page } = browser()
    // Holds the lock and says nothing.
    void raven.env.tabs?.locks.request(tabName('socket /databases/db/debug/io-metrics/live '), {}, never)
    const alone = page()
    await settle()
    expect(raven.sockets).toHaveLength(0)
    await raven.clock.advance(6000)
    await accepted(raven)
    expect(alone.now()).toBe('open')
  })

  it('one that cannot get the history opens its own', async () => {
    const { raven, page } = browser()
    page()
    await accepted(raven)
    raven.on(/\/debug\/io-metrics$/, () => new Response('no', { status: 500 }))
    const second = page()
    await settle()
    const own = await accepted(raven)
    own.frame('whole')
    expect(raven.sockets).toHaveLength(2)
    expect(second.frames).toEqual(['whole'])
    expect(second.now()).toBe('open')
  })

  it('what depends on what is sent is shared only by name', async () => {
    const { raven, page } = browser()
    page('clusterDashboard', { node: 'A' })
    page('clusterDashboard', { node: 'A' })
    await settle()
    expect(raven.sockets).toHaveLength(2)
    const first = page('clusterDashboard', { node: 'A' }, { share: 'memory' })
    const second = page('clusterDashboard', { node: 'A' }, { share: 'memory' })
    const socket = await accepted(raven)
    expect(raven.sockets).toHaveLength(3)
    first.control.send('watch')
    second.control.send('watch')
    expect(socket.sent).toEqual(['watch'])
  })

  it('share answers to the same poll: each is requested once, by any page', async () => {
    const raven = new FakeRaven()
    raven.env.tabs = new LocalTabs()
    raven.latencyMs = 50
    raven.randomValue = () => Math.random()
    const responses = [0, 0, 0]
    const pages = responses.map((_, at) => {
      const governor = new Governor(raven.env)
      const onResponse = (response: unknown): void => {
        expect(response).toEqual({})
        responses[at] = (responses[at] as number) + 1
      }
      const onError = (error: unknown): void => {
        throw error
      }
      return { governor, stop: governor.poll('serverId', {}, { everyMs: 1000, onResponse, onError }) }
    })
    await raven.clock.advance(60_000)
    const requested = raven.paths(/server-id/).length
    expect(requested).toBeGreaterThan(50)
    expect(requested).toBeLessThan(64)
    for (const many of responses) expect(Math.abs(many - requested)).toBeLessThan(4)
    for (const { governor } of pages.slice(1)) governor.setHidden(true)
    pages[0]?.stop()
    await raven.clock.advance(10_000)
    expect(raven.paths(/server-id/)).toHaveLength(requested)
    pages[1]?.governor.setHidden(false)
    await raven.clock.advance(5000)
    expect(raven.paths(/server-id/).length).toBeGreaterThan(requested + 3)
  })

  it('share one overhead limit', async () => {
    const raven = new FakeRaven()
    raven.env.tabs = new LocalTabs()
    const quiet = { everyMs: 2000, jitter: 0, onResponse: () => {}, onError: () => {} }
    const poll = (governor: Governor, database: string): void => {
      raven.databases.set(database, 'loaded')
      governor.poll('storageReport', { database }, { ...quiet, costMs: () => 8 })
    }
    const [first, second] = [new Governor(raven.env), new Governor(raven.env)]
    poll(first, 'a')
    poll(second, 'a')
    await raven.clock.advance(6000)
    expect(first.meter().slowed).toBeNull()
    poll(second, 'b')
    await raven.clock.advance(6000)
    for (const governor of [first, second]) expect(governor.meter().slowed).toMatch(/some requests sent less often/)
    expect(first.meter().cost.otherPages.pages).toBe(1)
    second.setHidden(true)
    await settle()
    expect(first.meter().slowed).toBeNull()
    // A finding of one page slows all of them.
    first.overhead.setStress('The machine has no CPU to spare')
    await settle()
    expect(second.meter().slowed).toContain('no CPU to spare')
    first.overhead.setStress(null)
    await settle()
    expect(second.meter().slowed).toBeNull()
  })
})

describe('a socket whose frames wake an idle server', () => {
  it('counts that in the overhead shown, and is planned without it', async () => {
    const { raven, page } = browser()
    const { governor } = page('runningQueries', {})
    const frameMs = frameCostMs(ENDPOINTS.runningQueries, '[]')
    await settle()
    raven.lastSocket.accept()
    await raven.clock.advance(30_000)
    const { route, wakeMs } = ENDPOINTS.runningQueries
    const spentMs = (): number => governor.meter().endpoints.find(({ endpoint }) => endpoint === route)?.serverMs ?? 0
    const before = spentMs()
    for (let s = 0; s < 10; s++) {
      await raven.clock.advance(1000)
      raven.lastSocket.frame('[]')
    }
    expect((spentMs() - before) / 10).toBeCloseTo(frameMs + wakeMs)
    expect(governor.meter().cost.pausedSockets).toEqual([])
  })
})

describe('a socket above the overhead limit', () => {
  /** About 85 threads: 10 ms of the server's CPU. */
  const THREADS = 'x'.repeat(45_000)

  it('is paused long enough to stay within it, for all who share it, and the phase says so', async () => {
    const { raven, page } = browser()
    const pages = [page('threadsInfo', {}), page('threadsInfo', {})]
    let frames = 0
    const second = async (): Promise<void> => {
      await raven.clock.advance(1000)
      const socket = raven.lastSocket
      if (socket.readyState === 0) socket.accept()
      else if (socket.readyState === 1) {
        socket.frame(`{"n":${frames++},"of":"${THREADS}"}`)
      }
      await settle()
    }
    await settle()
    for (let s = 0; s < 20; s++) await second()
    expect(pages[0]?.governor.meter().slowed).toMatch(
      /^Overhead limit: the list of threads paused from time to time\.$/,
    )
    expect(pages[0]?.governor.meter().cost.pausedSockets).toMatchObject([{ endpoint: '/threads-info/watch' }])
    for (const { phases, closed } of pages) {
      expect(phases.find(({ phase }) => phase === 'paused-by-rookery')?.message).toMatch(
        /^It takes (1|0.9)\S* % of a core of the server while open/,
      )
      expect(closed[0]?.[1]).toBe('paused-by-rookery')
    }
    const before = frames
    for (let s = 0; s < 300; s++) await second()
    // 10 ms a frame, and 6 ms each time that it opens: 0.45 % of a core is 4.5 ms a second.
    const perSecond = ((frames - before) * 10) / 300
    expect(perSecond).toBeLessThan(5)
    expect(perSecond).toBeGreaterThan(3)
    expect(openSockets(raven)).toBeLessThanOrEqual(1)
    expect(pages[1]?.frames).toEqual(pages[0]?.frames)
    expect(pages[0]?.governor.meter().cost.shareOfCore).toBeLessThan(0.005)
  }, 30_000)

  it('continues at once on every page when the user resumes it on one, for a minute', async () => {
    const { raven, page } = browser()
    const pages = [page('threadsInfo', {}), page('threadsInfo', {})]
    const second = async (): Promise<void> => {
      await raven.clock.advance(1000)
      const socket = raven.lastSocket
      if (socket.readyState === 0) socket.accept()
      else if (socket.readyState === 1) socket.frame(`{"of":"${THREADS}"}`)
      await settle()
    }
    const phaseOf = (at: number) => pages[at]?.phases.at(-1)?.phase
    await settle()
    while (phaseOf(0) !== 'paused-by-rookery') await second()
    expect(phaseOf(1)).toBe('paused-by-rookery')
    // Not the page that has the connection.
    pages[1]?.governor.resume()
    for (let s = 0; s < 58; s++) {
      await second()
      if (s > 1) for (const at of [0, 1]) expect(phaseOf(at)).toBe('open')
    }
    for (let s = 0; s < 10; s++) await second()
    expect(phaseOf(0)).toBe('paused-by-rookery')
  }, 30_000)

  it('is open without a pause while its panel is in front of an attentive user, on any page that shares it', async () => {
    const { raven, page } = browser()
    const audience = { feed: 'stacks' }
    const pages = [page('threadsInfo', {}, { audience }), page('threadsInfo', {}, { audience })]
    const second = async (): Promise<void> => {
      await raven.clock.advance(1000)
      const socket = raven.lastSocket
      if (socket.readyState === 0) socket.accept()
      else if (socket.readyState === 1) socket.frame(`{"of":"${THREADS}"}`)
      await settle()
    }
    await settle()
    pages[1]?.governor.overhead.setFront(['stacks'])
    for (let s = 0; s < 120; s++) {
      await second()
      expect(pages[0]?.closed).toEqual([])
    }
    pages[1]?.governor.overhead.setFront(null)
    for (let s = 0; s < 20; s++) await second()
    expect(pages[0]?.closed.map(([, reason]) => reason)).toEqual(['paused-by-rookery'])
    // The socket continues as soon as the user is back.
    pages[1]?.governor.overhead.setFront(['stacks'])
    await second()
    await second()
    for (const { phases } of pages) expect(phases.at(-1)?.phase).toBe('open')
  }, 30_000)

  it('continues when the limit is raised, and is paused longer when the server is in trouble', async () => {
    const share = async (prepare: (governor: Governor) => void): Promise<number> => {
      const { raven, page } = browser()
      const { governor, frames } = page('threadsInfo', {})
      prepare(governor)
      await settle()
      for (let s = 0; s < 120; s++) {
        await raven.clock.advance(1000)
        const socket = raven.lastSocket
        if (socket.readyState === 0) socket.accept()
        else socket.frame(`{"some":"${THREADS}"}`)
      }
      return frames.length / 120
    }
    expect(
      await share((governor) => governor.overhead.setLimits({ attended: 0.02, background: 0.02 })),
    ).toBeGreaterThan(0.97)
    const kept = await share(() => undefined)
    const stressed = await share((governor) => governor.overhead.setStress('The machine has no CPU to spare'))
    expect(kept).toBeGreaterThan(0.3)
    expect(stressed).toBeLessThan(kept / 2)
  }, 30_000)
})

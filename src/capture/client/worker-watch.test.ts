import { describe, expect, test } from 'vitest'
import { FakeRaven, settle } from '../../testing/fake-raven.ts'
import type { Command, Report } from './protocol.ts'
import { RemoteCapture } from './remote.ts'
import type { WatchEnv, WorkerLike } from './worker-watch.ts'

/** A worker that answers pings until a test stops it. */
class FakeWorker implements WorkerLike {
  readonly commands: Command[] = []
  onmessage: WorkerLike['onmessage'] = null
  onerror: WorkerLike['onerror'] = null
  hangs = false
  terminated = false
  free: () => void = () => undefined

  postMessage(command: Command): void {
    this.commands.push(command)
    if (command.type === 'ping' && !this.hangs) this.say({ type: 'pong' })
  }

  terminate(): void {
    this.terminated = true
  }

  say(report: Report): void {
    this.onmessage?.({ data: report })
  }
}

function watched({ hasLocks = true } = {}) {
  const { clock } = new FakeRaven()
  const workers: FakeWorker[] = []
  let isHidden = false
  /** Time for which this page is suspended, ms: its timers do not run, and time goes on. */
  let asleepMs = 0
  const env: WatchEnv = {
    now: () => clock.nowMs + asleepMs,
    wallMs: () => clock.nowMs + asleepMs,
    setTimeout: (run, delayMs) => clock.setTimeout(run, delayMs) as never,
    clearTimeout: (id) => clock.clearTimeout(id as never),
    isHidden: () => isHidden,
    lockFreed: (_name, signal) =>
      new Promise((freed, failed) => {
        workers.at(-1)!.free = freed
        signal.addEventListener('abort', () => failed(new Error('aborted')))
      }),
  }
  const make = (): WorkerLike => {
    workers.push(new FakeWorker())
    return workers.at(-1)!
  }
  const capture = new RemoteCapture(
    make,
    { baseUrl: 'http://raven', key: null, fetchesAhead: false },
    env,
    () => undefined,
  )
  const live = (): void => workers.at(-1)!.say({ type: 'alive', holdsLock: hasLocks })
  live()
  return {
    clock,
    workers,
    capture,
    live,
    phase: () => capture.getState().worker.phase,
    setHidden: (hidden: boolean) => (isHidden = hidden),
    sleep: (ms: number) => (asleepMs += ms),
  }
}

describe('the worker of a page', () => {
  test('that dies is replaced at once; what was asked of it fails, and the new one learns what was recorded', async () => {
    const { clock, workers, capture, live, phase } = watched()
    await clock.advance(20_000)
    expect(phase()).toBe('running')
    const state = { ...capture.getState(), version: 7, nowTicks: 5e9 as never, sources: [], server: {} as never }
    const source = { id: 'db:a', phase: 'live' } as never
    workers[0]!.say({ type: 'state', state: { ...state, sources: [source] }, gaps: null, entries: [], pushed: [] })
    capture.watch([{ kind: 'database', name: 'a' }])
    capture.watch([])
    capture.setFront(['io'])
    const requested = capture.request('io.idle', { sources: [], minTicks: 1 as never })
    workers[0]!.free()
    await expect(requested).rejects.toThrow('gone')
    expect(workers).toHaveLength(2)
    expect(workers[0]!.terminated).toBe(true)
    expect(capture.getState().worker).toMatchObject({ phase: 'restarted', lives: 2, message: 'It stopped.' })
    expect(workers[1]!.commands).toMatchObject([
      { type: 'start', lost: { sources: new Map([['db:a', 5e9]]), serverSinceMs: expect.any(Number) as number } },
      { type: 'watch', sources: [] },
      { type: 'front', feeds: ['io'] },
    ])
    live()
    workers[1]!.say({ type: 'state', state: { ...state, version: 1 }, gaps: null, entries: [], pushed: [] })
    expect(capture.getState().version).toBeGreaterThan(7)
    expect(phase()).toBe('restarted')
  })

  test('that hangs is said to within 3 s, and is replaced when that lasts', async () => {
    const { clock, workers, phase } = watched({ hasLocks: false })
    await clock.advance(20_100)
    workers[0]!.hangs = true
    await clock.advance(3000)
    expect(phase()).toBe('silent')
    expect(workers).toHaveLength(1)
    await clock.advance(15_000)
    expect(workers).toHaveLength(2)
    expect(phase()).toBe('restarted')
  })

  test('that was busy for a while and answers again is as before', async () => {
    const { clock, workers, phase } = watched()
    workers[0]!.hangs = true
    await clock.advance(6000)
    expect(phase()).toBe('silent')
    workers[0]!.hangs = false
    workers[0]!.say({ type: 'pong' })
    expect(phase()).toBe('running')
    await clock.advance(20_000)
    expect(workers).toHaveLength(1)
  })

  test('is not judged by a page that is hidden, or whose own timers are late', async () => {
    const { clock, workers, phase, setHidden, sleep } = watched()
    workers[0]!.hangs = true
    setHidden(true)
    await clock.advance(120_000)
    setHidden(false)
    for (let i = 0; i < 60; i++) {
      sleep(1000)
      await clock.advance(500)
    }
    expect(phase()).toBe('running')
    expect(workers).toHaveLength(1)
  })

  test('may be busy for longer while it reads a file', async () => {
    const { clock, workers, capture, phase } = watched()
    const files = [{ id: 1, endedMs: null }] as never
    workers[0]!.say({ type: 'state', state: { ...capture.getState(), files }, gaps: null, entries: [], pushed: [] })
    workers[0]!.hangs = true
    await clock.advance(9000)
    expect(phase()).toBe('running')
    await clock.advance(46_000)
    expect(phase()).toBe('silent')
    expect(workers).toHaveLength(1)
    await clock.advance(10_000)
    expect(workers).toHaveLength(2)
  })

  test('that cannot be fetched says so with the browser’s words; one that dies again and again is given up', async () => {
    const { workers, capture, live, phase } = watched()
    for (let i = 0; i < 3; i++) {
      workers.at(-1)!.free()
      await settle()
      if (i < 2) live()
    }
    expect(workers).toHaveLength(3)
    expect(phase()).toBe('failed')

    const worker = new FakeWorker()
    const env = { now: () => 0, wallMs: () => 5, setTimeout: () => 0, isHidden: () => false } as unknown as WatchEnv
    const other = new RemoteCapture(
      () => worker,
      { baseUrl: 'http://raven', key: null, fetchesAhead: false },
      env,
      () => undefined,
    )
    worker.onerror?.({ message: 'Failed to fetch a worker script.' })
    expect(other.getState().worker).toMatchObject({ phase: 'failed', message: 'Failed to fetch a worker script.' })
    expect(capture.getState().worker.message).toContain('3 times')
  })
})

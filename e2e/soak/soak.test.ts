import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Summary } from '../support/studio.ts'
import { accountOf, afterwards, AT_FIRST, eventId, type Heard } from './accounts.ts'
import { falseGaps, falseWords, type Episode } from './episodes.ts'
import { Lateness } from './lateness.ts'
import { FAULTS, planOf, type Fault, type Step } from './plan.ts'
import { FaultProxy } from './proxy.ts'
import { busiest, pathsOf } from './traffic.ts'

const take = (seed: number, count: number): Step[] => {
  const plan = planOf(seed, FAULTS)
  return Array.from({ length: count }, () => plan.next().value)
}

describe('planOf', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(take(7, 50)).toEqual(take(7, 50))
    expect(take(7, 50)).not.toEqual(take(8, 50))
  })

  it('plays every fault before one comes again', () => {
    expect(new Set(take(3, FAULTS.length).map(({ fault }) => fault)).size).toBe(FAULTS.length)
  })
})

describe('accountOf', () => {
  const SOURCE = 'db:a'
  const event = (startTicks: number, parts: Partial<Heard> = {}): Heard => ({
    lane: `${SOURCE}|/x`,
    kind: 'JournalWrite',
    key: '/x JournalWrite',
    startTicks,
    endTicks: startTicks + 5,
    bytes: 10,
    ...parts,
  })
  const gap = (startTicks: number, endTicks: number, parts: Partial<Summary['gaps'][number]> = {}) => ({
    reason: 'socket-closed',
    source: SOURCE,
    startTicks,
    endTicks,
    lane: null,
    kind: null,
    missingCount: null,
    missingBytes: null,
    detail: '',
    ...parts,
  })
  const shown = (count: number, rolledUp = { count: 0, bytes: 0 }, untold = 0) =>
    new Map([['/x JournalWrite', { count, bytes: count * 10, rolledUp, untold }]])
  const received = [100, 200, 300, 400].map((ticks) => event(ticks))
  const whole = { isWhole: true, before: AT_FIRST }

  it('is content with the same figures, and with what lies in a gap', () => {
    expect(accountOf(received, shown(4), [], whole).problems).toEqual([])
    expect(accountOf(received, shown(2), [gap(150, 310)], whole).problems).toEqual([])
    expect(accountOf(received, shown(2, { count: 2, bytes: 20 }), [], whole).problems).toEqual([])
    expect(accountOf(received, shown(2, { count: 0, bytes: 20 }, 1), [], whole).problems).toEqual([])
  })

  it('finds what is lost in silence, and what is made up', () => {
    expect(accountOf(received, shown(2), [], whole).problems).toHaveLength(1)
    expect(accountOf(received, shown(2, { count: 1, bytes: 20 }), [], whole).problems).toHaveLength(1)
    expect(accountOf(received, shown(1), [gap(150, 310)], whole).problems).toHaveLength(1)
    expect(accountOf(received, shown(5), [], whole).problems).toHaveLength(1)
    expect(accountOf(received, shown(5), [], { ...whole, isWhole: false }).problems).toEqual([])
  })

  it('takes no gap of another lane, kind or source for it', () => {
    for (const other of [{ lane: `${SOURCE}|/y` }, { kind: 'DataSync' }, { source: 'db:b' }])
      expect(accountOf(received, shown(2), [gap(150, 310, other)], whole).problems).toHaveLength(1)
    const own = { lane: `${SOURCE}|/x`, kind: 'JournalWrite' }
    expect(accountOf(received, shown(2), [gap(150, 310, own)], whole).problems).toEqual([])
  })

  it('takes what the listener learns late for no loss of the page', () => {
    const first = accountOf(received.slice(0, 3), shown(4), [], { ...whole, isWhole: false })
    const before = afterwards(first, received.slice(0, 3), false, AT_FIRST)
    expect(accountOf(received, shown(4), [], { isWhole: true, before }).problems).toEqual([])
  })

  it('counts what lies in a gap though it ended before the check that had not received it yet', () => {
    const early = received.slice(0, 3)
    const before = afterwards(accountOf(early, shown(3), [], whole), early, true, AT_FIRST)
    expect(accountOf(received, shown(3), [gap(350, 450)], { isWhole: true, before }).problems).toEqual([])
  })

  it('lets a page lack what the live socket of the server left out, and nothing else', () => {
    const unsent = new Set([eventId(event(400))])
    expect(accountOf(received, shown(3), [], { ...whole, unsent }).problems).toEqual([])
    expect(accountOf(received, shown(2), [], { ...whole, unsent }).problems).toHaveLength(1)
  })

  it('reports a loss once, and hides no later one behind an earlier gap', () => {
    const gaps = [gap(150, 310)]
    const first = accountOf(received, shown(4), gaps, whole)
    const before = afterwards(first, received, true, AT_FIRST)
    const later = [...received, event(600), event(700)]
    expect(accountOf(later, shown(5), gaps, { isWhole: true, before }).problems).toHaveLength(1)
    expect(accountOf(later, shown(6), gaps, { isWhole: true, before }).problems).toEqual([])
  })
})

describe('verdicts', () => {
  const punctual = (): number => 0
  const never = (): number => -Infinity
  const atMs = Date.UTC(2026, 0, 1)
  const episode = (fault: Fault): Episode => ({
    step: { number: 1, fault, seconds: 5, variant: 0, calmSeconds: 3, isCheckPoint: false },
    beginMs: atMs,
    endMs: atMs + 5000,
    recoveredMs: atMs + 9000,
  })
  const reported = (afterMs: number, text = 'unresponsive') => [{ atMs: atMs + afterMs, tab: 'tab 1', text }]

  it('allows words while they are true', () => {
    expect(falseWords(reported(4000), [episode('stop')], punctual)).toEqual([])
    expect(falseWords(reported(60_000), [episode('stop')], punctual)).toHaveLength(1)
    expect(falseWords(reported(4000), [episode('tab-hidden')], punctual)).toHaveLength(1)
    expect(falseWords(reported(60_000, 'connected'), [], punctual)).toEqual([])
  })

  it('allows gaps by their reason and time', () => {
    const ticks = (ms: number): number => (ms - Date.UTC(2020, 0)) * 10_000
    const gap = (reason: string, toMs = atMs + 8000) => ({
      reason,
      source: 'db:a',
      startTicks: ticks(atMs - 3000),
      endTicks: ticks(toMs),
      lane: null,
      kind: null,
      missingCount: null,
      missingBytes: null,
      detail: '',
    })
    expect(falseGaps([gap('server-stopped')], [episode('kill')], [], punctual, never)).toEqual([])
    expect(falseGaps([gap('server-stopped')], [episode('refuse-503')], [], punctual, never)).toHaveLength(1)
    expect(falseGaps([gap('server-stopped', atMs + 90_000)], [episode('kill')], [], punctual, never)).toHaveLength(1)
  })

  it('takes a socket that was given up for true where the machine held everything up for long', () => {
    const ticks = (ms: number): number => (ms - Date.UTC(2020, 0)) * 10_000
    const gap = (reason: string) => ({
      reason,
      source: 'db:a',
      startTicks: ticks(atMs - 4000),
      endTicks: ticks(atMs + 14_000),
      lane: null,
      kind: null,
      missingCount: null,
      missingBytes: null,
      detail: '',
    })
    const check = (reason: string, lateMs: number) => falseGaps([gap(reason)], [], [], () => lateMs, never)
    expect(check('socket-closed', 8000)).toEqual([])
    expect(check('socket-closed', 4000)).toHaveLength(1)
    expect(check('database-disabled', 8000)).toHaveLength(1)
  })

  it('allows a gap from one fault to the next where a page was not back yet, and no longer one', () => {
    const ticks = (ms: number): number => (ms - Date.UTC(2020, 0)) * 10_000
    const gap = {
      reason: 'database-restarted',
      source: 'db:a',
      startTicks: ticks(atMs - 30_000),
      endTicks: ticks(atMs + 8000),
      lane: null,
      kind: null,
      missingCount: null,
      missingBytes: null,
      detail: '',
    }
    const before = (fault: Fault, beginMs: number): Episode => ({
      ...episode(fault),
      beginMs,
      endMs: beginMs + 5000,
      recoveredMs: beginMs + 9000,
    })
    const check = (first: Episode) => falseGaps([gap], [first, episode('kill')], [], punctual, never)
    expect(check(before('refuse-503', atMs - 25_000))).toEqual([])
    expect(check(before('tab-opened', atMs - 25_000))).toHaveLength(1)
    expect(check(before('refuse-503', atMs - 60_000))).toHaveLength(1)
  })

  it('allows the gap of an index that was reset to begin at its last batch, and not before', () => {
    const ticks = (ms: number): number => (ms - Date.UTC(2020, 0)) * 10_000
    const gap = (fromMs: number) => ({
      reason: 'index-changed',
      source: 'db:a',
      startTicks: ticks(fromMs),
      endTicks: ticks(atMs + 300),
      lane: 'db:a|X',
      kind: null,
      missingCount: null,
      missingBytes: null,
      detail: '',
    })
    const last = (lane: string): number => (lane === 'db:a|X' ? atMs - 17_000 : -Infinity)
    const check = (fromMs: number) => falseGaps([gap(fromMs)], [episode('index-reset')], [], punctual, last)
    expect(check(atMs - 17_000)).toEqual([])
    expect(check(atMs - 18_000)).toHaveLength(1)
  })

  it('allows so much more as things were late then, and no more', () => {
    const late = new Lateness()
    late.note(atMs + 8000, atMs + 12_000)
    const most = (fromMs: number, toMs: number): number => late.most(fromMs, toMs)
    const said = reported(9000 + 12_000 + 3000)
    expect(falseWords(said, [episode('stop')], punctual)).toHaveLength(1)
    expect(falseWords(said, [episode('stop')], most)).toEqual([])
    expect(falseWords(reported(9000 + 12_000 + 5000), [episode('stop')], most)).toHaveLength(1)
    expect(late.most(atMs + 12_001, atMs + 99_000)).toBe(0)
    late.note(atMs, atMs + 600_000)
    expect(late.most(atMs, atMs + 1000)).toBe(10_000)
  })

  it('takes what a stopped server sends late for no lateness of the machine', async () => {
    const late = new Lateness()
    const beganMs = Date.now()
    let resume = (): void => undefined
    const stopped = late.whileStopped(() => new Promise<void>((done) => (resume = done)))
    late.noteSent(beganMs - 1000, 4500, beganMs + 18_000)
    expect(late.most(beganMs - 1000, beganMs + 60_000)).toBe(0)
    late.noteSent(beganMs - 6000, 4500, beganMs + 18_000)
    expect(late.most(beganMs - 1000, beganMs + 60_000)).toBeGreaterThanOrEqual(1500)
    resume()
    await stopped
    late.noteSent(beganMs + 30_000, 4500, beganMs + 37_500)
    expect(late.most(beganMs + 30_000, beganMs + 60_000)).toBe(3000)
  })

  it('allows gaps of batches as much as pages say that they poll more slowly', () => {
    const ticks = (ms: number): number => (ms - Date.UTC(2020, 0)) * 10_000
    const gap = {
      reason: 'server-stopped',
      source: 'db:a',
      startTicks: ticks(atMs - 14_000),
      endTicks: ticks(atMs + 8000),
      lane: 'indexes:db:a',
      kind: null,
      missingCount: null,
      missingBytes: null,
      detail: '',
    }
    const slow = reported(-20_000, 'The machine is busy: polls go 4 times slower than planned.')
    expect(falseGaps([gap], [episode('kill')], [], punctual, never)).toHaveLength(1)
    expect(falseGaps([gap], [episode('kill')], slow, punctual, never)).toEqual([])
    expect(falseGaps([{ ...gap, lane: null }], [episode('kill')], slow, punctual, never)).toHaveLength(1)
  })

  it('counts the busiest ten seconds', () => {
    const requested = [0, 1000, 2000, 11_000, 12_500].map((ms) => ({
      atMs: ms,
      what: 'request' as const,
      path: '/',
      method: 'GET',
    }))
    expect(busiest(requested, 0, 20_000)).toHaveLength(3)
    expect(busiest(requested, 11_000, 20_000)).toHaveLength(2)
    expect(pathsOf(requested)).toBe('5 × /')
  })
})

describe('FaultProxy', () => {
  let server: Server
  let proxy: FaultProxy
  let direct: string
  beforeEach(async () => {
    server = createServer((_request, response) => response.end('x'.repeat(2000)))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    direct = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    proxy = await FaultProxy.open(direct)
  })
  afterEach(async () => {
    await proxy.close()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })

  /** The status and body; the error's code where there is no answer. */
  const send = (url = proxy.url): Promise<string> =>
    new Promise((done) => {
      const requested = request(`${url}/path?a=1`, { agent: false }, (response) => {
        let length = 0
        response.on('data', (chunk: Buffer) => (length += chunk.length))
        response.on('end', () => done(`${response.statusCode} ${length}`))
        response.on('error', ({ message }) => done(message))
      })
      requested.on('error', (error) => done('code' in error ? String(error.code) : error.message))
      requested.end()
    })

  it('passes, refuses and resets, and counts what it is asked', async () => {
    expect(await send()).toBe('200 2000')
    proxy.become({ is: 'refuse', status: 503 })
    expect(await send()).toMatch(/^503 /)
    proxy.become({ is: 'reset' })
    expect(await send()).toBe('ECONNRESET')
    proxy.become({ is: 'pass' })
    expect(await send()).toBe('200 2000')
    expect(proxy.requested.filter(({ what }) => what === 'request').map(({ path }) => path)).toEqual(
      Array.from({ length: 3 }, () => '/path?a=1'),
    )
  })

  it('holds what is on its way until it passes again', async () => {
    proxy.become({ is: 'hold' })
    const answer = send()
    let isThere = false
    void answer.then(() => (isThere = true))
    expect(await send(direct)).toBe('200 2000')
    expect(isThere).toBe(false)
    proxy.become({ is: 'pass' })
    expect(await answer).toBe('200 2000')
  })

  it('passes so many bytes a second', async () => {
    proxy.become({ is: 'slow', bytesPerSecond: 4096 })
    expect(await send()).toBe('200 2000')
  })
})

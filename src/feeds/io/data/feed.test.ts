import { describe, expect, test } from 'vitest'
import { formatTicks, msFromTicks, parseTicks, type Ticks } from '../../../base/ticks.ts'
import { GapLog } from '../../../capture/worker/gap-log.ts'
import { ServerClock } from '../../../capture/worker/server-clock.ts'
import type { SourceRef } from '../../../capture/client/state.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import type { CloseReason, SocketPhase, SocketHandlers } from '../../../ravendb/sockets/socket-events.ts'
import { IoFeed } from './feed.ts'

const T0 = Date.parse('2026-11-20T04:00:00Z')
const at = (second: number) => formatTicks((parseTicks('2026-11-20T04:00:00Z') + second * 1e7) as never)
const write = (second: number, parts: object = {}) => ({
  Start: at(second),
  Size: 4096,
  FileSize: 65536,
  Duration: 1,
  Type: 'JournalWrite',
  ...parts,
})
const frame = (recent: object[], history: object[] = [], path = '/data') =>
  JSON.stringify({
    Environments: [
      {
        Path: path,
        Type: 'Documents',
        Files: [{ File: '1.journal', Status: 'InUse', Recent: recent, History: history }],
      },
    ],
  })

/** Responses that are there are taken by then. */
const turn = () => new Promise((resolve) => setTimeout(resolve))

/** A feed that watches one database through a socket which the test drives. */
function watching(
  ref: SourceRef = { kind: 'database', name: 'a' },
  names: unknown = { Results: ['Users/ByName'] },
  lostFromTicks: Ticks | null = null,
) {
  const feed = new IoFeed()
  const gapLog = new GapLog()
  const clock = new ServerClock()
  let handlers: SocketHandlers | undefined
  const calls: string[] = []
  let nowMs = T0
  const rings: string[] = []
  const governor = {
    env: { now: () => nowMs },
    openSocket: (key: string, params: object, given: SocketHandlers) => {
      calls.push(`socket ${key} ${JSON.stringify(params)}`)
      handlers = given
      return {
        close: () => calls.push('close'),
        reconnectNow: () => calls.push('reconnect'),
        loadNow: () => calls.push('load'),
      }
    },
    json: (key: string, params: object) => {
      calls.push(`get ${key} ${JSON.stringify(params)}`)
      return Promise.resolve(names)
    },
    bytes: (key: string, params: object) => {
      calls.push(`get ${key} ${JSON.stringify(params)}`)
      const text = rings.shift()
      return text === undefined
        ? Promise.reject(new Error('no answer'))
        : Promise.resolve(new TextEncoder().encode(text))
    },
  } as unknown as Governor
  const phases: SocketPhase[] = []
  const watch = feed.watch({
    source: 'db:a',
    ref,
    governor,
    gapLog,
    clock,
    lostFromTicks,
    report: (phase) => phases.push(phase),
    received: () => undefined,
    changed: () => undefined,
  })
  const connect = (second = 0) => {
    nowMs = T0 + second * 1000
    handlers!.onPhase({ phase: 'connecting', message: '', retryAtMs: null, error: null })
  }
  const refuse = () => handlers!.onPhase({ phase: 'refused', message: '', retryAtMs: null, error: null })
  const send = (text: string, second: number) => {
    handlers!.onReceived?.(T0 + second * 1000)
    handlers!.onFrame(text, T0 + second * 1000)
  }
  /** A heartbeat. */
  const still = (second: number) => handlers!.onReceived?.(T0 + second * 1000)
  const close = (second: number, reason: CloseReason = 'socket-closed') =>
    handlers!.onClosed?.(T0 + second * 1000, reason)
  const counts = () => feed.summary().map(({ kind, count }) => [kind, count])
  return { feed, gapLog, clock, calls, rings, phases, watch, connect, refuse, send, still, close, counts }
}

/** Feed that received a write, paused for `reason`, and received that write and another one from the rings. */
function reopened(reason?: CloseReason) {
  const watched = watching()
  watched.connect()
  watched.send(frame([write(1)]), 2)
  watched.close(7, reason)
  watched.connect(30)
  watched.send(frame([write(1), write(30)]), 31)
  return watched
}

describe('live I/O', () => {
  test('arrives from the whole document of a connection until that ends', () => {
    const { feed, connect, send, refuse, watch } = watching()
    const isReceiving = () => feed.isReceiving('db:a')
    expect(isReceiving()).toBe(false)
    connect()
    expect(isReceiving()).toBe(false)
    send(frame([write(1)]), 2)
    expect(isReceiving()).toBe(true)
    refuse()
    expect(isReceiving()).toBe(false)
    connect(10)
    send(frame([write(1)]), 12)
    watch?.close()
    expect(isReceiving()).toBe(false)
  })

  test('a database is watched by its socket, the server by its own, a file by none', () => {
    expect(watching().calls).toEqual(['socket ioMetricsLive {"database":"a"}'])
    expect(watching({ kind: 'server' }).calls).toEqual(['socket adminIoMetricsLive {}'])
    expect(watching({ kind: 'file', name: 'x' }).watch).toBeNull()
  })

  test('history, then deltas; rings that are sent again add nothing', () => {
    const { connect, send, counts, gapLog } = watching()
    connect()
    send(frame([write(1), write(2)]), 3)
    send(frame([write(4)]), 6)
    send(frame([write(4), write(5)]), 9)
    expect(counts()).toEqual([['JournalWrite', 4]])
    expect(gapLog.snapshot(null)).toEqual([])
  })

  test('time is known as long as the server says that nothing happened', () => {
    const { feed, connect, send, still } = watching()
    const endMs = (): number => msFromTicks(feed.knownUntil('db:a')!) - T0
    connect()
    send(frame([write(1), write(4)]), 6)
    const busyMs = endMs()
    still(20)
    expect(busyMs).toBeLessThan(6000)
    expect(endMs()).toBeGreaterThan(12_000)
    expect(endMs()).toBeLessThanOrEqual(20_000)
  })

  test('a pause that the rings cover is no gap', () => {
    const { connect, send, close, counts, gapLog } = watching()
    connect()
    send(frame([write(1)]), 2)
    close(3)
    expect(gapLog.snapshot(parseTicks(at(60)))).toMatchObject([
      { reason: 'socket-closed', endTicks: parseTicks(at(60)) },
    ])
    connect()
    send(frame([write(1), write(20), write(30)]), 31)
    expect(gapLog.snapshot(null)).toEqual([])
    expect(counts()).toEqual([['JournalWrite', 3]])
  })

  test('what the collector of a reopened connection left out is read from the rings, once', async () => {
    const { send, still, counts, gapLog, calls, rings } = reopened()
    const requested = () => calls.filter((call) => call === 'get ioMetrics {"database":"a"}').length
    still(32)
    expect(requested()).toBe(0)
    still(35)
    expect(requested()).toBe(1)
    await turn()
    // The write at 20 s was raised before the collector listened, and is in the ring only now.
    rings.push(frame([write(1), write(20), write(30)]))
    still(39)
    await turn()
    for (const second of [43, 47, 51]) still(second)
    expect(counts()).toEqual([['JournalWrite', 2]])
    still(55)
    expect(counts()).toEqual([['JournalWrite', 3]])
    send(frame([write(56)]), 57)
    expect(requested()).toBe(2)
    expect(counts()).toEqual([['JournalWrite', 4]])
    expect(gapLog.snapshot(null)).toEqual([])
  })

  test('what the rings folded before it arrived event by event is neither counted twice nor lost', async () => {
    const { feed, send, gapLog, rings } = reopened()
    const late = Array.from({ length: 255 }, (_, i) => write(30.1 + i / 100))
    const fold = {
      Start: at(1),
      End: at(32.641),
      Size: 257 * 4096,
      ActiveDuration: 257,
      MinDuration: 1,
      MaxDuration: 1,
      Type: 'JournalWrite',
    }
    rings.push(frame([write(33)], [fold]))
    send(frame([write(30)]), 34)
    await turn()
    send(frame(late), 37)
    for (const second of [40, 43, 46]) send(frame([write(second - 1)]), second)
    expect(feed.summary()).toMatchObject([{ count: 257 + 4, rollUps: { events: 0, bytes: 0 } }])
    expect(gapLog.snapshot(null)).toEqual([])
  })

  test('rings that were read are dropped with the connection that they were read for', async () => {
    const { connect, still, close, counts, rings } = reopened()
    rings.push(frame([write(1), write(20), write(30)]))
    still(35)
    await turn()
    close(36, 'tab-hidden')
    connect(40)
    for (const second of [41, 45, 49, 53, 57]) still(second)
    expect(counts()).toEqual([['JournalWrite', 2]])
  })

  test('after a pause of the page itself the rings are not read again', async () => {
    const { still, calls } = reopened('tab-hidden')
    still(35)
    await turn()
    expect(calls.filter((call) => call.startsWith('get ioMetrics'))).toEqual([])
  })

  test('after a restart the pause is a gap that says so, up to the first event after it', () => {
    const { connect, send, close, gapLog } = watching()
    connect()
    send(frame([write(1)]), 1.001)
    close(3)
    connect()
    send(frame([write(20)]), 31)
    expect(gapLog.snapshot(null)).toMatchObject([
      {
        reason: 'database-restarted',
        startTicks: parseTicks(at(0)) + 10_000,
        endTicks: parseTicks(at(20)),
        missingCount: null,
      },
    ])
  })

  test('what a restart took is declared once, and not again at each pause after it', () => {
    const { connect, send, close, gapLog } = watching()
    const kinds = [write(1), write(2, { Type: 'Compression' })]
    connect()
    send(frame(kinds), 3)
    close(4, 'server-stopped')
    connect(20)
    send(frame([write(20)]), 21)
    close(30)
    connect(40)
    send(frame([write(20), write(35)]), 41)
    expect(gapLog.snapshot(null)).toMatchObject([{ reason: 'server-stopped', lane: null }])
  })

  test('a recording that was lost with its worker is known again from the first event of each lane and kind on', () => {
    const { connect, send, gapLog } = watching(undefined, undefined, parseTicks(at(0)))
    connect(100)
    send(frame([write(40), write(60, { Type: 'DataFlush' })]), 100)
    const of = (kind: string) => gapLog.snapshot(null).filter((gap) => gap.kind === kind)
    expect(gapLog.snapshot(null)[0]).toMatchObject({
      reason: 'worker-restarted',
      lane: null,
      startTicks: parseTicks(at(0)),
      endTicks: parseTicks(at(40)),
    })
    expect(of('JournalWrite')).toEqual([])
    expect(of('DataFlush')).toMatchObject([{ startTicks: parseTicks(at(40)), endTicks: parseTicks(at(60)) }])
    expect(of('Compression')).toMatchObject([{ lane: 'db:a|/data', startTicks: parseTicks(at(40)) }])
  })

  test('what the server collected after the last frame and never sent lies in the gap, however late the close came', () => {
    const { connect, send, still, close, gapLog } = watching()
    connect()
    send(frame([write(1)]), 2)
    send(frame([write(2), write(4)]), 5)
    close(7.9, 'server-stopped')
    const [gap] = gapLog.snapshot(parseTicks(at(10)))
    expect(gap).toMatchObject({ reason: 'server-stopped', startTicks: parseTicks(at(3)) + 10_000 })
    // A heartbeat says that there was nothing until shortly before it.
    connect(30)
    send(frame([write(29)]), 31)
    still(40)
    close(42, 'server-stopped')
    expect(gapLog.snapshot(parseTicks(at(50)))[1]?.startTicks).toBeGreaterThan(parseTicks(at(31)))
    expect(gapLog.snapshot(parseTicks(at(50)))[1]?.startTicks).toBeLessThanOrEqual(parseTicks(at(35)))
  })

  test('a restarted server that has not opened all its indexes yet is one gap of all lanes', () => {
    const { connect, send, close, gapLog } = watching()
    const both = JSON.stringify({
      Environments: ['/data', '/data/Indexes/a'].flatMap(
        (path) => (JSON.parse(frame([write(1)], [], path)) as { Environments: object[] }).Environments,
      ),
    })
    connect()
    send(both, 2)
    close(3, 'server-stopped')
    connect(20)
    send(frame([write(20)]), 21)
    expect(gapLog.snapshot(null)).toMatchObject([
      { reason: 'server-stopped', lane: null, startTicks: parseTicks(at(0)) + 10_000, endTicks: parseTicks(at(20)) },
    ])
  })

  test('a ring that restarted alone is a gap of its lane up to its own first event; a deleted one is declared once', () => {
    const { connect, send, close, gapLog } = watching()
    const all = (documents: number[], index: number[]) =>
      JSON.stringify({
        Environments: [
          ...(JSON.parse(frame(documents.map((second) => write(second)))) as { Environments: object[] }).Environments,
          ...(index.length === 0
            ? []
            : (
                JSON.parse(
                  frame(
                    index.map((second) => write(second)),
                    [],
                    '/data/Indexes/a',
                  ),
                ) as { Environments: object[] }
              ).Environments),
        ],
      })
    connect()
    send(all([1], [1]), 2)
    close(3)
    connect(30)
    send(all([1, 5, 10, 20], [25]), 31)
    expect(gapLog.snapshot(null)).toMatchObject([
      { lane: 'db:a|/data/Indexes/a', startTicks: parseTicks(at(0)) + 10_000, endTicks: parseTicks(at(25)) },
    ])
    for (const second of [40, 50]) {
      close(second)
      connect(second)
      send(all([1, 5, 10, 20], []), second + 1)
    }
    expect(gapLog.snapshot(null)).toHaveLength(2)
    expect(gapLog.snapshot(null)[1]).toMatchObject({ lane: 'db:a|/data/Indexes/a' })
    expect(gapLog.snapshot(null)[1]?.startTicks).toBeGreaterThan(parseTicks(at(25)))
  })

  test('a ring that was folded meanwhile shows how many events and bytes are missing', () => {
    const { connect, send, close, gapLog } = watching()
    connect()
    send(frame([write(1), write(2)]), 2.001)
    close(3, 'tab-hidden')
    connect()
    const fold = {
      Start: at(1),
      End: at(40),
      Size: 257 * 4096,
      ActiveDuration: 257,
      MinDuration: 1,
      MaxDuration: 9,
      Type: 'JournalWrite',
    }
    send(frame([write(50)], [fold]), 51)
    expect(gapLog.snapshot(null)).toMatchObject([
      { reason: 'ring-lapped', lane: 'db:a|/data', kind: 'JournalWrite', missingCount: 255, missingBytes: 255 * 4096 },
    ])
  })

  test('whole rings that were folded meanwhile count with it: shown and missing are all that there was', () => {
    const { feed, connect, send, close, gapLog } = watching()
    const fold = (from: number, to: number) => ({
      Start: at(from),
      End: at(to),
      Size: 257 * 4096,
      ActiveDuration: 257,
      MinDuration: 1,
      MaxDuration: 9,
      Type: 'JournalWrite',
    })
    connect()
    send(frame([write(1), write(2)]), 3)
    close(4, 'tab-hidden')
    connect(60)
    send(frame([write(60)], [fold(1, 20), fold(20.1, 40), fold(40.1, 59)]), 61)
    expect(gapLog.snapshot(null)).toMatchObject([
      { missingCount: 3 * 257 - 2, missingBytes: (3 * 257 - 2) * 4096, endTicks: parseTicks(at(59)) },
    ])
    expect(feed.summary()).toMatchObject([
      { count: 3, bytes: 3 * 4096, rollUps: { count: 3, events: 3 * 257 - 2, bytes: (3 * 257 - 2) * 4096 } },
    ])
  })

  test('what was folded meanwhile is missing from the end of the known time on, and once', () => {
    const { connect, send, still, close, gapLog } = watching()
    connect()
    send(frame([write(1)]), 3)
    // The server is idle, and says so; by its clock it is 2 s earlier.
    for (const second of [8, 12, 16, 20]) still(second)
    close(21)
    connect(40)
    const fold = { Start: at(1), End: at(39), Size: 257 * 4096, ActiveDuration: 257, MinDuration: 1, MaxDuration: 9 }
    send(frame([write(40)], [{ ...fold, Type: 'JournalWrite' }]), 41)
    expect(gapLog.snapshot(null)).toMatchObject([
      { reason: 'ring-lapped', startTicks: parseTicks(at(13.001)), endTicks: parseTicks(at(39)), missingCount: 256 },
    ])
  })

  test('a frame that comes late is no heartbeat: what was folded before it may have happened just after the last', () => {
    const { connect, send, gapLog } = watching()
    connect()
    send(frame([write(1)]), 3)
    const fold = { Start: at(2), End: at(39), Size: 257 * 4096, ActiveDuration: 257, MinDuration: 1, MaxDuration: 9 }
    send(frame([write(40)], [{ ...fold, Type: 'JournalWrite' }]), 41)
    expect(gapLog.snapshot(null)).toMatchObject([{ startTicks: parseTicks(at(2)), endTicks: parseTicks(at(39)) }])
  })

  test('closing and watching again later is a pause like any other', () => {
    const { feed, connect, send, watch, gapLog } = watching()
    connect()
    send(frame([write(1)]), 2)
    watch?.close()
    expect(gapLog.snapshot(null)).toMatchObject([{ reason: 'not-watched' }])
    expect(feed.summary()).toMatchObject([{ count: 1 }])
  })

  test('real names of indexes are asked for once a lane shows up that has none, and not at every frame', async () => {
    const { feed, connect, send, calls } = watching()
    const index = (second: number) =>
      frame([write(second)], [], '/data/Indexes/Users_ByName').replace('"Documents"', '"Index"')
    connect()
    send(index(1), 2)
    send(index(2), 3)
    await Promise.resolve()
    expect(calls.filter((call) => call.startsWith('get'))).toEqual(['get indexesNames {"database":"a"}'])
    expect(feed.summary()).toMatchObject([{ environment: 'Users/ByName' }])
  })

  test('names of indexes that came right after others are asked for too, once, although nothing is written any more', async () => {
    const { feed, connect, send, still, calls } = watching(undefined, { Results: ['Users/ByName'] })
    const index = (second: number, name: string) =>
      frame([write(second)], [], `/data/Indexes/${name}`).replace('"Documents"', '"Index"')
    connect()
    send(index(1, 'Users_ByName'), 2)
    send(index(3, 'Users_New'), 4)
    await Promise.resolve()
    const requested = () => calls.filter((call) => call.startsWith('get')).length
    expect(requested()).toBe(1)
    for (const second of [8, 12, 16, 20, 40]) still(second)
    await Promise.resolve()
    expect(requested()).toBe(2)
    expect(feed.summary()).toHaveLength(2)
  })
})

describe('what the server should not send', () => {
  test.each(['<html>Bad gateway</html>', '{"Environments":[{"Path":', '[]', '{"Type":"Other"}', 'null'])(
    '%s: what was collected stays, the frame is reported as unreadable, the next one counts',
    (text) => {
      const { connect, send, counts, gapLog } = watching()
      connect()
      send(frame([write(1)]), 2)
      send(text, 5)
      send(frame([write(6)]), 8)
      expect(counts()).toEqual([['JournalWrite', 2]])
      expect(gapLog.snapshot(null)).toMatchObject([
        { reason: 'malformed', startTicks: expect.any(Number) as number, missingCount: null },
      ])
      expect(gapLog.snapshot(null)[0]?.detail).toMatch(/could not be read/)
    },
  )

  test('an unreadable first frame after a pause leaves the pause a gap', () => {
    const { connect, send, close, gapLog } = watching()
    connect()
    send(frame([write(1)]), 2)
    close(3)
    connect()
    send('{', 20)
    send(frame([write(21)]), 23)
    expect(
      gapLog
        .snapshot(null)
        .map(({ reason }) => reason)
        .toSorted(),
    ).toEqual(['malformed', 'socket-closed'])
  })

  test('rows that make no sense are counted, kinds that are not known are kept', () => {
    const { connect, send, counts, gapLog } = watching()
    connect()
    send(frame([write(1), write(2, { Duration: -4 }), write(3, { Type: 'ScratchSpill' })]), 4)
    expect(counts()).toEqual([
      ['JournalWrite', 1],
      ['ScratchSpill', 1],
    ])
    expect(gapLog.snapshot(null)).toMatchObject([{ reason: 'malformed', missingCount: 1 }])
  })

  test('a clock that goes back is noticed; the rows are kept in order of their time', () => {
    const { connect, send, counts, gapLog } = watching()
    connect()
    send(frame([write(100)]), 101)
    send(frame([write(40)]), 104)
    expect(counts()).toEqual([['JournalWrite', 2]])
    expect(gapLog.snapshot(null)).toMatchObject([{ reason: 'clock-jumped', missingCount: 0 }])
    expect(gapLog.snapshot(null)[0]?.detail).toContain('60 s')
  })
})

test('documents of other kinds are not taken for I/O', () => {
  const feed = new IoFeed()
  expect(feed.recognises(new Set(['$.@metadata', '$.Environments', '$.Environments[].Path']))).toBe(true)
  expect(feed.recognises(new Set(['$.Results', '$.Results[].Performance']))).toBe(false)
})

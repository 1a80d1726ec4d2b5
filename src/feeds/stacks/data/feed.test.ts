import { describe, expect, it, test } from 'vitest'
import type { CssPx } from '../../../base/brand.ts'
import { parseTicks, type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { GapLog } from '../../../capture/worker/gap-log.ts'
import { ServerClock } from '../../../capture/worker/server-clock.ts'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { FakeRaven, json, never, settle } from '../../../testing/fake-raven.ts'
import { RECORDED_LINES, recordedFrames, recordedText } from '../../../testing/recorded.ts'
import type { SnapshotId } from '../contract/ids.ts'
import { snapshotBy } from '../../../testing/snapshot-outcome.ts'
import { StacksFeed } from './feed.ts'
import { NO_MACHINE_CPU, type MachineCpu } from './live/machine-cpu.ts'
import type { StacksState } from '../contract/snapshots.ts'
import type { JobsParams } from '../contract/jobs.ts'
import type { ThreadsParams } from '../contract/threads.ts'

const PATH = '/admin/debug/threads/stack-trace'
const SAMPLE = recordedText('7.1', 'stack-trace-writing.json')
const whole = (): Response => new Response(SAMPLE, { headers: { 'content-type': 'application/json' } })

function stage(machineCpu: MachineCpu = NO_MACHINE_CPU) {
  const raven = new FakeRaven()
  const governor = new Governor(raven.env)
  const feed = new StacksFeed({ tabs: null, machineCpu })
  let changes = 0
  const watch = feed.watch({
    source: 'server',
    ref: { kind: 'server' },
    governor,
    gapLog: new GapLog(),
    clock: new ServerClock(),
    lostFromTicks: null,
    report: () => {},
    received: () => {},
    changed: () => changes++,
  })
  const later = feed.later().then((part) => part.responses)
  const responses = {
    ...feed.responses,
    'stacks.threads': async (params: ThreadsParams) => (await later)['stacks.threads'](params),
    'stacks.jobs': async (params: JobsParams) => (await later)['stacks.jobs'](params),
  }
  return {
    raven,
    governor,
    feed,
    watch,
    responses,
    changes: () => changes,
    state: (): StacksState => responses['stacks.state'](),
    snapshot: () => snapshotBy(feed, governor),
    requested: () => raven.paths(/stack-trace/).length,
    want: () => responses['threads.want'](null, governor),
    /** Lets decoding, which gives others their turn, come to its end. */
    advance: async (ms: number) => {
      await raven.clock.advance(ms)
      for (let i = 0; i < 12; i++) await settle()
    },
  }
}

const ROWS: ThreadsParams = {
  snapshot: null,
  live: true,
  jobs: null,
  waits: null,
  threadIds: null,
  match: { text: '', isRegex: false },
  sort: 'cpu',
  descending: true,
  offset: 0,
  limit: 1000,
}

const taken = (outcome: { readonly kind: string; readonly snapshot?: SnapshotId }): SnapshotId => {
  if (outcome.snapshot === undefined) throw new Error(outcome.kind)
  return outcome.snapshot
}

describe('taking a snapshot', () => {
  it('never happens by itself', async () => {
    const { watch, requested, raven, advance, state, governor } = stage()
    await advance(600_000)
    governor.retryNow()
    watch?.retryNow()
    watch?.loadNow()
    watch?.close()
    await advance(600_000)
    expect(requested()).toBe(0)
    expect(raven.sockets).toHaveLength(0)
    expect(state()).toMatchObject({ progress: null, failure: null, snapshots: [], lastCost: null, series: null })
  })

  it('reports each step as it happens, and what it cost', async () => {
    const { raven, state, snapshot, advance, changes } = stage()
    let release: (response: Response) => void = () => {}
    raven.on(/stack-trace/, () => new Promise((done) => (release = done)))
    const outcome = snapshot()
    expect(state().progress?.step).toBe('queued')
    await advance(0)
    expect(state().progress).toMatchObject({ step: 'attaching', giveUpMs: raven.clock.nowMs + 60_000 })
    await advance(1500)
    expect(state().progress?.step).toBe('attaching')
    release(whole())
    await advance(0)
    expect(await outcome).toEqual({ kind: 'taken', snapshot: 1 })
    const after = state()
    expect(after.progress).toBeNull()
    expect(after.lastCost).toEqual({ tookMs: 1500, bytes: SAMPLE.length, pauseMs: null })
    expect(after.snapshots).toMatchObject([{ id: 1, origin: 'click', sampled: 33, problems: [] }])
    expect(changes()).toBeGreaterThan(3)
  })

  it('is one request for two who click, and for one who clicks again at once', async () => {
    const { raven, snapshot, advance, requested } = stage()
    raven.latencyMs = 1000
    raven.on(/stack-trace/, whole)
    const both = [snapshot(), snapshot()]
    await advance(2000)
    expect(await Promise.all(both)).toEqual([
      { kind: 'taken', snapshot: 1 },
      { kind: 'taken', snapshot: 1 },
    ])
    expect(await snapshot()).toEqual({ kind: 'taken', snapshot: 1 })
    expect(requested()).toBe(1)
    await advance(3000)
    const later = snapshot()
    await advance(2000)
    expect(await later).toEqual({ kind: 'taken', snapshot: 2 })
    expect(requested()).toBe(2)
  })

  test.each([
    ['helper-missing', () => json(JSON.parse(recordedText('7.1', 'error-stack-trace-tool-missing.json')), 500)],
    ['permission', () => json({ Type: 'InvalidAuth', Message: 'no' }, 403)],
    ['not-understood', () => json({ Something: 1 })],
    ['server-stopped', () => new TypeError('Failed to fetch')],
    ['busy', () => json({ Type: 'X', Message: 'busy' }, 503)],
  ] as const)('fails as %s, at its step, and can be tried again at once', async (kind, response) => {
    const { raven, snapshot, advance, state, requested } = stage()
    raven.on(/stack-trace/, response)
    const outcome = snapshot()
    await advance(10)
    expect(await outcome).toMatchObject({ kind: 'failed', failure: { kind } })
    const step = kind === 'not-understood' ? 'joining' : 'attaching'
    expect(state()).toMatchObject({ progress: null, failure: { kind, step }, failedMs: expect.any(Number) as number })
    expect(state().failure?.remedy.length).toBeGreaterThan(20)
    raven.on(/stack-trace/, whole)
    const again = snapshot()
    await advance(10)
    expect(await again).toEqual({ kind: 'taken', snapshot: 1 })
    expect([requested(), state().failure]).toEqual([2, null])
  })

  it('gives up on a helper that hangs', async () => {
    const { raven, snapshot, advance, state } = stage()
    raven.on(/stack-trace/, never)
    const outcome = snapshot()
    await advance(59_000)
    expect(state().progress?.step).toBe('attaching')
    await advance(2000)
    expect(await outcome).toMatchObject({ kind: 'failed', failure: { kind: 'timeout' } })
    expect(state().failure).toMatchObject({ kind: 'timeout', step: 'attaching' })
  })

  it('keeps what came of an answer that is cut off, and says so', async () => {
    const { raven, snapshot, advance, state } = stage()
    raven.on(
      /stack-trace/,
      () => new Response(SAMPLE.slice(0, 9000), { headers: { 'content-type': 'application/json' } }),
    )
    const outcome = snapshot()
    await advance(10)
    expect(await outcome).toEqual({ kind: 'taken', snapshot: 1 })
    expect(state().snapshots[0]!.problems.join()).toMatch(/ends in the middle.*could not be read to its end/)
    expect(state().snapshots[0]!.sampled).toBeGreaterThan(5)
  })

  it('can be stopped: nothing waits any longer, and it is not a failure', async () => {
    const { raven, snapshot, advance, state, responses } = stage()
    raven.on(/stack-trace/, never)
    const outcome = snapshot()
    await advance(100)
    responses['stacks.stop']()
    expect(await outcome).toEqual({ kind: 'withdrawn' })
    expect(state()).toMatchObject({ progress: null, failure: null })
    expect(raven.underWay).toEqual([])
  })
})

describe('a series', () => {
  it('takes so many, at varied intervals, with its cost', async () => {
    const { raven, responses, governor, advance, state, requested } = stage()
    raven.latencyMs = 100
    raven.on(/stack-trace/, whole)
    const chances = [0, 1, 0.5]
    raven.randomValue = () => chances.shift() ?? 0.5
    responses['stacks.series']({ source: 'server', everyMs: 10_000, count: 4 }, governor)
    await advance(200)
    expect(state().series).toMatchObject({ phase: 'running', done: 1, failed: 0, tookMs: 100, bytes: SAMPLE.length })
    for (let i = 0; i < 60; i++) await advance(1000)
    expect(state().series).toMatchObject({ phase: 'finished', done: 4, nextMs: null, bytes: 4 * SAMPLE.length })
    expect(requested()).toBe(4)
    expect(state().snapshots.map(({ origin, series }) => [origin, series])).toEqual(
      Array.from({ length: 4 }, () => ['series', 1]),
    )
    const times = raven.calls.filter(({ path }) => path === PATH).map(({ atMs }) => atMs)
    const gaps = times.slice(1).map((at, i) => at - times[i]!)
    expect(gaps).toEqual([7500, 12_500, 10_000])
  })

  it('rests when snapshots are slow, and says so', async () => {
    const { raven, responses, governor, advance, state, requested } = stage()
    raven.latencyMs = 5000
    raven.on(/stack-trace/, whole)
    responses['stacks.series']({ source: 'server', everyMs: 1, count: 999 }, governor)
    await advance(5000)
    expect(state().series).toMatchObject({ everyMs: 2000, count: 200, done: 1 })
    expect(state().series?.slowed).toBe(
      'A snapshot took 5.0 s: the next one waits 20.0 s, to leave the server time between them.',
    )
    await advance(19_900)
    expect(requested()).toBe(1)
    await advance(200)
    expect(requested()).toBe(2)
    responses['stacks.stop']()
    await advance(100_000)
    expect(requested()).toBe(2)
    expect(state().series).toMatchObject({ phase: 'stopped', nextMs: null })
  })

  it('goes as slowly as polls do while the server is short of something, within bounds, and says so', async () => {
    const { raven, responses, governor, advance, state, requested } = stage()
    raven.latencyMs = 100
    raven.on(/stack-trace/, whole)
    governor.overhead.setStress('The machine has no CPU to spare')
    responses['stacks.series']({ source: 'server', everyMs: 5000, count: 3 }, governor)
    await advance(200)
    expect(state().series?.slowed).toBe(
      'The machine has no CPU to spare: polls go 4 times slower than planned. So does the series: the next one waits 20.0 s.',
    )
    await advance(19_800)
    expect(requested()).toBe(1)
    await advance(400)
    expect(requested()).toBe(2)
    governor.overhead.setStress(null)
    await advance(20_000)
    for (let i = 0; i < 10; i++) await advance(1000)
    expect(state().series).toMatchObject({ phase: 'finished', done: 3, slowed: null })
  })

  it('ends where trying again makes no sense, and after three failures in a row', async () => {
    const missing = stage()
    missing.raven.on(/stack-trace/, () =>
      json({ Type: 'System.IO.FileNotFoundException', Message: 'Could not find' }, 500),
    )
    missing.responses['stacks.series']({ source: 'server', everyMs: 5000, count: 10 }, missing.governor)
    await missing.advance(60_000)
    expect([missing.requested(), missing.state().series?.phase]).toEqual([1, 'failed'])

    const away = stage()
    away.raven.up = false
    away.responses['stacks.series']({ source: 'server', everyMs: 5000, count: 10 }, away.governor)
    for (let i = 0; i < 60; i++) await away.advance(1000)
    expect(away.requested()).toBe(3)
    expect(away.state()).toMatchObject({
      series: { phase: 'failed', failed: 3, done: 0 },
      failure: { kind: 'server-stopped' },
    })
  })
})

describe('the live list', () => {
  const lists = recordedFrames('7.1', 'threads-info-watch.ndjson')

  it('is open while it is wanted, and its first list does not count', async () => {
    const { raven, want, advance, responses, feed } = stage()
    expect(want().phase).toBe('connecting')
    await advance(10)
    raven.lastSocket.accept()
    await advance(0)
    expect([raven.sockets.length, raven.lastSocket.url, want().phase]).toEqual([
      1,
      'ws://raven/threads-info/watch',
      'first',
    ])
    raven.lastSocket.frame(lists[0])
    expect((await responses['stacks.threads'](ROWS)).total).toBe(0)
    raven.lastSocket.frame(lists[1])
    expect(want().phase).toBe('live')
    expect((await responses['stacks.threads'](ROWS)).total).toBeGreaterThan(20)
    expect(feed.byteLength().other).toBeGreaterThan(0)
    await advance(14_000)
    expect(want().phase).not.toBe('off')
    raven.lastSocket.frame(lists[3])
    await advance(8000)
    raven.lastSocket.frame(lists[2])
    await advance(7200)
    expect(raven.lastSocket.readyState).toBe(3)
    expect(
      responses['threads.history']({ startTicks: 0 as Ticks, endTicks: 1 as Ticks, widthPx: 1 as CssPx, limit: 1 })
        .jobs,
    ).toEqual([])
    expect(raven.sockets).toHaveLength(1)
  })

  test.each(RECORDED_LINES)(
    'takes the machine from the one that reports it: on %s the list has only its threads',
    async (line) => {
      const [first, second] = recordedFrames(line, 'threads-info-watch.ndjson') as [string, string]
      const list = JSON.parse(second) as {
        Date: string
        CpuUsage: number
        ProcessCpuUsage: number
        ActiveCores: number
        List: { CpuUsage: number }[]
      }
      expect(list.CpuUsage).toBeCloseTo(list.List.reduce((sum, { CpuUsage }) => sum + CpuUsage, 0))

      const received = async (atTicks: number, cores: number | null = null) => {
        let wanted = 0
        const { raven, want, advance } = stage({
          want: () => wanted++,
          newest: () => ({ atTicks, percent: 97, cores }),
        })
        want()
        await advance(10)
        raven.lastSocket.accept()
        for (const frame of [first, second]) raven.lastSocket.frame(frame)
        expect(wanted).toBe(1)
        return want()
      }
      const atTicks = parseTicks(list.Date)
      expect((await received(atTicks + TICKS_PER_SECOND)).machinePercent).toBe(97)
      expect((await received(atTicks - 60 * TICKS_PER_SECOND)).machinePercent).toBeNaN()
      // A licence leaves the server half of the cores of which the machine is counted.
      const { processPercent } = await received(atTicks, 2 * list.ActiveCores)
      expect(processPercent).toBeCloseTo(list.ProcessCpuUsage / 2)
    },
  )

  it('passes over rubbish', async () => {
    const { raven, want, advance, responses } = stage()
    want()
    await advance(10)
    raven.lastSocket.accept()
    for (const text of ['{', '[]', '{"x":1}', lists[0], lists[1]]) raven.lastSocket.frame(text)
    expect((await responses['stacks.threads'](ROWS)).total).toBeGreaterThan(20)
  })

  it('shows that a snapshot samples', async () => {
    const { raven, want, snapshot, advance, state } = stage()
    raven.on(/stack-trace/, never)
    want()
    await advance(10)
    raven.lastSocket.accept()
    raven.lastSocket.frame(lists[0])
    void snapshot()
    await advance(10)
    // A thread of that name is always there, as recorded on every version.
    const list = (...ids: readonly number[]): string =>
      JSON.stringify({
        Date: '2026-11-20T04:00:00Z',
        List: ids.map((id) => ({ Id: id, Name: '.NET EventPipe\n' })),
      })
    for (const same of [list(1), list(1)]) raven.lastSocket.frame(same)
    expect(state().progress?.step).toBe('attaching')
    raven.lastSocket.frame(list(1, 2))
    expect(state().progress?.step).toBe('sampling')
  })

  it('joins with a snapshot by id, and not with another thread that got its id', async () => {
    const { raven, want, snapshot, advance, responses } = stage()
    raven.on(/stack-trace/, () =>
      json({
        '@metadata': { DateTime: '2026-11-20T04:30:00Z' },
        Results: [
          { ThreadIds: [1, 2], StackTrace: ['CPU_TIME', 'Voron!Voron.Impl.Journal.JournalWriter.Write(int64)'] },
          { ThreadIds: [9], StackTrace: ['[Native Frames]'] },
        ],
        Threads: [
          {
            Id: 1,
            Name: "'shop' TxMT",
            CpuUsage: 5,
            StartingTime: '2026-11-20T03:00:00Z',
            TotalProcessorTime: '00:00:01',
            UserProcessorTime: '00:00:00.4000000',
            State: 2,
            Priority: 0,
            WaitReason: 13,
            IoStats: null,
          },
          { Id: 2, Name: 'mine', StartingTime: '2026-11-20T03:00:00Z' },
        ],
      }),
    )
    const outcome = snapshot()
    await advance(10)
    const id = taken(await outcome)
    want()
    await advance(10)
    raven.lastSocket.accept()
    raven.lastSocket.frame(lists[0])
    const list = [
      {
        Id: 1,
        Name: "'shop' TxMT",
        CpuUsage: 50,
        StartingTime: '2026-11-20T03:00:00Z',
        TotalProcessorTime: '00:00:03',
        UserProcessorTime: '00:00:01',
        State: 'Wait',
        Priority: 'Normal',
        WaitReason: 'Unknown',
        UnmanagedAllocationsInBytes: 7,
        IoStats: {
          ReadThroughputKbPerSecLast: 1,
          WriteThroughputKbPerSecLast: 2,
          IoSyscallsPerSecLast: 3,
          ReadThroughputKbTotal: 4,
          WriteThroughputKbTotal: 5,
        },
      },
      { Id: 2, Name: 'younger', CpuUsage: 1, StartingTime: '2026-11-20T04:00:00Z' },
    ]
    raven.lastSocket.frame(
      JSON.stringify({ Date: '2026-11-20T05:00:00Z', CpuUsage: 60, ProcessCpuUsage: 51, ActiveCores: 2, List: list }),
    )
    const request = { ...ROWS, snapshot: id }
    const { rows, total } = await responses['stacks.threads'](request)
    expect(total).toBe(4)
    expect(rows.map((row) => [row.id, row.name, row.seen, row.job.kind])).toEqual([
      [1, "'shop' TxMT", 'both', 'merger'],
      [2, 'younger', 'live', 'unrecognised'],
      [2, 'mine', 'snapshot', 'unrecognised'],
      [9, '', 'snapshot', 'unrecognised'],
    ])
    expect(rows[0]).toMatchObject({
      cpuPercent: 50,
      cpuSinceSnapshotMs: 2000,
      totalCpuMs: 3000,
      userCpuMs: 1000,
      kernelCpuMs: 2000,
      state: 'Wait',
      priority: 'Normal',
      waitReason: null,
      allocatedBytes: 7,
      ageTicks: 2 * 3600 * 1e7,
      io: { readBytesPerSecond: 1024, writeBytesPerSecond: 2048 },
      stack: { depth: 1 },
      line: { runs: 'Writes the journal', wait: 'disk', waitsFor: 'the disk: journal write' },
    })
    expect(rows[2]).toMatchObject({ cpuPercent: Number.NaN, io: null, state: null, stack: { depth: 1 } })
    const jobs: JobsParams = { snapshot: id, live: true }
    expect((await responses['stacks.jobs'](jobs)).jobs[0]).toMatchObject({
      job: { key: 'merger:shop' },
      threads: 1,
      cpuPercent: 50,
      waits: [0, 1, 0, 0, 0, 0, 0, 0, 0],
    })
    const found = (text: string) => responses['stacks.threads']({ ...request, match: { text, isRegex: true } })
    expect((await found('^voron!')).rows.map((row) => row.name)).toEqual(["'shop' TxMT", 'mine'])
    expect((await found('younger|^9$')).matched).toBe(2)
    expect((await found('(')).matchError).not.toBeNull()
    expect(
      (await responses['stacks.threads']({ ...request, sort: 'age', descending: false })).rows.map((row) => row.id),
    ).toEqual([2, 2, 1, 9])
    expect((await responses['stacks.threads']({ ...request, waits: ['disk'], threadIds: [1] })).matched).toBe(1)
    const startTicks = (parseTicks('2026-11-20T04:30:02Z') - rows[0]!.ageTicks) as Ticks
    const history = responses['threads.history']({
      startTicks,
      endTicks: (startTicks + 3 * 3600 * 1e7) as Ticks,
      widthPx: 10_800 as CssPx,
      limit: 5,
    })
    expect(
      history.jobs.map(({ job, percent }) => [job.kind, Math.max(...percent.filter((value) => value > 0))]),
    ).toEqual([
      ['merger', 50],
      ['unrecognised', 1],
    ])
    // A list from before the snapshot, as when its socket rests, says nothing of after it.
    raven.lastSocket.frame(JSON.stringify({ Date: '2026-11-20T04:29:59Z', List: list }))
    expect((await responses['stacks.threads']({ ...request, threadIds: [1] })).rows).toMatchObject([
      { seen: 'both', totalCpuMs: 3000, cpuSinceSnapshotMs: Number.NaN },
    ])
  })
})

describe('files', () => {
  it('are recognised by what they hold', () => {
    const feed = new StacksFeed({ tabs: null })
    expect(feed.recognises(new Set(['$.Results', '$.Results[].ThreadIds']))).toBe(true)
    expect(feed.recognises(new Set(['$.Runaway Threads']))).toBe(true)
    expect(feed.recognises(new Set(['$.Results', '$.Results[].Performance']))).toBe(false)
    expect(feed.recognises(new Set(['$.Environments']))).toBe(false)
    expect(feed.watch({ ref: { kind: 'file', name: 'x' } } as never)).toBeNull()
  })

  it('fill the time view, text and summary like snapshots', async () => {
    const { raven, snapshot, advance, responses, feed } = stage()
    raven.on(/stack-trace/, whole)
    const outcome = snapshot()
    await advance(10)
    const id = taken(await outcome)
    const later = await feed.later()
    const { lanes, atTicks } = later.responses['stacks.lanes']({ snapshots: [id, 99] })
    expect(atTicks).toHaveLength(1)
    const merger = lanes.find(({ job }) => job.key === 'merger:bench')!
    expect([merger.wait[0], merger.threads[0], merger.dominant[0]]).toEqual([1, 1, 1])
    expect(merger.cpuPercent[0]).toBeCloseTo(3.58)
    const threads = await responses['stacks.threads']({
      ...ROWS,
      snapshot: id,
      live: false,
      match: { text: "'bench' TxMT", isRegex: false },
    })
    const thread = threads.rows[0]!
    const textOf = later.responses['stacks.text']
    const text = textOf({ snapshot: id, threadId: thread.id })!
    expect(text.text.split('\n').slice(0, 3)).toEqual([
      `Thread ${thread.id} "'bench' TxMT", Running, 3.58 % of all cores`,
      'CPU_TIME',
      'Voron!Voron.Impl.Journal.JournalWriter.Write(int64,unsigned int8*,int32)',
    ])
    expect(text.frames).toHaveLength(thread.stack!.depth)
    expect(textOf({ snapshot: 7, threadId: 1 })).toBeNull()
    const view = {
      samples: { snapshots: [id], jobs: null, waits: null },
      against: null,
      direction: 'top-down',
      focus: null,
      fold: false,
      weight: 'samples',
    } as const
    const path = later.responses['stacks.path']({ view, node: thread.stack!.node })
    expect(path.at(-1)!.short).toBe('JournalWriter.Write')
    expect(later.responses['stacks.findNode']({ view, path: path.map(({ full }) => full) })).toBe(thread.stack!.node)
    expect(later.responses['stacks.findNode']({ view, path: ['never seen'] })).toBe(0)
    expect(later.responses['stacks.findFrame']({ text: path[0]!.full })?.id).toBe(path[0]!.id)
    expect(later.responses['stacks.findFrame']({ text: 'never seen' })).toBeNull()
    expect(feed.summary()).toMatchObject([
      { feed: 'stacks', source: 'server', environment: 'A', kind: 'snapshot', count: 1, bytes: SAMPLE.length },
    ])
    expect(feed.extent()).not.toBeNull()
  })
})

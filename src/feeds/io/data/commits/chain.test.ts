import { describe, expect, it } from 'vitest'
import { parseTicks, type Ticks, TICKS_PER_MS, type TickSpan } from '../../../../base/ticks.ts'
import type { MergerSpan } from '../../../../ravendb/databases/perf-metrics.ts'
import { FakeRaven } from '../../../../testing/fake-raven.ts'
import { readInto } from '../../../../testing/filled-feeds.ts'
import { RECORDED_LINES, recordedText } from '../../../../testing/recorded.ts'
import { Governor } from '../../../../ravendb/governor/governor.ts'
import { IoFeed } from '../feed.ts'
import { chainCommits, sumCommits } from './chain.ts'
import { commitsResponse } from './response.ts'

const ms = (value: number): TickSpan => Math.round(value * TICKS_PER_MS) as TickSpan
const span = (startMs: number, durationMs: number, operations = 1): MergerSpan => ({
  startTicks: ms(startMs) as number as Ticks,
  durationTicks: ms(durationMs),
  activeTicks: ms(durationMs),
  operations,
  commands: 42,
})
const io = (startMs: number, durationMs: number) => ({ startTicks: ms(startMs), durationTicks: ms(durationMs) })
const ALL = { startTicks: 0 as Ticks, endTicks: ms(1e6) as number as Ticks }

/** As 7.1.5 reported it: 2 ms of transaction, 0.4 ms before the compression, 0.04 ms before the write. */
const WAITS = [span(0, 10), span(13.7, 186)]
const WORK = [span(10, 2), span(200, 2.1, 3)]
const WRITES = [io(12.7, 0.5), io(202.9, 200)]
const COMPRESSIONS = [io(12.4, 0.27), io(202.5, 0.3)]

describe('the chain of a commit', () => {
  it('is waiting, transaction, compression, journal write, and what is left between', () => {
    const [first, second] = chainCommits(WAITS, WORK, WRITES, COMPRESSIONS)
    expect(first).toEqual({
      startTicks: ms(10),
      waitTicks: ms(10),
      transactionTicks: ms(2),
      writers: 1,
      commands: 42,
      compressionTicks: ms(0.27),
      // 12.0 to 13.2, less 0.27 and 0.5.
      otherTicks: ms(0.43),
      journalTicks: ms(0.5),
      journalStartTicks: ms(12.7),
      nextStartTicks: ms(200),
    })
    expect(second).toMatchObject({ waitTicks: ms(186), writers: 3, journalTicks: ms(200), nextStartTicks: null })
    // The parts fill the time from the end of the first write to the end of the second but for 0.8 ms around the wait.
    const all = [second!.waitTicks, second!.transactionTicks, second!.compressionTicks, second!.otherTicks]
    expect(all.reduce((sum: number, ticks) => sum + ticks!, second!.journalTicks!)).toBe(ms(402.9 - 13.2 - 0.8))
  })

  it('takes the write for that of the transaction which waited for it, while the next one runs', () => {
    // The second begins while the first is written, and ends only after that.
    const work = [span(10, 2), span(13, 40)]
    const [first, second] = chainCommits([span(0, 10)], work, [io(12.5, 30), io(54, 3)], [])
    expect(first).toMatchObject({ journalStartTicks: ms(12.5), compressionTicks: null })
    expect(second).toMatchObject({ journalStartTicks: ms(54), waitTicks: 0 })
  })

  it('has no write where nothing was written before the next one ended, and no wait where it is not known', () => {
    const [first, second] = chainCommits([span(150, 40)], WORK, [WRITES[1]!], [])
    expect(first).toMatchObject({ waitTicks: null, journalTicks: null, otherTicks: 0 })
    expect(second).toMatchObject({ waitTicks: ms(40), journalStartTicks: ms(202.9) })
  })

  it('is summed up over the commits in view that are wholly known', () => {
    const commits = chainCommits(WAITS, WORK, WRITES, COMPRESSIONS)
    expect(sumCommits(commits, ALL)).toEqual({
      commits: 2,
      leftOut: 0,
      firstTicks: ms(10),
      lastTicks: ms(200),
      waitTicks: ms(196),
      transactionTicks: ms(4.1),
      otherTicks: ms(0.43 + 0.5),
      compressionTicks: ms(0.57),
      journalTicks: ms(200.5),
      writers: 4,
      mostWriters: 3,
    })
    expect(sumCommits(commits, { ...ALL, startTicks: ms(100) as number as Ticks })?.commits).toBe(1)
    expect(sumCommits(commits, { ...ALL, startTicks: ms(900) as number as Ticks })).toBeNull()
  })

  it('leaves a commit out of the sums where its journal write or its wait is not known', () => {
    const withoutWrite = chainCommits(WAITS, WORK, [WRITES[1]!], COMPRESSIONS)
    expect(sumCommits(withoutWrite, ALL)).toMatchObject({ commits: 1, leftOut: 1, waitTicks: ms(186), writers: 3 })
    const withoutWait = chainCommits([span(150, 40)], WORK, WRITES, COMPRESSIONS)
    expect(sumCommits(withoutWait, ALL)).toMatchObject({ commits: 1, leftOut: 1, journalTicks: ms(200) })
    expect(sumCommits(chainCommits(WAITS, WORK, [], []), ALL)).toBeNull()
  })
})

/** As the file has them. */
const spansOf = (text: string): readonly { Start: string }[] =>
  (JSON.parse(text) as { Performances: { MetricType: string; Recent: { Start: string }[] }[] }).Performances.find(
    ({ MetricType }) => MetricType === 'Transaction',
  )!.Recent

describe('asking for a commit', () => {
  const at = (millisecond: number): string => `2026-11-23T07:00:00.${String(millisecond).padStart(3, '0')}0000Z`
  const Recent = [{ Start: at(20), Size: 4096, FileSize: 65_536, Duration: 1.5, Type: 'JournalWrite' }]
  const Files = [{ File: '0000000000000000001.journal', Status: 'InUse', Recent, History: [] }]
  const filled = (): IoFeed => {
    const feed = new IoFeed()
    const document = { Environments: [{ Path: '/data/shop', Type: 'Documents', Files }], Performances: [] }
    readInto(feed, 'db:shop', JSON.stringify(document))
    return feed
  }
  const params = {
    lane: 'db:shop|/data/shop',
    journalStartTicks: parseTicks(at(20)),
    range: { startTicks: parseTicks(at(0)), endTicks: parseTicks(at(900)) },
  }
  const signal = new AbortController().signal

  it('finds the transaction of the journal write', async () => {
    const raven = new FakeRaven()
    const one = (Type: string, start: number, Duration: number) => ({
      MetricType: Type,
      Recent: [{ Start: at(start), Counter: 2, Duration, Type }],
      History: [],
    })
    raven.on(/is-loaded/, () => ({ DatabaseName: 'shop', IsLoaded: true }))
    raven.on(/perf-metrics/, () => ({ PerfMetrics: [one('GeneralWait', 5, 10), one('Transaction', 15, 4)] }))
    const response = await commitsResponse(filled().store, params, new Governor(raven.env), signal)
    expect(response).toMatchObject({
      known: true,
      sinceTicks: parseTicks(at(15)),
      commit: { waitTicks: ms(10), transactionTicks: ms(4), writers: 2, commands: null, journalTicks: ms(1.5) },
      sums: { commits: 1, otherTicks: ms(1) },
    })
  })

  it.each(RECORDED_LINES)('finds the transactions that a file of %s reports, and asks no server', async (line) => {
    const feed = new IoFeed()
    const text = recordedText(line, 'io-metrics.json')
    readInto(feed, 'file:io.json', text)
    const lane = [...feed.store.lanes.values()].find(({ type }) => type === 'Documents')
    const [start, end] = [0, Number.MAX_SAFE_INTEGER].map((ticks) => ticks as Ticks) as [Ticks, Ticks]
    const request = { lane: lane!.id, journalStartTicks: start, range: { startTicks: start, endTicks: end } }
    const raven = new FakeRaven()
    const response = await commitsResponse(feed.store, request, new Governor(raven.env), signal)
    const recent = spansOf(text)
    const writes = lane!.tracks.get('JournalWrite')!.events
    if (!response.known) throw new Error(response.why)
    expect(response.sinceTicks).toBe(parseTicks(recent[0]!.Start))
    const { commits, leftOut, journalTicks } = response.sums!
    expect(commits + leftOut).toBe(recent.length)
    // The ring of writes was folded later than that of transactions.
    expect(commits).toBeGreaterThan(0.9 * (writes.length - writes.lowerBound(response.sinceTicks!)))
    expect(journalTicks).toBeGreaterThan(0)
    expect(raven.calls).toEqual([])
  })

  it('says that a file reports no transactions', async () => {
    const feed = new IoFeed()
    readInto(feed, 'file:io.json', JSON.stringify({ Environments: [{ Path: '/data/shop', Type: 'Documents', Files }] }))
    const request = { ...params, lane: 'file:io.json|/data/shop' }
    const response = await commitsResponse(feed.store, request, new Governor(new FakeRaven().env), signal)
    expect(response).toEqual({ known: false, why: 'not-in-file' })
  })

  it('loads no database', async () => {
    const raven = new FakeRaven()
    raven.on(/is-loaded/, () => ({ DatabaseName: 'shop', IsLoaded: false }))
    expect(await commitsResponse(filled().store, params, new Governor(raven.env), signal)).toEqual({
      known: false,
      why: 'unloaded',
    })
    expect(raven.loads).toEqual([])
  })
})
